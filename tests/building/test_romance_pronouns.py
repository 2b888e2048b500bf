"""Foils of pronoun suites that a reader would refuse: agreement that stays, nouns that go with the foil."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

pytest.importorskip("spacy")

from kontrast.building.corpus import Document
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.align import PronounPlace
from kontrast.building.pronouns.foils import ILL_AGREED, Contrastive, contrastives, target_side
from kontrast.building.pronouns.item import make_item
from kontrast.building.pronouns.pipeline import composed_documents
from kontrast.building.pronouns.scene import prepare
from kontrast.language import annotators, resolvers
from kontrast.language.alignment import spans
from kontrast.suites.model import Item


def foil_of(pair: str, text: str, pronoun: str) -> Contrastive:
    start = next(w.start for w in spans(text) if w.text == pronoun)
    everywhere = {w.start: None for w in spans(text)}
    [foil] = contrastives(load_recipe(pair), text, start, start + len(pronoun), True, everywhere)
    return foil


def item_of(pair: str, rows: list[tuple[str, str, str]], pronoun: str = "it") -> Item | str:
    """The item of the last row's pronoun; rows are source, target, and links by words (``file=Datei``)."""
    recipe = load_recipe(pair)
    document = Document("d", tuple(r[0] for r in rows), tuple(r[1] for r in rows))
    links = {}
    for i, (source, target, words) in enumerate(rows):
        one, two = ([w.text for w in spans(text)] for text in (source, target))
        links[i] = frozenset((one.index(a), two.index(b)) for a, b in (x.split("=") for x in words.split()))
    line = len(rows) - 1
    own = next(w for w in spans(rows[-1][0]) if w.text.lower() == pronoun)
    index = next(j for i, j in links[line] if spans(rows[-1][0])[i] == own)
    form = target_side(recipe).form(rows[-1][1], spans(rows[-1][1]), index)
    assert form is not None
    sentences = list(annotators.get("en", entities=True).annotate(document.source))
    place = PronounPlace(line, own, form, index)
    known = prepare(recipe, document, place, sentences, links, resolvers.get("salience"))
    if isinstance(known, str):
        return known
    made = make_item(known)
    return made if isinstance(made, str) else made[0]


def test_a_reference_that_does_not_agree_gives_no_item() -> None:
    rows = [
        ("The rope is long.", "La corde est longue.", "rope=corde is=est long=longue"),
        ("It is used here.", "Elle est utilisé ici.", "It=Elle is=est used=utilisé here=ici"),
    ]
    assert item_of("en-fr", rows) == ILL_AGREED
    rows[1] = (rows[1][0], "Elle est utilisée ici.", "It=Elle is=est used=utilisée here=ici")
    assert isinstance(item_of("en-fr", rows), Item)


@pytest.mark.parametrize(
    ("word", "pronoun"),
    [("selecciónelos", "los"), ("ábrala", "la"), ("cámbialo", "lo"), ("enviárselos", "los"), ("comprarla", "la")]
    + [(word, None) for word in ("óvalo", "escándalos", "película", "regla")],
)
def test_spanish_words_that_end_in_a_pronoun(word: str, pronoun: str | None) -> None:
    form = target_side(load_recipe("en-es")).form(word, spans(word), 0)
    assert (None if form is None else word[form.start :]) == pronoun


@pytest.mark.parametrize(
    ("pair", "text"), [("en-es", "No hay límites entre ellas."), ("en-it", "Non ci sono limiti tra di esse.")]
)
def test_among_them_is_blocked(pair: str, text: str) -> None:
    assert any(pattern.search(text) for pattern in load_recipe(pair).blocked[1])


M, F, NOT_KNOWN = frozenset("m"), frozenset("f"), frozenset[str]()


def test_accents_are_composed(tmp_path: Path) -> None:
    text = "La máscara está aquí."
    (tmp_path / "d.en").write_text("The mask is here.\n", "utf-8")
    (tmp_path / "d.es").write_text(unicodedata.normalize("NFD", text) + "\n", "utf-8")
    [document] = composed_documents(tmp_path, "en", "es")
    assert document.target == (text,)


@pytest.mark.parametrize(
    ("source", "target", "links", "needed"),
    [
        ("It was seen here.", "Elle fut vue ici.", "It=Elle was=fut seen=vue here=ici", True),
    ],
)
def test_context_is_not_needed_where_the_noun_is_said_again(
    source: str, target: str, links: str, needed: bool
) -> None:
    rows = [("The boat is new.", "La barque est neuve.", "boat=barque is=est new=neuve")]
    item = item_of("en-fr", [*rows, (source, target, links)])
    assert isinstance(item, Item)
    assert item.tags["distance"] == 1
    assert item.tags["needs_context"] is needed


@pytest.mark.parametrize(("word", "genders"), [("arma", "f"), ("libro", "m"), ("autoclave", "mf")])
def test_nouns_that_their_article_does_not_tell(word: str, genders: str) -> None:
    text = f"El {word} es viejo."
    noun = target_side(load_recipe("en-es")).noun(text, spans(text), 1, "s")
    assert noun is not None
    assert noun.genders == frozenset(genders)


def test_a_french_subject_behind_its_verb_is_found() -> None:
    rows = [
        ("The doors are new.", "Les portes sont neuves.", "doors=portes are=sont new=neuves"),
        ("Why must they close?", "Pourquoi doivent-elles fermer ?", "Why=Pourquoi they=doivent-elles close=fermer"),
    ]
    item = item_of("en-fr", rows, "they")
    assert isinstance(item, Item)
    assert (item.tags["ref_pronoun"], item.tags["ref_pronoun_offset"]) == ("elles", 17)
    assert item.tags["ref_ante_head"] == "portes" and item.tags["ref_ante_head_offset"] == 4
    assert item.variants[1].text == "Pourquoi doivent-ils fermer ?"
    french = target_side(load_recipe("en-fr"))
    assert french.use("Y a-t-il du pain ?", 6, is_subject=True) == "absent"
