"""How often a system writes its errors when it is sampled, beside what its scores predict."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from kontrast.judging.check_records import Checks, SampledGroup
from kontrast.judging.sampled import EDGES
from kontrast.reporting import figures
from kontrast.reporting.section import Figure, Section, Table, measured, table

_COLUMNS = ("decisions:count", "predicted:percent", "written:percent", "area:number")


def sampled_sections(found: Checks) -> Iterator[Section]:
    """By phenomenon, and as a calibration curve; nothing where no samples were checked."""
    if found.sampled is None:
        return
    result = found.sampled
    note = (
        f"Shares in percent. Written: share of {result.samples} samples with the wrong form and not the right one. "
        f"Predicted: probability of the wrong variant among the two, from the scores. {result.left_out:,} "
        f"verdicts with both forms "
        f"or neither are left out ({result.verdicts:,} count). Area: how often a sample with the error has a "
        f"larger predicted share than one without (.5: the preference predicts nothing)."
    )
    title = f"Errors in samples: {result.system}"
    yield Section("sampled", title, (note,), _table("phenomenon", result.groups), question="items")
    points = [
        (g.predicted, figures.Point(g.label, "written", g.written, g.interval.low, g.interval.high, g.decisions))
        for g in result.curve
    ]
    caption = (
        "A dot for each bin of predicted shares, with its interval. The nearer the dots are to the dashed line, "
        "the better the preference predicts the frequency of the error. Their mean distance is "
        f"{100 * result.gap:.1f} points. Both axes are on a square-root scale."
    )
    draw = partial(figures.calibration, points, x="predicted share", y="share of samples with the error", ticks=EDGES)
    yield Section(
        "calibration",
        f"Does the preference predict the translations? {result.system}",
        table=_table("predicted share", result.curve, len(_COLUMNS)),
        figure=Figure(draw, caption),
        question="items",
    )


def _table(name: str, groups: tuple[SampledGroup, ...], columns: int | None = None) -> Table:
    rows = [(g.label, g.decisions, g.predicted, measured(g.written, g.interval), g.area) for g in groups]
    return table((name, *_COLUMNS)[:columns], (row[:columns] for row in rows))
