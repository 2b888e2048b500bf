"""A meta-evaluation on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    from rich.markup import escape

    from kontrast.judging.wording import counted, interval_method

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
