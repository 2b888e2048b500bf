"""A meta-evaluation on the terminal.

Marked error spans on a terminal.

How metrics agree with people, on a terminal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape

from kontrast.judging.correlation.correlate import Correlations
from kontrast.judging.meta.spans import SpanScores
from kontrast.judging.wording import counted, interval_method
from kontrast.reporting.evaluation import mark, span
from kontrast.reporting.metric_tables import (
    accuracy_section,
    aces_section,
    calibration_section,
    pairs_section,
    severity_section,
)
from kontrast.reporting.render.terminal import print_section
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
