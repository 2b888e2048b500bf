"""`build errors`: a LingEval97-style suite from newstest2021, linted and evaluated."""

from __future__ import annotations

from pathlib import Path
from unicodedata import normalize

import pytest
from click.testing import CliRunner

import kontrast
from kontrast.building.errors.de import LINGEVAL97
from kontrast.cli import kontrast as cli
from kontrast.defaults import ERROR_CONFIDENCE
from kontrast.errors import KontrastError
from kontrast.suites.formats import load, save

SENTENCES = {
    "Die Prager Börse stürzt ins Minus.": "The Prague stock market plunges.",
    "Es regnet.": "It rains.",
    "Er hat kein Haus gekauft.": "He has not bought a house.",
}


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    source, reference = tmp_path / "test.en", tmp_path / "news.de"
    source.write_text("\n".join(SENTENCES.values()) + "\n", encoding="utf-8")
    reference.write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    return source, reference


def test_origin_counts_from_one_and_sentences_without_errors_are_left_out(pair: tuple[Path, Path]) -> None:
    suite = kontrast.build_errors(*pair, types=["np_agreement", "polarity_particle_kein_del"])
    assert [item.tags["origin"] for item in suite.items] == ["news.1", "news.3"]
    tags = dict(suite.items[0].variants[1].tags)
    assert 0.6 <= float(str(tags.pop("confidence"))) <= 1
    assert tags.pop("reasons", "") is not None
    assert tags == {"distance": 2}
    assert (suite.unit, suite.style, suite.target_language) == ("pair", "lingeval97", "de")


def test_both_formats_hold_the_same(pair: tuple[Path, Path], tmp_path: Path) -> None:
    suite = kontrast.build_errors(*pair, every=True)
    save(suite, tmp_path / "a.json", "lingeval97")
    save(suite, tmp_path / "a.jsonl", "native")
    assert load(tmp_path / "a.jsonl").items == suite.items
    assert load(tmp_path / "a.json").items == suite.items


def test_every_candidate_has_its_confidence_and_only_sure_ones_are_chosen(tmp_path: Path) -> None:
    source, reference = tmp_path / "a.en", tmp_path / "a.de"
    source.write_text("I will not come any more.\nI will not come.\n", encoding="utf-8")
    reference.write_text("Ich werde nicht mehr kommen.\nIch werde nicht kommen.\n", encoding="utf-8")
    types = ["polarity_particle_nicht_del"]
    every = kontrast.build_errors(source, reference, types=types, every=True)
    foils = [item.variants[1:] for item in every.items]
    sure = [[float(str(foil.tags["confidence"])) >= ERROR_CONFIDENCE for foil in row] for row in foils]
    assert [sorted(row) for row in sure] == [[False, True], [True]]
    chosen = kontrast.build_errors(source, reference, types=types)
    assert [item.variants[1].text for item in chosen.items] == ["Ich werde kommen.", "Ich werde kommen."]


def test_unequal_files_and_swapped_languages_are_refused(pair: tuple[Path, Path], tmp_path: Path) -> None:
    longer = tmp_path / "longer.en"
    longer.write_text("a\nb\nc\nd\n", encoding="utf-8")
    with pytest.raises(KontrastError, match="line 4: ends before this line"):
        kontrast.build_errors(longer, pair[1])
    english = tmp_path / "english"
    english.write_text("This is an English sentence of many words that goes on and on.\n" * 9, encoding="utf-8")
    with pytest.raises(KontrastError, match="does not look like 'de'"):
        kontrast.build_errors(english, english)
    german, french = tmp_path / "german", tmp_path / "french"
    german.write_text("Das ist ein Satz mit vielen Wörtern, der nicht so kurz ist.\n" * 9, encoding="utf-8")
    french.write_text("Ce n'est pas une phrase avec des mots qui sont dans le livre.\n" * 9, encoding="utf-8")
    with pytest.raises(KontrastError, match="french: looks like 'fr', not 'en': check --pair en-de"):
        kontrast.build_errors(french, german)
    with pytest.raises(KontrastError, match="german: looks like 'de', not 'en'"):
        kontrast.build_errors(german, german)
    with pytest.raises(KontrastError, match="expected two languages as in en-de"):
        kontrast.build_errors(*pair, pair="de")


def test_lines_that_gave_nothing_are_said(pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    source, reference = pair
    long = "Das ist kein Problem. " * 600
    reference.write_text(f"Das ist kein Problem.\nDAS IST KEIN PROBLEM.\n{long}\n", encoding="utf-8")
    assert len(kontrast.build_errors(source, reference).items) == 1
    assert (
        "2 lines gave no candidate: they are all in capitals, in another language, or longer than 10,000 characters"
        in capsys.readouterr().err
    )
    reference.write_text("DAS IST KEIN PROBLEM.\n" * 3, encoding="utf-8")
    with pytest.raises(KontrastError, match="3 lines gave no candidate: they are all in capitals"):
        kontrast.build_errors(source, reference)
    source.write_text("", encoding="utf-8")
    reference.write_text("", encoding="utf-8")
    with pytest.raises(KontrastError, match="it has no lines"):
        kontrast.build_errors(source, reference)


def test_all_types_by_one_name(pair: tuple[Path, Path]) -> None:
    suite = kontrast.build_errors(*pair, types=["all"])
    assert {"np_agreement", "subj_verb_agreement"} <= {v.error for item in suite.items for v in item.variants[1:]}


def test_compounds_are_made_only_where_they_are_named(tmp_path: Path) -> None:
    source, reference = tmp_path / "a.en", tmp_path / "a.de"
    source.write_text("The report on the financial market is not there.\n", encoding="utf-8")
    reference.write_text("Der Finanzmarktbericht liegt nicht vor.\n", encoding="utf-8")
    made = {
        types: {v.error for item in suite.items for v in item.variants[1:]}
        for types in (None, "all", "compound")
        for suite in [kontrast.build_errors(source, reference, types=[types] if types else None)]
    }
    assert made["compound"] == {"compound"}
    assert all("compound" not in made[types] and "np_agreement" in made[types] for types in (None, "all"))


def test_newstest2021_gives_all_but_compound_and_lints_clean(data: Path) -> None:
    from kontrast.suites.lint import lint

    folder = data / "pro-mistranslations-en-de"
    suite = kontrast.build_errors(
        folder / "sources" / "newstest2021.en-de.src.en",
        folder / "references" / "newstest2021.en-de.ref.ref-A.de",
        mix="all",
    )
    assert {v.error for item in suite.items for v in item.variants[1:]} == set(LINGEVAL97) - {"compound"}
    assert len(suite.items) > 900
    assert not [finding for finding in lint(suite) if finding.level in ("error", "warning")]


def test_french_has_all_its_errors_by_default(tmp_path: Path) -> None:
    source, reference = tmp_path / "a.en", tmp_path / "a.fr"
    source.write_text("The house was not sold in 1998.\nThey have found the big red book.\n", encoding="utf-8")
    reference.write_text(
        "La maison n'a pas été vendue en 1998.\nIls ont trouvé le grand livre rouge.\n", encoding="utf-8"
    )
    given = [kontrast.build_errors(source, reference, "en-fr", types=types) for types in (None, ["all"])]
    assert {"negation", "participle_agreement"} <= {v.error for item in given[0].items for v in item.variants[1:]}
    assert given[0].items == given[1].items


def test_accents_are_composed_and_that_is_told(
    pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    types = ["np_agreement", "polarity_particle_kein_del"]
    expected = kontrast.build_errors(*pair, types=types)
    assert "composed" not in capsys.readouterr().err
    apart = tmp_path / "apart" / "news.de"
    apart.parent.mkdir()
    apart.write_text(normalize("NFD", pair[1].read_text(encoding="utf-8")), encoding="utf-8")
    assert kontrast.build_errors(pair[0], apart, types=types).items == expected.items
    assert "1 lines had accents as separate characters; they are composed (NFC)" in capsys.readouterr().err


def test_no_error_leaves_no_work_behind(tmp_path: Path) -> None:
    source, reference = tmp_path / "a.en", tmp_path / "a.de"
    source.write_text("It rains.\n", encoding="utf-8")
    reference.write_text("Es regnet.\n", encoding="utf-8")
    options = ["--pair", "en-de", "--types", "np_agreement", "--out", str(tmp_path / "x.jsonl")]
    result = CliRunner().invoke(cli, ["build", "errors", str(source), str(reference), *options])
    assert result.exit_code
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.de", "a.en"]


def test_the_references_are_not_written_over(pair: tuple[Path, Path]) -> None:
    source, reference = pair
    before = reference.read_bytes()
    with pytest.raises(KontrastError, match="is one of the files that are read"):
        kontrast.write_errors(reference, source, reference)
    assert reference.read_bytes() == before
