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


@pytest.mark.parametrize(
    ("target", "fit"),
    [
        ("Die Union Chain Bridge ist alt, aber sie steht.", "same"),
        ("Der Union Chain Bridge geht es gut, und er steht.", "either"),
        ("Das Union Chain Bridge ist alt, aber sie steht.", "other"),
    ],
)
def test_a_name_kept_as_it_is_has_its_last_word_and_the_gender_of_its_article(target: str, fit: str) -> None:
    source = "The Union Chain Bridge is old, but it stands."
    pronoun = "er" if " er " in target else "sie"
    pairs = f"Union=Union Chain=Chain Bridge=Bridge it={pronoun} stands=steht"
    assert found(source, target, pairs) == [("Bridge", fit)]


@pytest.mark.parametrize("linked", ["Golden=Golden Gate=Gate Bridge=Bridge", "Golden=Golden Bridge=Gate", "was=ist"])
def test_the_words_of_a_name_may_be_compounds_of_each_other(linked: str) -> None:
    source = "The Golden Gate Bridge is red, as it was."
    target = "Die Golden Gate Bridge ist rot, wie sie war."
    pairs = f"{linked} it=sie"
    assert found(source, target, pairs) == [("Bridge", "same")]
    assert heads(source, target, pairs) == {"Bridge": "Bridge"}


def test_no_lexicon_knows_such_a_name() -> None:
    """*die Lake* is brine."""
    source, target = "Now Lake Tahoe is clean, as it was.", "Nun ist Lake Tahoe sauber, wie er war."
    assert found(source, target, "Lake=Lake Tahoe=Tahoe is=ist it=er was=war") == [("Tahoe", "unknown")]


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


@pytest.mark.parametrize(
    ("source", "target", "pairs", "noun", "head"),
    [
        (
            "The task number is shown by the command when you scheduled it.",
            "Die Nummer einer Aufgabe wird vom Befehl gezeigt, wenn du sie planst.",
            "task=Aufgabe number=Nummer number=einer command=Befehl it=sie scheduled=planst",
            "Aufgabe",
            "task",
        ),
        (
            "Whenever the item ships, it will be shipped by the expedited service if you have paid for it.",
            "Wenn der Artikel versandt wird, wird er vom Expressdienst befördert, wenn Sie dafür bezahlt haben.",
            "item=Artikel ships=versandt it=er shipped=befördert",
            "Artikel",
            "item",
        ),
        (
            "Gabba's double power failure explained and why it could happen again",
            "Erklärung für zweifachen Stromausfall im Gabba und der Grund, warum er sich wiederholen könnte",
            "explained=Erklärung power=Stromausfall Gabba=Gabba why=warum it=er could=könnte again=wiederholen",
            "Grund",
            None,
        ),
        (
            "The fire wraiths are old, but the door is not, as it is open.",
            "Die Feuergeister sind alt, aber die Tür nicht, da sie offen ist.",
            "fire=Feuergeister wraiths=Feuergeister door=Tür it=sie open=offen",
            "Tür",
            "door",
        ),
    ],
)
def test_the_source_noun_is_translated_by_this_noun(
    source: str, target: str, pairs: str, noun: str, head: str | None
) -> None:
    assert heads(source, target, pairs)[noun] == head
