"""Foils on what a system wrote."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import kontrast
from kontrast.cli import kontrast as cli
from kontrast.errors import InputError, KontrastError

SOURCE = (
    "The woman does not buy the old house.",
    "He has seen 40 houses in the city.",
    "The children do not play in the garden.",
    "The man is not tired today.",
    "They do not read the new book.",
)
REFERENCE = (
    "Die Frau kauft das alte Haus nicht.",
    "Er hat 40 Häuser in der Stadt gesehen.",
    "Die Kinder spielen nicht im Garten.",
    "Der Mann ist heute nicht müde.",
    "Sie lesen das neue Buch nicht.",
)
OWN = (
    "Die Frau kauft das alte Haus nicht.",
    "Er hat 14 Häuser in der Stadt gesehen.",
    "Die Kinder spielten nicht im Garten.",
    "Ganz anders klingt dieser Satz.",
    "",
)


def _files(folder: Path, **texts: tuple[str, ...]) -> dict[str, Path]:
    places = {name: folder / f"{name}.txt" for name in texts}
    for name, lines in texts.items():
        places[name].write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return places


def test_only_lines_that_nothing_speaks_against_are_built_on(tmp_path: Path) -> None:
    files = _files(tmp_path, source=SOURCE, reference=REFERENCE, own=OWN)
    out = tmp_path / "own.jsonl"
    built = kontrast.write_errors(out, files["source"], files["reference"], "en-de", "all", translations=files["own"])
    suite = kontrast.load(out)
    assert {item.best.text for item in suite} == {OWN[0]}
    assert {item.tags["origin"] for item in suite} == {"reference.1"}
    assert {item.tags["text"] for item in suite} == {"own"}
    assert built.left_out["the numbers differ from those of the reference"] == 1
    assert built.left_out["it contains an error of the suite"] == 1
    assert built.left_out["far from the reference"] == 1
    assert built.left_out["empty"] == 1
    assert not list(tmp_path.glob("own.jsonl.*"))


def test_the_command_takes_translations_and_tells_what_it_left_out(tmp_path: Path) -> None:
    files = _files(tmp_path, source=SOURCE, reference=REFERENCE, own=OWN)
    call = ["build", "errors", str(files["source"]), str(files["reference"]), "--out", str(tmp_path / "o.jsonl")]
    result = CliRunner().invoke(cli, [*call, "--on", str(files["own"])], catch_exceptions=False)
    assert result.exit_code == 0 and "far from the reference" in result.output


def test_bad_translations_are_refused(tmp_path: Path) -> None:
    files = _files(tmp_path, source=SOURCE, reference=REFERENCE, own=OWN[:3], bad=("",) * 5)
    out = tmp_path / "own.jsonl"
    with pytest.raises(InputError, match="has 3 lines"):
        kontrast.write_errors(out, files["source"], files["reference"], translations=files["own"])
    with pytest.raises(InputError, match="has no usable line"):
        kontrast.write_errors(out, files["source"], files["reference"], translations=files["bad"])
    with pytest.raises(KontrastError, match="needs SOURCE and REFERENCE"):
        kontrast.write_errors(out, files["source"], None, translations=files["own"])
    assert not out.exists()


def test_pronouns_on_the_references_themselves_are_those_of_the_references(tmp_path: Path) -> None:
    corpus = kontrast.bundled_corpus()
    human = kontrast.build_pronouns("en-de", corpus)
    out = tmp_path / "own.jsonl"
    built = kontrast.write_pronouns(out, "en-de", corpus, translations=corpus)
    own = kontrast.load(out)
    texts = {item.best.text for item in human}
    assert 0 < built.items == len(own) <= len(human)
    assert {item.best.text for item in own} <= texts
