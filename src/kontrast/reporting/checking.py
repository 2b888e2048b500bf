"""A generative check on the terminal."""

from __future__ import annotations

from rich.markup import escape

from kontrast.judging.check_records import Check, Checks, TwoWays, VerdictAgreement
from kontrast.judging.wording import counted, interval_method
from kontrast.reporting.evaluation import percent, span
from kontrast.reporting.terminal import print_lines, print_table


def print_check(result: Check) -> None:
    """One system."""
    decided = result.total - result.undecidable
    print_lines(
        f"[bold]{escape(result.system)}[/bold] on [bold]{escape(result.suite)}[/bold]"
        f"  [dim](style: {result.style}; sentence found by: {escape(result.align)})[/dim]",
        f"  right form  [bold]{percent(result.accuracy, decided)}[/bold]  {escape(span(result.interval, decided))}"
        f"  [dim]{interval_method(result)}[/dim]",
        f"  counts      {result.right:,} right · {result.wrong:,} wrong · {result.both:,} both · "
        f"{result.neither:,} neither of {counted(decided, result.unit)}"
        + (f"; [yellow]{result.undecidable:,} undecidable[/yellow] apart" if result.undecidable else ""),
        *(f"  [yellow]note[/yellow] {escape(note)}" for note in result.notes),
    )
    if len(result.by_rule) > 1:
        print_lines("")
        rows = [
            (rule, right, total, percent(right / total, total)) for rule, (right, total) in result.by_rule.items()
        ]
        print_table(["", "right", "total", "accuracy"], rows)
    for breakdown in result.by:
        print_lines("", f"[bold]by {breakdown.by}[/bold]")
        print_table(
            [*breakdown.tags, "items", "right", "wrong", "both", "neither", "undecidable", "accuracy", "interval"],
            [
                (
                    *group.tags.values(),
                    *(group.total, group.right, group.wrong, group.both, group.neither, group.undecidable),
                    percent(group.accuracy, group.total - group.undecidable),
                    span(group.interval, group.total - group.undecidable),
                )
                for group in breakdown.groups
            ],
        )
    if result.two_ways is not None:
        _print_two_ways(result.two_ways, result.unit)
    if result.agreement is not None:
        _print_agreement(result.agreement, result.unit)


def _print_agreement(agreement: VerdictAgreement, unit: str) -> None:
    told = (
        f"[bold]scoring and writing[/bold]  contrastive {percent(agreement.contrastive, agreement.items)} · "
        f"generative {percent(agreement.generative, agreement.items)} of the same {counted(agreement.items, unit)}"
    )
    _print_both(told, agreement, "scored \\ wrote", unit)


def _print_two_ways(ways: TwoWays, unit: str) -> None:
    told = (
        f"[bold]words and the nearer variant[/bold]  {ways.settled:,} of {ways.undecidable:,} undecidable {unit}s "
        f"have a nearer variant [dim]({ways.distance})[/dim]"
    )
    _print_both(told, ways, "words \\ distance", unit)


def _print_both(told: str, found: VerdictAgreement | TwoWays, corner: str, unit: str) -> None:
    """Two verdicts on the same decisions: what they are, how well they agree, and the table of both."""
    kappa = "–" if found.kappa is None else f"{found.kappa:.2f}"
    agreed = f"agreement {percent(found.agreement, found.decided)}, kappa {kappa}"
    print_lines("", told, f"  {agreed} [dim]on the {counted(found.decided, unit)} that both decide[/dim]")
    columns = list(next(iter(found.table.values())))
    print_table([corner, *columns], [(row, *counts.values()) for row, counts in found.table.items()])


def print_checks(result: Checks) -> None:
    """Several systems, a row each; then a column each, by tag."""
    print_table(
        ["system", "right form", "interval", "right", "wrong", "both", "neither", "undecidable", "items", "found by"],
        [
            (c.system, percent(c.accuracy, n), span(c.interval, n), c.right, c.wrong, c.both, c.neither,
             c.undecidable, c.total, c.align)
            for c in result.systems
            for n in [c.total - c.undecidable]
        ],
    )  # fmt: skip
    methods = dict.fromkeys(interval_method(c) for c in result.systems)
    print_lines(*(f"[dim]{method}[/dim]" for method in methods))
    for breakdowns in zip(*(c.by for c in result.systems), strict=True):
        first = breakdowns[0]
        print_lines("", f"[bold]right form by {first.by}[/bold]")
        rows = []
        for i, group in enumerate(first.groups):
            shares = [percent(b.groups[i].accuracy, b.groups[i].total - b.groups[i].undecidable) for b in breakdowns]
            rows.append((*group.tags.values(), group.total - group.undecidable, *shares))
        print_table([*first.tags, "items", *(c.system for c in result.systems)], rows)
    print_lines(*(f"[yellow]note[/yellow] {escape(c.system)}: {escape(n)}" for c in result.systems for n in c.notes))
