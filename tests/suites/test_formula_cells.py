"""Cells that a spreadsheet would run: convert says how many there are, and --safe makes them text."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

import kontrast
from kontrast.cli import kontrast as cli


def test_convert_tells_of_formulas_and_makes_them_safe(tmp_path: Path) -> None:
    pair = kontrast.Variant("=1+1"), kontrast.Variant("@SUM(A1)", error="x")
    suite = kontrast.Suite("s", (kontrast.Item("1", "-2+3", pair, tags={"n": "-3"}),), "en", "de")
    kontrast.save(suite, tmp_path / "s.jsonl")
    line = ["convert", str(tmp_path / "s.jsonl"), str(tmp_path / "s.csv")]
    told = CliRunner().invoke(cli, line)
    assert told.exit_code == 0 and "3 cells of" in told.stderr and "--safe" in told.stderr
    assert "=1+1" in (tmp_path / "s.csv").read_text().replace("'=", "")
    assert "got an apostrophe" in CliRunner().invoke(cli, [*line, "--safe"]).stderr
    text = (tmp_path / "s.csv").read_text()
    assert "'=1+1" in text and "'@SUM(A1)" in text and "'-2+3" in text and "'-3" not in text
