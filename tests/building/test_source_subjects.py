"""Subjects of the source that stay subjects in the target."""

from __future__ import annotations

import pytest

from kontrast.building.pronouns.reference import stays_subject
from kontrast.language import annotators


@pytest.mark.parametrize(
    ("source", "roles"),
    [
        ("The man wants it to work.", [True]),
        ("He says it is old.", [True]),
    ],
)
def test_a_subject_of_an_infinitive_stays_one(source: str, roles: list[bool]) -> None:
    sentence = next(annotators.get("en").annotate([source]))
    found = [i for i, token in enumerate(sentence.tokens) if token.text == "it"]
    assert [stays_subject(sentence, i) for i in found] == roles
