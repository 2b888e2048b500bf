"""Marked errors beside made ones, and the tag of easy foils."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import kontrast
from kontrast import Item, Scores, Suite, Variant
from kontrast.errors import KontrastError
from kontrast.reporting.section import plain_rows


def test_marked_errors_stand_beside_made_ones(tmp_path: Path) -> None:
    made = tuple(Item(str(n), "a", (Variant("ja"), Variant("jo", error="np_agreement"))) for n in range(6))
    found = tuple(Item(str(n), "b", (Variant("ja"), Variant("ji")), tags={"phenomenon": "grammar"}) for n in range(4))
    scores = Scores("mine", (2.0, 1.0) * 2 + (1.0, 2.0) * 2)
    marked = kontrast.evaluate(Suite("marked", found), scores, by=["phenomenon"])
    path = tmp_path / "marked.json"
    path.write_bytes(msgspec.json.encode(marked))
    report = kontrast.report(Suite("made", made), Scores("mine", (1.0, 2.0) * 6), by=["phenomenon"], also=[path])
    table = report.section("natural-made").table
    assert table is not None
    [row] = plain_rows(table)
    assert (row["kind"], row["marked_items"], row["marked_accuracy"]) == ("grammar", 4, 0.5)
    assert (row["made_items"], row["made_accuracy"], row["made as"]) == (6, 1.0, "np_agreement")
    with pytest.raises(KontrastError, match="is the suite of the report"):
        kontrast.report(Suite("marked", found), Scores("mine", (1.0, 2.0) * 4), by=["phenomenon"], also=[path])


def test_made_errors_are_not_called_marked() -> None:
    """Another suite of made errors would stand in the table as what people marked."""
    suite, others = kontrast.load("demo:fr"), kontrast.load("demo:de")
    scores, beside = (Scores("mine", tuple(float(i % 3) for i in range(s.row_count))) for s in (suite, others))
    with pytest.raises(KontrastError, match="demo-de has generated errors"):
        kontrast.report(suite, scores, also=[kontrast.evaluate(others, beside)])


def test_easy_foils_are_tagged_in_a_file(tmp_path: Path) -> None:
    pairs = [("der Mann lacht", "die Mann lacht"), ("die Frau geht", "der Frau geht")] * 40
    items = (Item(str(n), f"s{n}", tuple(map(Variant, pair))) for n, pair in enumerate(pairs))
    kontrast.artefacts(Suite("s", tuple(items), unit="pair"), tagged=tmp_path / "easy.jsonl")
    made = kontrast.load(tmp_path / "easy.jsonl")
    assert {v.tags["easy"] for item in made for v in item.variants[1:]} <= {True, False}
    assert all("easy" not in item.variants[0].tags for item in made)
