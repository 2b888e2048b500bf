"""Tables of a meta-evaluation as sections: one function each, from the same records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kontrast.judging.wording import comparison_method, interval_method
from kontrast.reporting.section import Cell, Column, Columns, Section, measured, slug, table

if TYPE_CHECKING:
    from kontrast.judging.meta.records import Metrics


def accuracy_section(result: Metrics, index: int = 0) -> Section:
    """Accuracy with its interval by group: a column a metric."""
    first = result.metrics[0].evaluation.by[index]
    rows: list[tuple[Cell, ...]] = []
    for j, group in enumerate(first.groups):
        found = [m.evaluation.by[index].groups[j] for m in result.metrics]
        rows.append((group.label, group.items, *(measured(g.accuracy, g.interval) for g in found)))
    columns: Columns = [Column(first.by), "items:count", *(Column(m.metric, "percent") for m in result.metrics)]
    caption = f"Accuracy in percent; {interval_method(result.metrics[0].evaluation)}."
    return Section(slug(f"accuracy-{first.by}"), f"accuracy by {first.by}", table=table(columns, rows, caption))


def aces_section(result: Metrics) -> Section | None:
    """Tau by ACES' categories and their weighted sum; None where the suite has none of its phenomena."""
    taus = [m.taus for m in result.metrics]
    if taus[0].partial is None:
        return None
    rows: list[tuple[Cell, ...]] = [(name, *(t.categories[name] for t in taus)) for name in taus[0].categories]
    label = "ACES-score" if taus[0].aces is not None else f"of at most {taus[0].reach:g} (categories are missing)"
    rows.append((label, *(t.partial for t in taus)))
    columns: Columns = ["category", *(Column(m.metric, "number") for m in result.metrics)]
    text = ("mean tau of each category's phenomena; the score weights them",)
    return Section("aces", "ACES", text, table(columns, rows))


def severity_section(result: Metrics) -> Section | None:
    """What errors cost by severity; None where the suite does not tell severities apart."""
    rows: list[tuple[Cell, ...]] = []
    levels: tuple[str, ...] = ()
    for each in result.metrics:
        found = each.severities
        if found is None:
            return None
        levels = tuple(level.severity for level in found.levels)
        ordered, graver = "yes" if found.ordered else "no", measured(found.graver, found.interval)
        rows.append((each.metric, *(level.effect for level in found.levels), ordered, graver))
    columns: Columns = ["metric", *(Column(level, "number") for level in levels), "in order", "graver:percent"]
    text = (
        "cost of errors in standard deviations of the metric; graver: share of pairs in which the more severe "
        "error costs more (jackknife interval over the same clusters)",
    )
    return Section("severity", "severity", text, table(columns, rows))


def calibration_section(result: Metrics) -> Section | None:
    """Pairwise accuracy with ties; None where gold has no ties, so that there is nothing to calibrate."""
    rows = []
    for each in result.metrics:
        found = each.calibration
        if found is None or not found.ties:
            return None
        numbers = (found.pairs, found.ties, found.accuracy_at_zero, found.accuracy, found.epsilon)
        rows.append((each.metric, *numbers))
    columns = ("metric", "pairs:count", "level:count", "own ties:percent", "calibrated:percent", "threshold:number")
    text = ("pairs of translations of one source, accuracy with the metric's own ties and at the best threshold",)
    return Section("ties", "ties", text, table(columns, rows))


def pairs_section(result: Metrics) -> Section | None:
    """Every pair of metrics: difference in accuracy with its test, and how alike they decide."""
    if result.comparison is None:
        return None
    differences = {(d.a, d.b): d for d in result.comparison.total}
    rows = []
    for pair in result.agreements:
        d = differences[pair.a, pair.b]
        difference, p = measured(d.difference, d.interval, d.significant), None if d.undecided else d.p
        rows.append((pair.a, pair.b, difference, p, pair.agreement, pair.kappa, pair.pearson))
    columns = ("a", "b", "b − a:points:difference", "p:p", "same:percent", "kappa:number", "margins' r:number")
    method = comparison_method(result.comparison)
    text = (f"b − a in points of accuracy; same: share of decisions on which both agree; {method}",)
    return Section("metrics-compared", "metrics compared", text, table(columns, rows))
