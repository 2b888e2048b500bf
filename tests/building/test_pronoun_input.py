"""Pronoun suites from bad input: documents, recipes, options."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("spacy")
pytest.importorskip("systran_align")

import kontrast
from kontrast.building.pronouns import load_recipe
from kontrast.cli import main
from kontrast.errors import KontrastError

CORPUS = Path(str(kontrast.bundled_corpus()))


def test_no_input_is_written_over(tmp_path: Path) -> None:
    for code in ("en", "de"):
        (tmp_path / f"lamp.{code}").write_bytes((CORPUS / "2021" / f"2021_01_lamp.{code}").read_bytes())
    before = (tmp_path / "lamp.de").read_bytes()
    with pytest.raises(KontrastError, match="is one of the files that are read"):
        kontrast.write_pronouns(tmp_path / "lamp.de", pair="en-de", documents=tmp_path)
    assert (tmp_path / "lamp.de").read_bytes() == before


def test_a_document_stands_once(tmp_path: Path) -> None:
    """Items name their document; with two of that name their context would be either's."""
    for year in ("2021", "2022"):
        (tmp_path / year).mkdir()
        for code in ("en", "de"):
            (tmp_path / year / f"2021_01_lamp.{code}").write_bytes(
                (CORPUS / "2021" / f"2021_01_lamp.{code}").read_bytes()
            )
    with pytest.raises(KontrastError, match="expected each document once, found 2021_01_lamp again"):
        kontrast.build_pronouns("en-de", tmp_path)


def test_wrong_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.toml").write_text("pair = 3")
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "x.en").write_text("It is.\nIt was.\n")
    (tmp_path / "d" / "x.de").write_text("Es ist.\n")
    for arguments, expected in (
        (["--pair", "en-xx", "--documents", "d"], "there is no recipe"),
        (["--pair", str(tmp_path / "bad.toml"), "--documents", "d"], "in [pair]: expected text, got"),
        (["--pair", "en-de", "--documents", str(tmp_path / "no")], "expected a folder of documents"),
        (["--pair", "en-de", "--documents", str(tmp_path / "d")], "has 1 lines"),
        (["--pair", "en-fr", "--documents", str(tmp_path / "d")], "has no document"),
    ):
        with pytest.raises(SystemExit) as stop:
            main(["build", "pronouns", *arguments, "--out", str(tmp_path / "out.json")])
        assert stop.value.code == 2
        assert expected in capsys.readouterr().err
    with pytest.raises(KontrastError):
        load_recipe("nothing")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('contrast = "table"', 'contrast = "guesses"', "invalid enum value 'guesses'"),
        ('contrast = "table"', 'contrast = "pronoun_gender"', "exists only for de and fr"),
        ("max_distance = 5", "max_distence = 5", "did you mean max_distance?"),
        ('lo = ["la"]', 'lo = ["lla"]', "'lla' in [swaps] is not one of [targets]"),
        ('gender = "m"', 'gender = "x"', "invalid enum value 'x'"),
        ("number = ", "numbr = ", "there is no key numbr"),
        ('pair = "en-es"', 'pair = "english"', "is not two language codes"),
        ('m = "Masc"', "", "gender 'm' of a target has no name in [genders]"),
    ],
)
def test_a_recipe_is_validated(old: str, new: str, expected: str, tmp_path: Path) -> None:
    text = (Path(kontrast.__file__).parent / "data" / "recipes" / "en-es.toml").read_text("utf-8")
    assert old in text
    path = tmp_path / "my.toml"
    path.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(KontrastError) as error:
        load_recipe(str(path))
    assert expected in str(error.value) and "my.toml" in str(error.value)


def test_documents_in_one_language_and_blank_lines_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(CORPUS, tmp_path / "documents")
    for name in ("alone.en", "lonely.de"):
        (tmp_path / "documents" / "2021" / name).write_text("It is here.\n")
    for code in ("en", "de"):
        path = tmp_path / "documents" / "2021" / f"2021_01_lamp.{code}"
        path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    kontrast.write_pronouns(tmp_path / "suite.json", pair="en-de", documents=tmp_path / "documents")
    told = capsys.readouterr().err
    assert "documents in only one language are left out: alone.en, lonely.de (2 in all)" in told
    assert "1 blank lines count as sentences" in told
    kontrast.write_pronouns(tmp_path / "suite.json", pair="en-de", documents=CORPUS)
    assert "only one language" not in capsys.readouterr().err
