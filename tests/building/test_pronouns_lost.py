"""German pronouns that were lost before anyone judged them, by class: each gives a place, a noun or a use now."""

from __future__ import annotations

import pytest

pytest.importorskip("spacy")

from kontrast.building.corpus import Document
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.align import pairs_left, places
from kontrast.building.pronouns.foils import target_side
from kontrast.language import annotators
from kontrast.language.alignment import Links, spans
from kontrast.language.coreference import use_of_it

RECIPE = load_recipe("en-de")


def links_of(source: str, target: str, pairs: str) -> Links:
    """``it=er it:2=es``: links by the words, each at its first place or at the one that is named."""

    def place(text: str, name: str) -> int:
        word, _, number = name.partition(":")
        return [i for i, w in enumerate(spans(text)) if w.text == word][int(number or 1) - 1]

    return frozenset((place(source, a), place(target, b)) for a, b in (pair.split("=") for pair in pairs.split()))


def found(source: str, target: str, pairs: str) -> list[tuple[str, bool]]:
    document, links = Document("d", (source,), (target,)), links_of(source, target, pairs)
    every = list(places(RECIPE, document, 0, links))
    every += pairs_left(RECIPE, document, 0, links, every)
    return [(target[p.target.start : p.target.end], p.linked) for p in every]


@pytest.mark.parametrize(
    ("text", "word", "gender"),
    [
        ("Sie wollen die 600-Dollar-Erhöhung beibehalten.", "600-Dollar-Erhöhung", "f"),
        ("Er kaufte einen 3D-Drucker.", "3D-Drucker", "m"),
        ("Auch der ASX-notierte Kreditgeber schwieg.", "ASX-notierte", ""),
        ("Der 15-jährige Wagen fährt.", "15-jährige", ""),
        ("Das Make-up hält.", "Make-up", "n"),
    ],
)
def test_a_number_may_begin_a_noun_and_a_name_an_adjective(text: str, word: str, gender: str) -> None:
    words = spans(text)
    noun = target_side(RECIPE).noun(text, words, [w.text for w in words].index(word), "s")
    assert "".join(noun.genders if noun else "") == gender


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("By Saturday morning, it was 45% contained.", False),
        ("It is one of the things that make the game better.", False),
        ("It was two in the morning.", True),
        ("It is a good idea to wait.", True),
        ("It is important to wait.", True),
    ],
)
def test_it_that_is_said_to_be_something(text: str, empty: bool) -> None:
    sentence = next(annotators.get("en").annotate([text]))
    token = next(i for i, t in enumerate(sentence.tokens) if t.text.lower() == "it")
    assert (use_of_it(sentence, token) == "empty") == empty


def test_the_last_pronoun_of_each_side_is_a_pair() -> None:
    source, target = "When it comes out, I go with it.", "Wenn er herauskommt, gehe ich mit ihm."
    assert found(source, target, "it=er") == [("er", True), ("ihm", False)]
