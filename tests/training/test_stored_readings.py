"""Verdicts with their texts: every file is whole, every text has a source and a licence."""

from __future__ import annotations

from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "training" / "readings"
FILES = sorted(FOLDER.glob("*.tsv"))
COLUMNS = ["text", "type", "verdict", "reason", "reading", "source", "sentence", "foil"]


def rows(path: Path) -> list[dict[str, str]]:
    head, *lines = path.read_text("utf-8").splitlines()
    assert head.split("\t") == COLUMNS
    cells = [line.split("\t") for line in lines]
    assert all(len(row) == len(COLUMNS) for row in cells)
    return [dict(zip(COLUMNS, row, strict=True)) for row in cells]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_verdict_has_a_sentence_and_another_foil(path: Path) -> None:
    found = rows(path)
    assert {row["verdict"] for row in found} <= {"yes", "doubtful", "no"}
    assert all(row["sentence"].strip() and row["foil"].strip() for row in found)
    assert [row["foil"] for row in found if row["foil"] == row["sentence"]] == []
    assert path.stat().st_size < 3_000_000


def test_the_page_names_source_and_licence_of_each_text_and_counts_its_verdicts() -> None:
    page = (FOLDER / "README.md").read_text("utf-8").partition("| text | package")[2].splitlines()[2:]
    named = {cells[1].strip(): cells for cells in (line.split("|") for line in page if line.startswith("|"))}
    counted: dict[str, dict[str, int]] = {}
    for path in FILES:
        for row in rows(path):
            by = counted.setdefault(row["text"], {})
            language = path.stem.partition("-")[0]
            by[language] = by.get(language, 0) + 1
    assert named.keys() == counted.keys()
    for text, cells in named.items():
        assert cells[2].strip() and cells[4].strip()
        assert cells[5].strip() == ", ".join(f"{k} {n}" for k, n in sorted(counted[text].items()))
