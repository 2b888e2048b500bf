"""German pronouns that were lost before anyone judged them, by class: each gives a place, a noun or a use now."""

from __future__ import annotations

import pytest

pytest.importorskip("spacy")

from kontrast.building.corpus import Document
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.align import another_place, pairs_left, places
from kontrast.building.pronouns.foils import target_side
from kontrast.language import annotators
from kontrast.language.alignment import Links, spans
from kontrast.language.coreference import use_of_it
from kontrast.language.resolvers.salience import cannot_be_meant

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
        ("It is clearly perceived as a means to an end.", False),
        ("Supporters say it is a vital next step to meet threats.", False),
        ("It was two in the morning.", True),
        ("It is a good idea to wait.", True),
        ("It is important to wait.", True),
    ],
)
def test_it_that_is_said_to_be_something(text: str, empty: bool) -> None:
    sentence = next(annotators.get("en").annotate([text]))
    token = next(i for i, t in enumerate(sentence.tokens) if t.text.lower() == "it")
    assert (use_of_it(sentence, token).kind == "empty") == empty


def test_he_may_be_in_another_case() -> None:
    source, target = (
        "He has people who do it so that it is fun.",
        "Hinter ihm stehen Leute, die so tun, dass er da ist.",
    )
    assert found(source, target, "He=ihm it:2=er") == [("er", True)]
    assert found(source, target, "it:2=er") == []


def test_the_last_pronoun_of_each_side_is_a_pair() -> None:
    source, target = "When it comes out, I go with it.", "Wenn er herauskommt, gehe ich mit ihm."
    assert found(source, target, "it=er") == [("er", True), ("ihm", False)]
    instead = "Wenn er herauskommt, gehe ich damit zu ihm."
    assert found(source, instead, "it=er it:2=damit") == [("er", True)]


def other(source: str, target: str, pairs: str) -> str | None:
    document, links = Document("d", (source,), (target,)), links_of(source, target, pairs)
    every = list(places(RECIPE, document, 0, links))
    sentence = next(annotators.get("en").annotate([source]))
    place = another_place(RECIPE, document, every[0], sentence, links, every)
    return None if place is None else target[place.target.start : place.target.end]


def test_another_pronoun_is_taken_where_the_linked_one_means_nothing() -> None:
    target = "Wichtig ist, dass die Leute den Plan lesen und dass sie ihn bald annehmen."
    assert other("The members have to read the plan and approve it soon.", target, "it=sie") == "ihn"
    assert other("He has to read the plan and approve it soon.", target, "it=sie He=ihn") is None
    assert other("It would be enough for the members to read the plan.", target, "It=sie") is None
    assert other("It is important to read the plan soon.", target, "It=sie") is None


def test_a_way_may_be_meant_as_an_object() -> None:
    for text, barred in (("I see a way out.", False), ("In a way I see you.", True)):
        sentence = next(annotators.get("en").annotate([text]))
        way = next(i for i, t in enumerate(sentence.tokens) if t.text == "way")
        assert cannot_be_meant(sentence, way, False, None) == barred
