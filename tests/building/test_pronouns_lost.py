"""German pronouns that were lost before anyone judged them, by class: each gives a place, a noun or a use now."""

from __future__ import annotations

import pytest

pytest.importorskip("spacy")

from kontrast.building.parallel import Document
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.candidates import NounCandidate
from kontrast.building.pronouns.left import another_place, pairs_left
from kontrast.building.pronouns.names import GENDER_BY_PRONOUN, with_names
from kontrast.building.pronouns.places import PronounPlace, places
from kontrast.building.pronouns.target import Form, Noun, target_side
from kontrast.language import annotators
from kontrast.language.alignment import Links, Span, spans
from kontrast.language.annotation import Sentence, Token
from kontrast.language.coreference import use_of_it
from kontrast.language.german.es import use_of_es
from kontrast.language.german.plain import split
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
    ("text", "kind"),
    [
        ("Die Einlagen, die es halten würde, sind sicher.", "thing"),
        ("Die Leute, die es öffnen, sind jung.", "thing"),
        ("Es kamen viele.", "empty"),
        ("Es bewegt sich rasch, weshalb Regen aufzuziehen scheint.", "thing"),
        ("Es freut uns, Sie zu sehen.", "empty"),
        ("Es wird gut sein, weil es den Handel erleichtert.", "sentence"),
        ("Es ist schön, wenn du kommst.", "empty"),
        ("Es war schöner, als ich dachte.", "open"),
        ("Es ist, als wäre er da.", "empty"),
    ],
)
def test_what_es_stands_for(text: str, kind: str) -> None:
    words = split(text)
    assert use_of_es(words, next(i for i, w in enumerate(words) if w.low == "es")).kind == kind


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


@pytest.mark.parametrize(
    ("text", "word", "subject", "forms"),
    [
        ("Wir müssen die Welt öffnen und sie fassbarer machen.", "sie", False, ["ihn", "es"]),
        ("Die Kredite, die ihr die Bank bewilligt hat, sind hoch.", "ihr", True, ["ihm", "ihm"]),
        ("Das ist die Richtung, in der sie zu gehen hat.", "sie", True, ["er", "es"]),
        ("Die Behörden, unter deren Befehl sie stehen wird, schweigen.", "sie", True, ["er", "es"]),
        ("Die Zimmer, in denen sie stehen, sind leer.", "sie", True, []),
    ],
)
def test_case_and_number_by_the_clause(text: str, word: str, subject: bool, forms: list[str]) -> None:
    start = text.index(f" {word} ") + 1
    side = target_side(RECIPE)
    made = side.contrast(text, start, start + len(word), is_subject=subject, together={})
    assert [c.replacement for c in made] == forms
    assert (side.use(text, start, is_subject=subject).kind == "empty") == (not forms)


def test_a_way_may_be_meant_as_an_object() -> None:
    for text, barred in (("I see a way out.", False), ("In a way I see you.", True)):
        sentence = next(annotators.get("en").annotate([text]))
        way = next(i for i, t in enumerate(sentence.tokens) if t.text == "way")
        assert cannot_be_meant(sentence, way, False, None) == barred


def test_the_pronoun_tells_the_gender_of_a_name_that_is_meant() -> None:
    words = (Token("Prospa", 0, 6, pos="PROPN", lemma="Prospa"), Token("loan", 7, 11, pos="NOUN", lemma="loan"))
    sentences = [Sentence("Prospa loan", words)]
    place = PronounPlace(0, Span("it", 20, 22), Form(20, 22, "m"), 5)
    name = NounCandidate(0, Noun("Prospa", 0, "Prospa", frozenset()), 0, "unknown", {})
    loan = NounCandidate(0, Noun("Kredit", 1, "Kredit", frozenset("m")), 1, "same", {})
    told = with_names(place, sentences, [name, loan], {"prospa": 0.8, "loan": 0.1})
    assert told[0].fits and told[0].noun.genders == {"m"} and GENDER_BY_PRONOUN in told[0].features
    assert told[1] == loan
    first = NounCandidate(0, Noun("Online", -1, "Online", frozenset()), 0, "unknown", {})
    assert with_names(place, sentences, [first, name, loan], {"prospa": 0.8})[0].noun.text == "Prospa"
    for said in ({"prospa": 0.4}, {"prospa": 0.7, "loan": 0.2}):
        assert with_names(place, sentences, [name, loan], said) == [name, loan]
