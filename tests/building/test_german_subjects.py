"""German foils: a subject that an insertion hides, accusatives of time, and whose a possessive is."""

from __future__ import annotations

import pytest

from kontrast.building.pronouns.reference import stays_subject
from kontrast.language import annotators
from kontrast.language.german.plain import split
from kontrast.language.german.times import time_words


@pytest.mark.parametrize(
    ("source", "roles"),
    [
        ("The company, to which it belongs, wants it back.", [True, False]),
        ("The man wants it to work.", [True]),
        ("He says it is old.", [True]),
    ],
)
def test_what_is_wanted_back_is_an_object(source: str, roles: list[bool]) -> None:
    sentence = next(annotators.get("en").annotate([source]))
    found = [i for i, token in enumerate(sentence.tokens) if token.text == "it"]
    assert [stays_subject(sentence, i) for i in found] == roles


def test_a_time_may_be_a_subject() -> None:
    for text in ("Ein Jahr hat es verändert", "Das letzte Jahr hat es verändert", "Der Tag machte es möglich"):
        assert not time_words(split(text), 0, 3)
    assert not time_words(split("In zwei Jahren und vor einer Woche"), 0, 6)
