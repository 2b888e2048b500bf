"""German foils: the case of es and sie by the clause, what changes with them, and what is doubted."""

from __future__ import annotations

import pytest

from kontrast.building.corpus import Document
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.align import PronounPlace
from kontrast.building.pronouns.foils import Contrastive, Noun, target_side
from kontrast.building.pronouns.reference import mean_the_same
from kontrast.language import annotators
from kontrast.language.alignment import spans
from kontrast.language.german.plain import clause, split

RECIPE = load_recipe("en-de")


def foils(text: str, *, subject: bool, **together: bool | None) -> dict[str, Contrastive]:
    """The foils of the pronoun in brackets, by gender; ``together`` are other words that may mean the same."""
    start = text.index("[")
    end = text.index("]") - 1
    text = text.replace("[", "").replace("]", "")
    others = {w.start: together[w.text] for w in spans(text) if w.text in together and w.start != start}
    made = target_side(RECIPE).contrast(text, start, end, is_subject=subject, together=others)
    return {c.gender: c for c in made}


@pytest.mark.parametrize(
    ("text", "foil"),
    [
        ("Der Bach nährte Pollen, die [sie] verteilt hätte.", "Der Bach nährte Pollen, die er verteilt hätte."),
        ("Er traf den Boten, der [sie] brachte.", "Er traf den Boten, der ihn brachte."),
        ("Das Wasser ist warm und wärmt [sie].", "Das Wasser ist warm und wärmt ihn."),
    ],
)
def test_a_clause_keeps_one_subject(text: str, foil: str) -> None:
    """Whatever role the source gives the pronoun: a relative pronoun, or the clause before, has the subject."""
    assert [foils(text, subject=subject)["m"].text for subject in (True, False)] == [foil, foil]


@pytest.mark.parametrize(
    ("text", "as_object", "as_subject"),
    [
        ("Öffne [sie].", "Öffne ihn.", "Öffne er."),
        ("Macht [sie] auf!", "Macht ihn auf!", "Macht er auf!"),
        ("Macht [sie] auf?", "Macht er auf?", "Macht er auf?"),
    ],
)
def test_in_a_request_the_source_tells_the_case(text: str, as_object: str, as_subject: str) -> None:
    assert foils(text, subject=False)["m"].text == as_object
    assert foils(text, subject=True)["m"].text == as_subject


def test_several_who_do_something_to_themselves_are_no_thing() -> None:
    assert not foils("Sie wollten wählen, wann [sie] sich dieser unterziehen.", subject=False)


def test_signs_within_a_clause_do_not_end_it() -> None:
    for text, word in (
        ("weil es neben DNS-Servern besteht", "besteht"),
        ("dass es 5,2 Meter misst", "misst"),
    ):
        words = split(text)
        assert words[clause(words, 1)[1]].low == word
    words = split("es ist alt, aber es bleibt - es muss")
    assert clause(words, 0) == (0, 2)
    assert clause(words, 5) == (4, 6)


@pytest.mark.parametrize(
    ("source", "target", "pairs", "same"),
    [
        (
            "when it comes out, it is quick, or we go with it",
            "wenn er kommt, ist es schnell, oder wir gehen mit ihm",
            {1: "er", 5: "es", 13: "ihm"},
            {"er": True, "es": None},  # es is no dog
        ),
        ("Its aim is that it lasts", "Sein Ziel ist, dass er hält", {4: "er"}, {"Sein": False}),
    ],
)
def test_what_is_aligned_to_another_it(
    source: str, target: str, pairs: dict[int, str], same: dict[str, bool | None]
) -> None:
    side, words, others = target_side(RECIPE), spans(source), spans(target)
    texts = [w.text for w in others]
    links = frozenset((i, texts.index(word)) for i, word in pairs.items())
    its = [i for i in pairs if words[i].text == "it"][-1]
    at = texts.index(pairs[its])
    form = side.form(target, others, at)
    assert form is not None
    place = PronounPlace(0, words[its], form, at)
    (sentence,) = annotators.get("en").annotate([source])
    document, noun = Document("d", (source,), (target,)), Noun("Hund", 0, "Hund", frozenset("m"))
    found = mean_the_same(RECIPE, side, document, place, sentence, links, -1, noun)
    for word, subject in same.items():
        assert found.get(others[texts.index(word)].start) == subject
