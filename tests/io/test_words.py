"""One tokeniser: what each language does to apostrophes, and the forms that suites look for."""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontrast import Item, Suite, Variant, check, load
from kontrast.io.words import position, spans, words


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("fr", "« T’as » ‘tu’ l'ami", ["t'", "as", "tu", "l'", "ami"]),
        ("fr", "Qu'a-t-il dit d'aujourd'hui à quelqu'un ?", "qu' a t il dit d' aujourd'hui à quelqu'un".split()),
        ("fr", "Donne-le-lui, peut-être", ["donne", "le", "lui", "peut-être"]),
        ("fr", "je t' aime", ["je", "t'", "aime"]),
        ("fr", "Il vient\u202f! Lui\xa0?", ["il", "vient", "lui"]),
        ("it", "Dov'e' andato? 'e' Si', c'era un'amica", "dov' è andato e sì c' era un' amica".split()),
        ("en", "It's what I can't say, isn't it?", "it 's what i can not say is not it".split()),
        ("en", "They'll won't O’Neill ma'am James'", "they will will not o'neill ma'am james".split()),
        ("de", "Nein, hab' ich nicht, hast du's, D'Artagnan?", "nein hab ich nicht hast du 's d'artagnan".split()),
        ("de", "Maße sind keine Masse", ["maße", "sind", "keine", "masse"]),
        ("pt", "Vê-lo bebe d'água", ["vê", "lo", "bebe", "d'", "água"]),
        ("ro", "s-a dus într-o", ["s", "a", "dus", "într", "o"]),
        ("ru", "Её за́мок, кто-то", ["ее", "замок", "кто", "то"]),
        ("uk", "п’ять", ["п'ять"]),
        ("tr", "IŞIK İstanbul'da", ["ışık", "istanbul", "'da"]),
        ("he", "\u200fשָׁלוֹם עולם", ["שלום", "עולם"]),
        ("ar", "مُحَمَّد، هو", ["محمد", "هو"]),
        ("hi", "हिन्दी में", ["हिन्दी", "में"]),
        ("ja", "彼女は", ["彼", "女", "は"]),
        (None, "l'ami it's co\u00adop", ["l", "ami", "it", "s", "coop"]),
    ],
)
def test_words(language: str | None, text: str, expected: list[str]) -> None:
    assert words(text, language) == expected


@given(st.text(), st.sampled_from([None, "de", "en", "fr", "it", "ru", "tr", "uk", "ja", "th"]))
def test_places_are_in_order_and_normal_forms_agree(text: str, language: str | None) -> None:
    found = spans(text, language, signs=True)
    assert all(w.text and 0 <= w.start < w.end <= len(text) for w in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
    composed = unicodedata.normalize("NFC", text)
    if unicodedata.normalize("NFD", composed) == unicodedata.normalize("NFD", text):
        assert words(text, language) == words(composed, language)


def test_a_run_of_words() -> None:
    assert position(["a", "b"], ["x", "a", "b"]) == 1
    assert position(["a", "b"], ["a", "x", "b"]) is None
    assert position([], []) is None


@pytest.mark.parametrize(
    ("language", "expected", "reference"),
    [
        ("fr", "t'", "Je t’aime."),
        ("fr", "as", "- T'as pas..."),
        ("fr", "es", "Tu l'es."),
        ("fr", "Refais", "Refais-le."),
        ("it", "era", "Si', c'era."),
        ("it", "ha", "Sì, ce l'ha."),
        ("en", "it", "It's over."),
        ("en", "it", "it'll do"),
        ("de", "hab", "Nein, hab' ich nicht."),
        ("de", "du", "Willst du's wissen?"),
    ],
)
def test_expected_forms_lean_on_their_neighbours(language: str, expected: str, reference: str) -> None:
    item = Item("1", "x", (Variant(reference),), tags={"expected": expected})
    suite = Suite("s", (item,), "xx", language)
    assert check(suite, [reference], align="whole").right == 1
    assert check(suite, ["zzz"], align="whole").right == 0


@pytest.mark.parametrize("name", ["auxiliary", "mini.formality"])
def test_ctxpro_references_have_their_forms(name: str, data: Path) -> None:
    suite = load(data / "ctxpro" / f"{name}.opensubtitles.en-de.test.json")
    assert check(suite, [item.best.text for item in suite.items], align="whole").accuracy == 1


def test_a_letter_with_two_codes_is_one_word() -> None:
    assert words("\U0002f800") == words("\u4e3d") == ["\u4e3d"]
