"""Accuracy by phenomenon, distance, pronoun or any tag: a figure and its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from kontrast.judging.grouping import MISSING
from kontrast.judging.wording import interval_method, share_text
from kontrast.reporting import figures
from kontrast.reporting.figures import Point
from kontrast.reporting.judged import CURVES, Judged
from kontrast.reporting.section import Cell, Column, Estimate, Figure, Section, Table, slug

PLACE = 30
MOST_GROUPS = 40
"""More are a table only."""


def sections(judged: Judged) -> Iterator[Section]:
    """One for each breakdown."""
    for index, breakdown in enumerate(judged.first.by):
        title = f"Accuracy by {breakdown.by.replace(',', ' and ')}"
        table, figure = _table(judged, index), _figure(judged, index)
        yield Section(slug(breakdown.by), title, table=table, figure=figure, folded=True)


def _table(judged: Judged, index: int) -> Table:
    systems = judged.evaluations.systems
    breakdowns = [e.by[index] for e in systems]
    rows: list[tuple[Cell, ...]] = []
    for groups in zip(*(b.groups for b in breakdowns), strict=True):
        cells = (Estimate(g.accuracy, g.interval.low, g.interval.high) for g in groups)
        first = groups[0]
        rows.append((*first.tags.values(), first.items, *cells, first.chance, first.majority))
    tags = breakdowns[0].tags
    columns = (
        *(Column(tag) for tag in tags),
        Column("n", "count", "items"),
        *(Column(e.system, "percent") for e in systems),
        Column("chance", "percent"),
        Column("majority", "percent"),
    )
    few = dict.fromkeys(g.interval.within for b in breakdowns for g in b.groups if g.interval.within)
    scope = f" Groups in {', '.join(map(str, few))}: the interval holds within these only." if few else ""
    means = ", ".join(f"{e.system} {share_text(b.macro, e.items)}" for e, b in zip(systems, breakdowns, strict=True))
    return Table(
        columns,
        tuple(rows),
        f"Accuracy in percent; {interval_method(judged.first)}.{scope} Mean over groups: {means}.",
    )


def _figure(judged: Judged, index: int) -> Figure | None:
    breakdown = judged.first.by[index]
    level = f"{100 * judged.first.interval.level:g}%"
    points = [
        Point(g.label, e.system, g.accuracy, g.interval.low, g.interval.high, g.items)
        for e in judged.evaluations.systems
        for g in e.by[index].groups
        if set(g.tags.values()) != {MISSING}
    ]
    groups = len({p.group for p in points})
    if len(breakdown.tags) == 1 and breakdown.tags[0] in CURVES:
        if groups < 2:
            return None
        return Figure(partial(figures.curves, points, x=breakdown.by), f"The band is the {level} interval.")
    if not 0 < groups <= MOST_GROUPS:
        return None
    chance = {g.label: g.chance for g in breakdown.groups}
    caption = f"Dots with {level} intervals; the grey tick is chance."
    return Figure(partial(figures.intervals, points, reference=chance), caption)
