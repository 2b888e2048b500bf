"""Tables of a meta-evaluation, for the terminal and for pages: one function each, from the same records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kontrast.reporting.evaluation import percent, span
from kontrast.reporting.tables import Table

if TYPE_CHECKING:
    from kontrast.judging.meta.records import Metrics

__all__ = ["accuracy_table", "aces_table", "calibration_table", "pairs_table", "severity_table"]


def accuracy_table(result: Metrics, index: int = 0) -> Table:
    """Accuracy with its interval by group: a column a metric."""
    first = result.metrics[0].evaluation.by[index]
    rows = []
    for j, group in enumerate(first.groups):
        found = [m.evaluation.by[index].groups[j] for m in result.metrics]
        rows.append((group.label, group.items, *(f"{percent(g.accuracy)} {span(g.interval)}" for g in found)))
    return Table(f"accuracy by {first.by}", (first.by, "items", *(m.metric for m in result.metrics)), tuple(rows))


def aces_table(result: Metrics) -> Table | None:
    """Tau by ACES' categories and their weighted sum; None where the suite has none of its phenomena."""
    taus = [m.taus for m in result.metrics]
    if taus[0].partial is None:
        return None
    rows = [(name, *(f"{t.categories[name]:+.3f}" for t in taus)) for name in taus[0].categories]
    label = "ACES-score" if taus[0].aces is not None else f"of at most {taus[0].reach:g} (categories are missing)"
    rows.append((label, *(f"{t.partial:.2f}" for t in taus)))
    return Table("ACES", ("category", *(m.metric for m in result.metrics)), tuple(rows))


def severity_table(result: Metrics) -> Table | None:
    """What errors cost by severity; None where the suite does not tell severities apart."""
    rows: list[tuple[object, ...]] = []
    levels: tuple[str, ...] = ()
    for each in result.metrics:
        found = each.severities
        if found is None:
            return None
        levels = tuple(level.severity for level in found.levels)
        cells = [f"{level.effect:+.3f}" for level in found.levels]
        ordered = "yes" if found.ordered else "no"
        rows.append((each.metric, *cells, ordered, percent(found.graver), span(found.interval)))
    return Table("severity", ("metric", *levels, "in order", "graver", "interval"), tuple(rows))


def calibration_table(result: Metrics) -> Table | None:
    """Pairwise accuracy with ties; None where gold has no ties, so that there is nothing to calibrate."""
    rows = []
    for each in result.metrics:
        found = each.calibration
        if found is None or not found.ties:
            return None
        numbers = (percent(found.accuracy_at_zero), percent(found.accuracy), f"{found.epsilon:.4g}")
        rows.append((each.metric, f"{found.pairs:,}", f"{found.ties:,}", *numbers))
    return Table("ties", ("metric", "pairs", "level", "own ties", "calibrated", "threshold"), tuple(rows))


def pairs_table(result: Metrics) -> Table | None:
    """Every pair of metrics: difference in accuracy with its test, and how alike they decide."""
    if result.comparison is None:
        return None
    differences = {(d.a, d.b): d for d in result.comparison.total}
    rows = []
    for pair in result.agreements:
        d = differences[pair.a, pair.b]
        p = "<.001" if d.p < 0.001 else f"{d.p:.3f}"
        kappa, pearson = ("–" if x is None else f"{x:.2f}" for x in (pair.kappa, pair.pearson))
        points = f"{100 * d.difference:+.1f}"
        star = "*" if d.significant else ""
        rows.append((pair.a, pair.b, points, p, star, percent(pair.agreement), kappa, pearson))
    return Table("metrics compared", ("a", "b", "b − a", "p", "", "same", "kappa", "margins' r"), tuple(rows))
