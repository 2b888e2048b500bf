"""Counts by tags, and the table that pronoun suites are known by."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kontrast
from kontrast import Item, Suite, Variant
from kontrast.cli import main
from kontrast.suites.description import count_by, describe


def test_pronoun_table(data: Path) -> None:
    suite = kontrast.load(data / "contrapro-en-de" / "contrapro.subset.json")
    (table,) = describe(suite).tables
    assert dict(table.cells) == {("er", 0): 303, ("er", 1): 986, ("sie", 0): 336, ("sie", 1): 975}


def test_pairs_are_counted_each() -> None:
    foils = (Variant("b", error="x", tags={"distance": 1}), Variant("c", error="y", tags={"distance": 12}))
    suite = Suite("pairs", (Item("1", "s", (Variant("a"), *foils)),), unit="pair")
    description = describe(suite, ["phenomenon", "distance"])
    assert (description.items, description.rows, description.decisions) == (1, 3, 2)
    assert description.tables[0].cells == ((("x", 1), 1), (("y", 12), 1))
    assert describe(suite.__replace__(unit="item")).decisions == 1


def test_numbers_sort_as_numbers_and_the_absent_last() -> None:
    values = [10, 9, None, "many"]
    items = tuple(Item(str(i), "s", (Variant("a"), Variant("b")), tags={"distance": v}) for i, v in enumerate(values))
    assert [cell[0][0] for cell in count_by(Suite("s", items), ["distance"]).cells] == [9, 10, "many", None]


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exit:
        main(["describe", *args])
    captured = capsys.readouterr()
    return int(exit.value.code or 0), captured.out, captured.err


def test_overview(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "demo:de")
    assert code == 0
    assert "en → de" in out
    assert "171 items with 2, 73 items with 3" in out
    assert "ref_pronoun \\ distance" in out


def test_by_tags_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "demo:fr", "--by", "src_pronoun, distance", "--json")
    result = json.loads(out)
    assert code == 0
    assert result["items"] == 176
    assert result["tables"][0]["by"] == ["src_pronoun", "distance"]
    assert sum(count for _, count in result["tables"][0]["cells"]) == 176


def test_totals_of_a_cross_table(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "demo:fr", "--by", "phenomenon,distance")
    last = out.strip().splitlines()[-1].split()
    assert last[0] == "total"
    assert sum(map(int, last[1:-1])) == int(last[-1]) == 176


def test_unknown_tag(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "demo:fr", "--by", "colour")
    assert (code, out) == (2, "")
    assert "no item of demo-fr has a tag 'colour'; its tags are distance" in err
