"""``--items FILE`` of evaluate and compare: a line per decision with every system's verdict, margin and scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import kontrast
from kontrast.cli import kontrast as commands

from .making import suite_of


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_lines_add_up_to_the_evaluation(tmp_path: Path) -> None:
    suite = suite_of([2, 3, 2, 4], [0, 1, 1, 2])
    scores = kontrast.Scores("m", (1.0, 2.0, 3.0, 1.0, 3.0, 2.0, 2.0, 4.0, 4.0, 4.0, 5.0))
    for unit in ("item", "pair"):
        result = kontrast.evaluate(suite, scores, unit=unit, items=tmp_path / unit)
        lines = _lines(tmp_path / unit)
        assert len(lines) == result.items
        assert sum(line["systems"]["m"]["credit"] for line in lines) == pytest.approx(result.accuracy * result.items)
        verdicts = [line["systems"]["m"]["verdict"] for line in lines]
        counted = [verdicts.count(verdict) for verdict in ("right", "wrong", "tie")]
        assert counted == [result.right, result.wrong, result.ties]
    second = _lines(tmp_path / "item")[1]
    assert second["right"] == suite.items[1].best.text and len(second["wrong"]) == 2
    assert second["systems"]["m"]["scores"] == [1.0, 3.0, 3.0] and second["systems"]["m"]["margin"] == 2.0


def test_direction_and_ties_are_those_of_the_evaluation(tmp_path: Path) -> None:
    suite = suite_of([2, 2])
    higher = kontrast.Scores("m", (2.0, 1.0, 1.0, 1.05), lower_is_better=False)
    kontrast.evaluate(suite, higher, epsilon=0.1, ties="wrong", items=tmp_path / "lines")
    first, second = (line["systems"]["m"] for line in _lines(tmp_path / "lines"))
    assert (first["verdict"], first["margin"], first["scores"]) == ("right", 1.0, [2.0, 1.0])
    assert (second["verdict"], second["credit"]) == ("tie", 0.0)


def test_scores_beside_what_was_written(tmp_path: Path) -> None:
    variants = kontrast.Variant("Er schläft ."), kontrast.Variant("Sie schläft .", error="pronoun")
    suite = kontrast.Suite("s", tuple(kontrast.Item(str(i), "It sleeps .", variants) for i in range(2)))
    kontrast.check(suite, ["Er schläft.", "Sie schläft."], system="wrote", items=tmp_path / "wrote.verdicts")
    scored = kontrast.Scores("scored", (1.0, 2.0, 1.0, 2.0))
    kontrast.compare(suite, scored, tmp_path / "wrote.verdicts", items=tmp_path / "lines")
    lines = _lines(tmp_path / "lines")
    assert [line["systems"]["wrote"]["verdict"] for line in lines] == ["right", "wrong"]
    assert lines[1]["systems"]["wrote"]["wrote"] == "Sie schläft." and "scores" not in lines[1]["systems"]["wrote"]
    assert [line["systems"]["scored"]["verdict"] for line in lines] == ["right", "right"]


def test_runs_stand_one_by_one_on_the_command_line(tmp_path: Path) -> None:
    suite = kontrast.load("demo:fr?limit=4")
    paths = []
    for seed in range(2):
        paths.append(str(tmp_path / f"s{seed}.scores"))
        values = (float((row + seed) % 3) for row in range(suite.row_count))
        Path(paths[-1]).write_text("".join(f"{value}\n" for value in values))
    arguments = ["evaluate", "demo:fr?limit=4", f"base={','.join(paths)}", "--items", str(tmp_path / "lines")]
    result = CliRunner().invoke(commands, arguments)
    assert result.exit_code == 0, result.output
    assert {tuple(line["systems"]) for line in _lines(tmp_path / "lines")} == {("base/s0", "base/s1")}
    refused = CliRunner().invoke(commands, [*arguments, "--style", "original"])
    assert isinstance(refused.exception, kontrast.KontrastError) and "--items" in str(refused.exception)
