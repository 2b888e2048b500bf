"""How often a system writes its errors when it is sampled, beside what its scores predict."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from kontrast.judging.check_records import Checks, SampledGroup
from kontrast.reporting import figures
from kontrast.reporting.section import Cell, Column, Estimate, Figure, Section, Table

_COLUMNS = (
    Column("decisions", "count"),
    Column("predicted", "percent"),
    Column("written", "percent"),
    Column("area", "number"),
)


def sampled_sections(found: Checks) -> Iterator[Section]:
    """By phenomenon, and as a calibration curve; nothing where no samples were checked."""
    if found.sampled is None:
        return
    result = found.sampled
    note = (
        f"Shares in percent. Written: that of {result.samples} samples with the wrong form and not the right one. "
        f"Predicted: what the scores give the wrong variant of the two. {result.left_out:,} verdicts with both forms "
        f"or neither are left out ({result.verdicts:,} count). Area: how often a sample with the error has the "
        "larger predicted share than one without (.5: the preference tells nothing)."
    )
    title = f"Errors in samples: {result.system}"
    yield Section("sampled", title, (note,), _table("phenomenon", result.groups), question="items")
    points = [
        point
        for group in result.curve
        for point in (
            figures.Point(group.label, "written", group.written, group.interval.low, group.interval.high),
            figures.Point(group.label, "predicted", group.predicted, group.predicted, group.predicted),
        )
    ]
    caption = (
        "The nearer the two lines, the better does the preference say how often the error is written. Their mean "
        f"distance is {100 * result.gap:.1f} points. The band is the interval of what is written."
    )
    draw = partial(figures.curves, points, x="predicted share", y="share of samples")
    yield Section(
        "calibration",
        f"Does the preference predict what is written? {result.system}",
        table=_table("predicted share", result.curve, len(_COLUMNS)),
        figure=Figure(draw, caption),
        question="items",
    )


def _table(name: str, groups: tuple[SampledGroup, ...], columns: int | None = None) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            group.label,
            group.decisions,
            group.predicted,
            Estimate(group.written, group.interval.low, group.interval.high),
            group.area,
        )
        for group in groups
    ]
    return Table((Column(name), *_COLUMNS)[:columns], tuple(row[:columns] for row in rows))
