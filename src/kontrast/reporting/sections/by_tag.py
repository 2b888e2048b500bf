"""Accuracy by phenomenon, distance, pronoun or any tag: a figure and its numbers."""

from collections.abc import Iterator
from functools import partial

from kontrast.judging.grouping import MISSING
from kontrast.judging.wording import groups_note, interval_method, share_text
from kontrast.reporting import figures
from kontrast.reporting.figures import Point
from kontrast.reporting.judged import CURVES, Judged
from kontrast.reporting.section import Column, Columns, Estimate, Figure, Section, Table, slug, table

PLACE = 30
_HEIGHT = 700
"""A figure of groups is not taller than a screen: so many of the largest groups as this height has room for."""


def sections(judged: Judged) -> Iterator[Section]:
    """One for each breakdown."""
    for index, breakdown in enumerate(judged.first.by):
        title = f"Accuracy by {breakdown.by.replace(',', ' and ')}"
        made, figure = _table(judged, index), _figure(judged, index)
        yield Section(slug(breakdown.by), title, table=made, figure=figure, folded=True, question="where")


def _table(judged: Judged, index: int) -> Table:
    systems = judged.evaluations.systems
    breakdowns = [e.by[index] for e in systems]
    rows = []
    for groups in zip(*(b.groups for b in breakdowns), strict=True):
        cells = (Estimate(g.accuracy, g.interval.low, g.interval.high, few=bool(g.interval.within)) for g in groups)
        first = groups[0]
        rows.append((*first.tags.values(), first.items, *cells, first.chance, first.majority))
    tags = breakdowns[0].tags
    shares = (Column(e.system, "percent") for e in systems)
    columns: Columns = [*map(Column, tags), "n:count:items", *shares, "chance:percent", "majority:percent"]
    note = groups_note([g.interval for b in breakdowns for g in b.groups], judged.first.cluster is not None)
    scope = f" {note[0].upper()}{note[1:]}." if note else ""
    means = ", ".join(f"{e.system} {share_text(b.macro, e.items)}" for e, b in zip(systems, breakdowns, strict=True))
    about = f"Accuracy in percent; {interval_method(judged.first)}.{scope} Mean over groups: {means}."
    return table(columns, rows, about)


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
    if not groups:
        return None
    chance = {g.label: g.chance for g in breakdown.groups}
    caption = f"Dots with {level} intervals; the grey tick is chance. Groups by accuracy, the lowest first."
    size = {p.group: p.n for p in points}
    most = max(5, _HEIGHT // figures.band(len(judged.systems)))
    largest = set(sorted(size, key=lambda group: -size[group])[:most])
    means = {g: sum(p.value for p in points if p.group == g) for g in largest}
    points = sorted((p for p in points if p.group in largest), key=lambda p: (means[p.group], p.group))
    if groups > most:
        caption += f" The {most} largest of {groups}; the table has all."
    return Figure(partial(figures.intervals, points, reference=chance), caption)
