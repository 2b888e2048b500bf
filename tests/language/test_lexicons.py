"""Lexicons: what one back end analyses it generates; real UniMorph lines; clear words where one is missing."""

from __future__ import annotations

import gzip
import importlib.util
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kontrast
from kontrast.errors import KontrastError
from kontrast.language.lexicon import Lexicon, inflect
from kontrast.language.lexicons import lexicon
from kontrast.language.lexicons.lefff import _paradigm
from kontrast.language.lexicons.store import LexiconTable
from kontrast.language.lexicons.unimorph import UniMorph, universal

UNIMORPH = """\
Hahn	Hahnes	N;GEN;SG
auswandern	wandert aus	V;IND;PRS;2;PL
Wahlgang	Wahlgang	N;DAT;SG
Ausrutscher	Ausrutschern	N;DAT;PL
Bildungsroman	Bildungsromane	N;GEN;PL
importieren	importierten	V;SBJV;PST;1;PL
Tscheche	Tschechen	N;GEN;SG
Mansarde	Mansarden	N;ACC;PL
stochern	stochernd	V.PTCP;PRS
feiern	feiere	V;SBJV;PRS;3;SG
Baumwollhandschuh	Baumwollhandschuhen	N;DAT;PL
Dienstagnachmittag	Dienstagnachmittage	N;ACC;PL
roden	rodeten	V;IND;PST;1;PL
fluchen	flucht	V;IND;PRS;3;SG
Befehl	Befehles	N;GEN;SG
Laubfrosch	Laubfrösche	N;GEN;PL
altern	altert	V;IMP;2;PL
empfangen	empfangt	V;IND;PRS;2;PL

Praktikant	Praktikanten	N;GEN;PL	Praktikant|en
"""
"""Lines of the German UniMorph file (from Wiktionary, CC BY-SA 3.0), as in the CoNLL–SIGMORPHON 2018 data."""


@pytest.fixture
def german_file(tmp_path: Path) -> Path:
    path = tmp_path / "deu.gz"
    path.write_bytes(gzip.compress(UNIMORPH.encode()))
    return path


@pytest.mark.parametrize(
    ("lemma", "features", "forms"),
    [
        ("Haus", {"Case": "Dat", "Number": "Plur"}, ["Häusern"]),
        ("Tag", {"Case": "Gen", "Number": "Sing"}, ["Tages", "Tags"]),
        ("Student", {"Case": "Acc", "Number": "Sing"}, ["Studenten"]),
        ("Finanzmarktkrise", {"Case": "Nom", "Number": "Plur"}, ["Finanzmarktkrisen"]),
        ("U-Bahn-Station", {"Case": "Dat", "Number": "Plur"}, ["U-Bahn-Stationen"]),
        ("Warten", {"Case": "Gen"}, ["Wartens"]),
        ("Beamter", {"Case": "Dat", "Number": "Sing", "Declension": "Strong"}, ["Beamtem"]),
        ("dunkel", {"Degree": "Cmp", "Case": "Nom", "Number": "Plur", "Declension": "Strong"}, ["dunklere"]),
        ("gut", {"Degree": "Sup", "Case": "Dat", "Number": "Plur", "Declension": "Weak"}, ["besten"]),
        ("kurz", {"Degree": "Sup", "Case": "Nom", "Number": "Plur", "Declension": "Strong"}, ["kürzeste"]),
        (
            "hoch",
            {"Degree": "Pos", "Gender": "Masc", "Case": "Nom", "Number": "Sing", "Declension": "Mixed"},
            ["hoher"],
        ),
        ("ankommen", {"Tense": "Past", "Mood": "Ind", "Person": "3", "Number": "Plur"}, ["ankamen"]),
        ("ankommen", {"VerbForm": "Inf", "PartType": "Inf"}, ["anzukommen"]),
        ("der", {"Case": "Dat", "Gender": "Masc", "Number": "Sing"}, ["dem"]),
        ("euer", {"Case": "Acc", "Number": "Plur"}, ["eure", "euere"]),
        ("er", {"Case": "Dat"}, ["ihm"]),
        ("nichtdaswort", {}, []),
    ],
)
def test_german_forms(lemma: str, features: dict[str, str], forms: list[str]) -> None:
    assert lexicon("de").generate(lemma, **features) == forms


def test_changed_forms_keep_their_other_features() -> None:
    assert inflect(lexicon("de"), "Hauses", Number="Plur") == ["Häuser"]
    assert inflect(lexicon("de"), "kleines", "ADJ", Gender="Fem", Declension="Strong", Case="Dat") == ["kleiner"]
    assert inflect(lexicon("fr"), "vient", "AUX", Number="Plur") == ["viennent"]
    assert inflect(lexicon("fr"), "heureux", Gender="Fem", Number="Plur") == ["heureuses"]


def _words(name: str) -> list[str]:
    folder = Path(kontrast.__file__).parent / "data" / "lexicons"
    return [word for word, _ in LexiconTable(folder / name).items()]


@pytest.mark.parametrize(("language", "table"), [("de", "de.nouns"), ("de", "de.verbs"), ("fr", "fr.lemmas")])
def test_every_form_that_is_generated_is_analysed(language: str, table: str) -> None:
    known = lexicon(language)
    words = _words(table)
    assert len(words) > 5_000
    lost = [
        (lemma, form)
        for lemma in words[:: len(words) // 300]
        for form in known.generate(lemma)
        if lemma not in {a.lemma for a in known.analyse(form)}
    ]
    assert len(lost) < 5


def test_french_verbs_have_every_person() -> None:
    forms = {(a.form, a.features.get("Person")) for a in _paradigm("finir") if a.features.get("Tense") == "Pres"}
    assert {("finis", "1"), ("finis", "2"), ("finit", "3"), ("finissent", "3"), ("finissant", None)} <= forms


def test_a_unimorph_file_is_analysed_and_generated(german_file: Path) -> None:
    german = lexicon("de", f"unimorph:{german_file}")
    assert german.generate("Ausrutscher", "NOUN", Case="Dat", Number="Plur") == ["Ausrutschern"]
    assert german.generate("auswandern", Person="2") == ["wandert aus"]
    (reading,) = german.analyse("stochernd")
    assert (reading.lemma, reading.pos, reading.features) == (
        "stochern",
        "VERB",
        {"VerbForm": "Part", "Tense": "Pres"},
    )
    assert german.analyse("Haus") == []


def test_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "spa"
    path.write_text("hablar\thabla\tV;IND;PRS;3;SG\n", encoding="utf-8")
    assert UniMorph("es", path).generate("hablar") == ["habla"]
    path.write_text("hablar\thabla\tV;IND;PRS;3;SG\nhablar\thablan\tV;IND;PRS;3;PL\n", encoding="utf-8")
    assert UniMorph("es", path).generate("hablar") == ["habla", "hablan"]
    path.write_text("\n", encoding="utf-8")
    with pytest.raises(KontrastError, match="spa: is empty: expected lemma, form and features"):
        UniMorph("es", path)


def test_our_tables_agree_with_unimorph(german_file: Path) -> None:
    """Both go back to Wiktionaries, but to different ones; a separated particle is joined here."""
    ours, theirs = lexicon("de"), lexicon("de", f"unimorph:{german_file}")
    rows = [line.split("\t") for line in UNIMORPH.splitlines() if line and "IMP" not in line]
    for lemma, form, features, *_ in rows:
        pos, wanted = universal(features)
        assert form in theirs.generate(lemma, pos, **wanted)
        joined = "".join(reversed(form.split(" ")))
        assert joined in ours.generate(lemma, pos, **wanted), (lemma, form, features)


_WORD = st.text(
    st.characters(codec="utf-8", exclude_characters="\t\n\r\x85", exclude_categories=("Z", "C")), min_size=1
)
_MARKS = st.lists(st.sampled_from("NOM ACC SG PL 1 3 PRS PST IND SBJV MASC FEM LGSPEC1 NOM/ACC".split()), unique=True)


@given(st.lists(st.tuples(_WORD, _WORD, st.sampled_from(("N", "V", "ADJ")), _MARKS), min_size=1))
def test_any_lines_come_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str, list[str]]]
) -> None:
    path = tmp_path_factory.mktemp("unimorph") / "x.tsv"
    path.write_text("".join(f"{a}\t{b}\t{';'.join([c, *d])}\n" for a, b, c, d in rows), encoding="utf-8")
    words = UniMorph("xx", path)
    for lemma, form, pos, marks in rows:
        kind, features = universal(";".join([pos, *marks]))
        assert form in words.generate(lemma, kind, **{k: v.split(",")[0] for k, v in features.items()})
        assert lemma in {a.lemma for a in words.analyse(form)}


@given(st.binary(max_size=200))
def test_any_bytes_are_a_lexicon_or_an_error(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("bytes") / "x.tsv"
    path.write_bytes(content)
    try:
        UniMorph("xx", path).analyse("a")
    except KontrastError as error:
        assert str(path) in str(error)


@pytest.mark.parametrize(
    ("language", "name", "message"),
    [
        ("es", None, "kontrast has no lexicon for 'es' .*UniMorph.*unimorph:FILE"),
        ("es", "tables", "'tables' is for 'de', not for 'es'"),
        ("de", "morphy", "there is no lexicon 'morphy'; choose from tables, dwdsmor, lefff, ud"),
        ("de", "unimorph", "needs its file: unimorph:FILE"),
        ("de", "unimorph:nowhere.gz", "nowhere.gz: there is no such file; expected a UniMorph file"),
    ],
)
def test_a_missing_lexicon_says_what_would_help(language: str, name: str | None, message: str) -> None:
    with pytest.raises(KontrastError, match=message):
        lexicon(language, name)


def test_a_line_that_is_no_entry_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("a\tb\tN;SG\nonly a sentence\n", encoding="utf-8")
    with pytest.raises(KontrastError, match=r"x.tsv, line 2: expected lemma, form and features"):
        UniMorph("xx", path)


@pytest.fixture
def dwdsmor() -> Lexicon:
    pytest.importorskip("dwdsmor", reason="GPL, and not for every Python: installed by hand")
    return lexicon("de", "dwdsmor")


def test_dwdsmor_analyses_and_generates(dwdsmor: Lexicon) -> None:
    assert [(a.lemma, a.pos) for a in dwdsmor.analyse("Häusern")] == [("Haus", "NOUN")]
    assert dwdsmor.generate("Haus", Case="Dat", Number="Plur") == ["Häusern"]
    assert dwdsmor.generate("ankommen", Mood="Ind", Tense="Past", Person="3", Number="Sing") == ["ankam"]
    assert dwdsmor.generate("Finanzkrise", "NOUN", Case="Nom", Number="Plur") == ["Finanzkrisen"]
    assert {a.features.get("Auxiliary") for a in dwdsmor.analyse("angekommen") if a.pos == "VERB"} == {"sein"}


@pytest.mark.skipif(importlib.util.find_spec("dwdsmor") is not None, reason="it is installed")
def test_without_dwdsmor_one_line_says_what_it_brings() -> None:
    with pytest.raises(KontrastError, match=r"pip install dwdsmor \(GPL-2.0, Python 3.12 or later\) adds"):
        lexicon("de", "dwdsmor")


@pytest.mark.parametrize("word", ["стали", "новые", "все", "берег", "ёлка", "елка", "шоу"])
def test_russian_readings_stand_as_pymorphy_orders_them(word: str) -> None:
    pymorphy3 = pytest.importorskip("pymorphy3")
    pytest.importorskip("pymorphy3_dicts_ru")
    from pymorphy3.units import DictionaryAnalyzer

    theirs = pymorphy3.MorphAnalyzer(lang="ru", units=[DictionaryAnalyzer()]).parse(word)
    ours = lexicon("ru", "pymorphy:ru")
    assert [a.lemma for a in ours.analyse(word)] == [parse.normal_form for parse in theirs]
    cases = {"nomn": "Nom", "gent": "Gen", "datv": "Dat", "accs": "Acc", "ablt": "Ins", "loct": "Loc"}
    shown = [a.features.get("Case") for a in ours.analyse(word)]
    assert shown == [cases.get(str(parse.tag.case)) for parse in theirs]
    for parse in theirs:
        if parse.tag.POS == "NOUN":
            lexeme = {other.word for other in parse.lexeme if {"plur", "datv"} <= other.tag.grammemes}
            assert lexeme <= set(ours.generate(parse.normal_form, "NOUN", Number="Plur", Case="Dat"))
