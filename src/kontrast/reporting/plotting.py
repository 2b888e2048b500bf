"""Results as Altair charts, for notebooks: ``result.plot()``."""

from __future__ import annotations

from typing import Any

from kontrast.errors import KontrastError
from kontrast.judging.records import Comparison, Evaluation, Evaluations
from kontrast.reporting import figures
from kontrast.reporting.figures import Point


def plot(result: Any, by: str = "phenomenon") -> Any:
    """Accuracy by a tag with intervals, or the differences of a comparison; in total where the tag is not there.

    >>> import kontrast
    >>> suite = kontrast.load("demo:fr")
    >>> scores = kontrast.Scores("mine", tuple(float(i % 3) for i in range(suite.row_count)))
    >>> type(kontrast.evaluate(suite, scores).plot()).__name__
    'LayerChart'
    """
    if isinstance(result, Evaluation):
        return _accuracies((result,), by)
    if isinstance(result, Evaluations):
        return _accuracies(result.systems, by)
    if isinstance(result, Comparison):
        rows = next((b.groups for b in result.by if b.by == by), result.total)
        points = [
            Point(row.label, f"{row.b} − {row.a}", row.difference, row.interval.low, row.interval.high, row.items)
            for row in rows
        ]
        return figures.intervals(
            points,
            title="difference in accuracy",
            domain=(-1, 1),
            reference=dict.fromkeys((p.group for p in points), 0.0),
        )
    raise KontrastError(f"there is no chart of {type(result).__name__}; evaluate and compare have one")


def _accuracies(systems: tuple[Evaluation, ...], by: str) -> Any:
    points, chance = [], {}
    for system in systems:
        groups = next((b.groups for b in system.by if b.by == by), None)
        for label, each in [(g.label, g) for g in groups] if groups is not None else [("total", system)]:
            points.append(
                Point(label, system.system, each.accuracy, each.interval.low, each.interval.high, each.items)
            )
            chance[label] = each.chance
    return figures.intervals(points, reference=chance)
