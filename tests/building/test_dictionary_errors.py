"""Errors that a dictionary tells: another sense of the source word, a word left untranslated."""

from __future__ import annotations

from pathlib import Path

import pytest

import kontrast
from kontrast.errors import InputError, KontrastError
from kontrast.language.bilingual_words import BilingualWords, read_bilingual_words

TABLE = """letter\tBrief; Schreiben
letter\tBuchstabe
mail\tBrief
character\tBuchstabe
bank\tBank; Geldhaus
bank\tUfer
shore\tUfer
capital\tHauptstadt
capital\tKapital
fund\tKapital
"""


def _files(folder: Path, source: str, target: str, table: str = TABLE) -> tuple[Path, Path, Path]:
    paths = folder / "text.en", folder / "text.de", folder / "words.tab"
    for path, text in zip(paths, (source, target, table), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def _made(folder: Path, source: str, target: str, types: str) -> list[str]:
    one, other, table = _files(folder, f"{source}\n", f"{target}\n")
    suite = kontrast.build_errors(one, other, "en-de", types, every=True, dictionary=str(table))
    return [variant.text for item in suite.items for variant in item.variants[1:]]


def test_another_sense_in_the_same_form(tmp_path: Path) -> None:
    found = _made(tmp_path, "She wrote a long letter.", "Sie schrieb einen langen Brief.", "sense")
    assert found == ["Sie schrieb einen langen Buchstaben."]


def test_determiner_takes_the_new_gender(tmp_path: Path) -> None:
    assert _made(tmp_path, "He saw the capital.", "Er sah die Hauptstadt.", "sense") == ["Er sah das Kapital."]


def test_synonym_is_no_sense(tmp_path: Path) -> None:
    words = read_bilingual_words((str(_files(tmp_path, "", "")[2]),), "en", "de")
    assert words.senses("letter", "Brief") == ["Buchstabe"]
    assert words.senses("bank", "Geldhaus") == ["Ufer"]


THESAURUS = """UTF-8
brief|1
-|Brief|Epistel|Zuschrift|Geschriebenes (Oberbegriff)
buchstabe|1
-|Buchstabe|Letter
"""


def test_thesaurus_links_synonyms_and_parts_senses(tmp_path: Path) -> None:
    table, other = str(_files(tmp_path, "", "")[2]), tmp_path / "th_de.dat"
    other.write_text(THESAURUS, encoding="utf-8")
    words = read_bilingual_words((table, str(other)), "en", "de")
    assert words.means("Epistel", ["letter", "bank"]) == "letter"
    assert read_bilingual_words((table,), "en", "de").means("Epistel", ["letter"]) is None
    assert words.senses("letter", "Brief") == ["Buchstabe"]
    other.write_text(THESAURUS + "-|Brief|Buchstabe\n", encoding="utf-8")
    read_bilingual_words.cache_clear()
    assert read_bilingual_words((table, str(other)), "en", "de").senses("letter", "Brief") == []


def test_untranslated(tmp_path: Path) -> None:
    assert _made(tmp_path, "He saw the shore.", "Er sah das Ufer.", "untranslated") == ["Er sah das shore."]


def test_learnt_from_a_corpus(tmp_path: Path) -> None:
    pairs = [("the dog sleeps", "der Hund schläft"), ("the cat sleeps", "die Katze schläft"), ("a dog", "ein Hund")]
    one, other, _ = _files(
        tmp_path, "".join(f"{a}\n" for a, _ in pairs * 30), "".join(f"{b}\n" for _, b in pairs * 30)
    )
    kontrast.build_alignment(one, other, tmp_path / "alignment")
    words = read_bilingual_words((str(tmp_path / "alignment"),), "en", "de")
    assert words.means("Hund", ["dog", "cat"]) == "dog"


def test_without_dictionary_it_says_so(tmp_path: Path) -> None:
    one, other, _ = _files(tmp_path, "He saw the bank.\n", "Er sah die Bank.\n")
    with pytest.raises(KontrastError, match="needs a dictionary"):
        kontrast.build_errors(one, other, "en-de", "sense")


@pytest.mark.parametrize("table", ["bank Ufer\n", "# nothing\n"])
def test_bad_tables(tmp_path: Path, table: str) -> None:
    one, other, path = _files(tmp_path, "He saw the bank.\n", "Er sah die Bank.\n", table)
    with pytest.raises(InputError):
        kontrast.build_errors(one, other, "en-de", "sense", dictionary=str(path))


NUMBERS = "house\tHaus\ngarden\tGarten\nnew\tneu\n"


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("He lives in a new house.", "Er wohnt in einem neuen Haus.", ["Er wohnt in neuen Häusern."]),
        ("He sees this garden.", "Er sieht diesen Garten.", ["Er sieht diese Gärten."]),
        ("He drives through the gardens.", "Er fährt durch die Gärten.", ["Er fährt durch den Garten."]),
        ("He lives in the house.", "Er wohnt in dem Haus.", []),  # the source counts nothing
        ("He lives in houses.", "Er wohnt in einem Haus.", []),  # the reference has another number
        ("This garden is new.", "Dieser Garten ist neu.", []),  # a subject
        ("He sees this garden, which is new.", "Er sieht diesen Garten, der neu ist.", []),
    ],
)
def test_noun_in_the_other_number(tmp_path: Path, source: str, target: str, expected: list[str]) -> None:
    one, other, table = _files(tmp_path, f"{source}\n", f"{target}\n", NUMBERS)
    if not expected:
        with pytest.raises(InputError, match="no error"):
            kontrast.build_errors(one, other, "en-de", "noun_number", dictionary=str(table))
        return
    suite = kontrast.build_errors(one, other, "en-de", "noun_number", dictionary=str(table))
    assert [variant.text for item in suite.items for variant in item.variants[1:]] == expected


def test_learnt_pairs_are_no_senses_without_a_thesaurus() -> None:
    words = BilingualWords()
    for source, target in (
        ("letter", "Brief"),
        ("letter", "Buchstabe"),
        ("mail", "Brief"),
        ("character", "Buchstabe"),
    ):
        words.add([[source]], [[target]])
    assert words.senses("letter", "Brief") == ["Buchstabe"]
    words.learnt.add(("letter", "Buchstabe"))
    assert words.senses("letter", "Brief") == []
    words.add_synonyms({"Brief", "Schreiben"})
    words.add_synonyms({"Buchstabe", "Zeichen"})
    assert words.senses("letter", "Brief") == ["Buchstabe"]


def test_word_that_stands_twice_on_both_sides(tmp_path: Path) -> None:
    found = _made(tmp_path, "A letter is a letter.", "Ein Brief ist ein Brief.", "untranslated")
    assert found == ["Ein letter ist ein Brief.", "Ein Brief ist ein letter."]
    assert _made(tmp_path, "A letter is a letter. Capital!", "Ein Brief ist lang. Kapital!", "untranslated") == [
        "Ein Brief ist lang. Capital!"
    ]
