"""What metrics are worth, on the terminal: a meta-evaluation, marked error spans, agreement with people.

The tables of a meta-evaluation are sections, one function each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape

from kontrast.judging.correlation.correlate import Correlations
from kontrast.judging.meta.spans import SpanScores
from kontrast.judging.wording import comparison_method, counted, interval_method
from kontrast.reporting.evaluation import mark, span
from kontrast.reporting.render.terminal import print_section
from kontrast.reporting.section import Cell, Column, Columns, Section, measured, slug, table
from kontrast.reporting.terminal import print_lines, print_table

if TYPE_CHECKING:
    from kontrast.judging.meta.records import Metrics


def print_metrics(result: Metrics) -> None:
    """All metrics on one suite: decisions, means, sensitivity, severities, ties, and how alike they are."""
    left = "".join(f"; {count:,} left out ({reason})" for reason, count in result.reasons.items())
    first = result.metrics[0].evaluation
    size = f"{counted(first.items, first.unit)}; ties: {first.tie_policy}{left}"
    print_lines(f"[bold]{escape(result.suite)}[/bold]  [dim]{size}[/dim]")
    rows = []
    for each in result.metrics:
        e, mean = each.evaluation, each.means[0]
        accuracy = mark(e.accuracy, e.interval, e.chance, items=e.items)
        better = "↓" if each.lower_is_better else "↑"
        numbers = (f"{mean.original:.4f}", f"{mean.perturbed:.4f}", _effect(each.sensitivity[0].effect, 3))
        tau = f"{each.taus.total.tau:+.3f}"
        rows.append(
            (f"{each.metric} {better}", accuracy, span(e.interval, e.items), e.right, e.wrong, e.ties, tau, *numbers)
        )
    columns = ["metric", "accuracy", "interval", "right", "wrong", "tied", "tau", "original", "perturbed", "effect"]
    print_table(columns, rows)
    over = result.metrics[0].sensitivity[0].over
    print_lines(
        f"[dim]{interval_method(first)}[/dim]",
        "[dim]tau: ties are discordant (ACES); original, perturbed: mean scores; "
        f"effect: mean margin over the metric's standard deviation on {over}[/dim]",
        *(f"[yellow]note[/yellow] {escape(m.metric)} {escape(note)}" for m in result.metrics for note in m.notes),
    )
    _print_groups(result)
    for section in (
        aces_section(result),
        severity_section(result),
        calibration_section(result),
        pairs_section(result),
    ):
        if section is not None:
            print_lines("")
            print_section(section)


def _effect(effect: float | None, digits: int) -> str:
    return "–" if effect is None else f"{effect:+.{digits}f}"


def _print_groups(result: Metrics) -> None:
    if len(result.metrics[0].means) < 2:
        return
    first = result.metrics[0].means[1]
    name = ",".join(first.tags) or "phenomenon"
    print_lines("", f"[bold]by {name}[/bold]  [dim]mean original → perturbed, effect[/dim]")
    rows = []
    for i, mean in enumerate(result.metrics[0].means[1:], start=1):
        cells = [
            f"{m.means[i].original:.2f} → {m.means[i].perturbed:.2f}  {_effect(m.sensitivity[i].effect, 2)}"
            for m in result.metrics
        ]
        rows.append((mean.label, mean.items, *cells))
    print_table([name, "items", *(m.metric for m in result.metrics)], rows)
    for k in range(len(result.metrics[0].evaluation.by)):
        print_lines("")
        print_section(accuracy_section(result, k))


def print_spans(result: SpanScores) -> None:
    """Total, then a line a phenomenon: by error, by character, and false alarms in correct variants."""
    columns = ["phenomenon", "errors", "found", "precision", "recall", "F1"]
    columns += ["characters: P", "R", "F1", "weighted P", "false alarms", "correct"]
    rows = [
        (
            g.label,
            g.errors,
            g.found,
            *map(_share, (g.precision, g.recall, g.f1)),
            *map(_share, (g.character_precision, g.character_recall, g.character_f1, g.weighted_precision)),
            g.false_alarms,
            g.correct,
        )
        for g in result.groups
    ]
    title = f"{result.metric} on {result.suite}: {result.spans:,} spans in {result.rows:,} texts"
    print_table(columns, rows, title=title)
    print_lines("[dim]weighted: minor 1, major 5, critical 25; false alarms: correct variants with a mark[/dim]")


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def print_correlations(result: Correlations) -> None:
    """One line a metric, then the pairs of metrics with their tests."""
    left = (
        f"; {result.left_out:,} scores of translations without a human judgement left out" if result.left_out else ""
    )
    print_lines(
        f"[bold]{escape(result.human)}[/bold]  [dim]{result.kind}: {result.systems} systems, {result.segments:,} "
        f"segments, {result.judged:,} judged translations, {result.pairs:,} pairs ({result.tied_pairs:,} tied)"
        f"{left}[/dim]",
        *(f"[yellow]note[/yellow] {escape(note)}" for note in result.notes),
    )
    columns = ["metric", "accuracy", "ε", "at ε = 0", "Pearson", "Kendall", "within segments"]
    columns += ["systems: accuracy", "Pearson", "Spearman", "Kendall"]
    rows = []
    for m in result.metrics:
        segment = (m.segment_accuracy, m.accuracy_at_zero, m.segment_pearson, m.segment_kendall)
        accuracy, zero, pearson, kendall = map(_number, segment)
        systems = (m.system_accuracy, m.system_pearson, m.system_spearman, m.system_kendall)
        epsilon = "–" if m.epsilon is None else f"{m.epsilon:.4g}"
        within = _number(m.segment_kendall_by_segment)
        rows.append((m.metric, accuracy, epsilon, zero, pearson, kendall, within, *map(_number, systems)))
    print_table(columns, rows)
    print_lines(
        "[dim]accuracy: pairs of systems within a segment, ties included, ε chosen for each metric on these data; "
        "within segments: Kendall's tau-b, averaged[/dim]"
    )
    if not result.differences:
        return
    print_table(
        ["A", "B", "accuracy A−B", "p (flips by segment)", "system Pearson A−B", "p (swaps)", "p (Williams)"],
        [
            (d.a, d.b, _number(d.segment_accuracy), _p(d.segment_p), _number(d.system_pearson), _p(d.system_p),
             _p(d.williams_p))
            for d in result.differences
        ],
    )  # fmt: skip
    print_lines("[dim]p values are not corrected for the number of pairs of metrics[/dim]")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _p(value: float | None) -> str:
    return "–" if value is None else ("<.001" if value < 0.001 else f"{value:.3f}")


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
