"""A generative check on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kontrast.reporting.evaluation import percent, span
from kontrast.reporting.terminal import print_lines, print_table

if TYPE_CHECKING:
    from kontrast.judging.records import Agreement, Check, Checks

__all__ = ["print_check", "print_checks"]


def print_check(result: Check) -> None:
    """One system."""
    from rich.markup import escape

    print_lines(
        f"[bold]{escape(result.system)}[/bold] on [bold]{escape(result.suite)}[/bold]"
        f"  [dim](style: {result.style}; sentence found by: {escape(result.align)})[/dim]",
        f"  right form  [bold]{percent(result.accuracy)}[/bold]  {escape(span(result.interval))}"
        f"  [dim]{100 * result.interval.level:g}%, {result.interval.method}[/dim]",
        f"  counts      {result.right:,} right · {result.wrong:,} wrong · {result.both:,} both · "
        f"{result.neither:,} neither of {result.total:,} items",
        *(f"  [yellow]note[/yellow] {escape(note)}" for note in result.notes),
    )
    if len(result.by_rule) > 1:
        print_lines("")
        rows = [(rule, right, total, percent(right / total)) for rule, (right, total) in result.by_rule.items()]
        print_table(["", "right", "total", "accuracy"], rows)
    for breakdown in result.by:
        print_lines("", f"[bold]by {breakdown.by}[/bold]")
        print_table(
            [*breakdown.tags, "items", "right", "wrong", "both", "neither", "accuracy", "interval"],
            [
                (
                    *group.tags.values(),
                    *(group.total, group.right, group.wrong, group.both, group.neither),
                    percent(group.accuracy),
                    span(group.interval),
                )
                for group in breakdown.groups
            ],
        )
    if result.agreement is not None:
        _print_agreement(result.agreement)


def _print_agreement(agreement: Agreement) -> None:
    kappa = "–" if agreement.kappa is None else f"{agreement.kappa:.2f}"
    print_lines(
        "",
        f"[bold]scoring and writing[/bold]  contrastive {percent(agreement.contrastive)} · "
        f"generative {percent(agreement.generative)} of the same {agreement.items:,} items",
        f"  agreement {percent(agreement.agreement)}, kappa {kappa} "
        f"[dim]on the {agreement.decided:,} items that both decide[/dim]",
    )
    columns = ["right", "wrong", "both", "neither"]
    rows = [(outcome, *(counts[c] for c in columns)) for outcome, counts in agreement.table.items()]
    print_table(["scored \\ wrote", *columns], rows)


def print_checks(result: Checks) -> None:
    """Several systems, a row each."""
    print_table(
        ["system", "right form", "interval", "right", "wrong", "both", "neither", "items", "found by"],
        [
            (c.system, percent(c.accuracy), span(c.interval), c.right, c.wrong, c.both, c.neither, c.total, c.align)
            for c in result.systems
        ],
    )
