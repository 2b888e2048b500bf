"""Names among German antecedents: as wholes, with the gender that their article or their kind tells."""

from __future__ import annotations

import pytest

pytest.importorskip("spacy")

from kontrast.building.corpus import Document
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.align import PronounPlace, places
from kontrast.building.pronouns.candidates import NounCandidate, candidates
from kontrast.building.pronouns.foils import target_side
from kontrast.language import annotators
from kontrast.language.alignment import Links, spans
from kontrast.language.annotation import Sentence

RECIPE = load_recipe("en-de")


def _links(source: str, target: str, pairs: str) -> Links:
    one, two = ([w.text for w in spans(text)] for text in (source, target))
    return frozenset((one.index(a), two.index(b)) for a, b in (pair.split("=") for pair in pairs.split()))


def found(source: str, target: str, pairs: str) -> list[tuple[str, str]]:
    """The candidates of the last place, with how their gender goes with the pronoun's."""
    return [(c.noun.text, c.fit) for c in _candidates(source, target, pairs)[0]]


def heads(source: str, target: str, pairs: str) -> dict[str, str | None]:
    """The source noun of each candidate."""
    every, sentence = _candidates(source, target, pairs)
    return {c.noun.text: None if c.source is None else sentence.tokens[c.source].text for c in every}


def _candidates(source: str, target: str, pairs: str) -> tuple[list[NounCandidate], Sentence]:
    document, links = Document("d", (source,), (target,)), {0: _links(source, target, pairs)}
    place: PronounPlace = list(places(RECIPE, document, 0, links[0]))[-1]
    sentences = list(annotators.get("en", entities=True).annotate([source]))
    return candidates(RECIPE, target_side(RECIPE), document, place, sentences, links, {}), sentences[0]


def test_a_noun_beside_a_name_stays_its_head() -> None:
    source = "The bank HSBC said that it would pay."
    target = "Die Bank HSBC sagte, dass sie zahlen werde."
    assert ("Bank", "same") in found(source, target, "bank=Bank HSBC=HSBC said=sagte that=dass it=sie pay=zahlen")


@pytest.mark.parametrize(("name", "fit"), [("China", "other"), ("Ukraine", "same")])
def test_places_without_an_article_are_neuter_but_for_those_that_have_one(name: str, fit: str) -> None:
    """The lexicon has *die China*, a plant."""
    source, target = f"{name} said that it would wait.", f"{name} sagte, dass sie warten werde."
    assert found(source, target, f"{name}={name} said=sagte that=dass it=sie wait=warten") == [(name, fit)]


def test_capitals_among_small_letters_are_no_pronoun() -> None:
    source, target = "The IT company bought chairs.", "Die IT-Firma hat es gekauft."
    assert not list(places(RECIPE, Document("d", (source,), (target,)), 0, _links(source, target, "IT=es")))
    source, target = "IT WORKS.", "ES KLAPPT."
    assert list(places(RECIPE, Document("d", (source,), (target,)), 0, _links(source, target, "IT=ES")))
