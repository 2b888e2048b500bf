"""The systems compared on the same decisions, pair by pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kontrast.judging.records import Difference
from kontrast.reporting.judged import Judged
from kontrast.reporting.section import Cell, Column, Estimate, Section, Table

PLACE = 20


def sections(judged: Judged) -> Iterator[Section]:
    """The whole suite; nothing for a single system."""
    comparison = judged.comparison
    if comparison is None:
        return
    text = [f"The systems differ in {', '.join(comparison.differs)}."] if comparison.differs else []
    table = difference_table(judged, comparison.total)
    yield Section("compared", f"Compared on the same {judged.unit}", (*text, *comparison.notes), table)


def difference_table(judged: Judged, differences: Sequence[Difference], tags: Sequence[str] = ()) -> Table:
    """Pairs of systems on some groups of decisions, tested together."""
    comparison = judged.comparison
    assert comparison is not None
    level = f"{100 * judged.first.interval.level:g}%"
    caption = (
        f"Second minus first in points of accuracy, with the {level} interval; {comparison.test} test, "
        f"{comparison.resamples:,} resamples, p after Holm's correction over this table; "
        f"* p ≤ {comparison.alpha:g}."
    )
    rows: list[tuple[Cell, ...]] = [
        (
            *(d.tags[tag] for tag in tags),
            d.a,
            d.b,
            d.items,
            Estimate(d.difference, d.interval.low, d.interval.high, d.significant),
            d.a_better,
            d.b_better,
            d.p,
        )
        for d in differences
    ]
    columns = (
        *(Column(tag) for tag in tags),
        Column("first", "system", "a"),
        Column("second", "system", "b"),
        Column("n", "count", "items"),
        Column("difference", "points"),
        Column("first better", "count", "a_better"),
        Column("second better", "count", "b_better"),
        Column("p", "p"),
    )
    return Table(columns, tuple(rows), caption)
