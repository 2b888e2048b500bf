"""A comparison on the terminal: every pair of systems, then every group, with what is significant marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kontrast.reporting.evaluation import percent
from kontrast.reporting.terminal import print_lines, print_table, print_warnings

if TYPE_CHECKING:
    from kontrast.judging.records import Comparison, Difference

__all__ = ["print_comparison"]


def print_comparison(result: Comparison) -> None:
    """The whole comparison."""
    from rich.markup import escape

    from kontrast.judging.wording import comparison_method, counted

    clusters = f" in {counted(result.clusters, result.cluster or '')}" if result.clusters else ""
    size = f"{counted(result.items, result.unit)}{clusters}; ties: {result.tie_policy}"
    print_warnings(result.notes)
    print_lines(f"[bold]{escape(result.suite)}[/bold]  [dim]{size}[/dim]")
    if result.differs:
        print_lines(f"[dim]the systems differ in {', '.join(result.differs)}[/dim]")
    several = len(result.systems) > 2
    names = ["a", "b"] if several else [f"a = {result.systems[0]}", f"b = {result.systems[1]}"]
    if not several:
        print_lines(f"[dim]{escape('; '.join(names))}; the difference is b − a[/dim]")
    _print(result.total, ["a", "b"] if several else [], [])
    for breakdown in result.by:
        print_lines("", f"[bold]by {breakdown.by}[/bold]")
        _print(breakdown.groups, ["a", "b"] if several else [], list(breakdown.tags))
    print_lines(
        f"[dim]{escape(comparison_method(result))}[/dim]",
        "[dim]a > b: decisions on which a is better; odds: b > a over a > b; "
        "mdd: the difference found with 80% power at the level of Holm's strictest step[/dim]",
        *undecided_lines(result),
        *(f"[yellow]note[/yellow] {escape(note)}" for note in result.notes),
    )


def undecided_lines(result: Comparison) -> list[str]:
    """Why some rows have a "?" for a p-value."""
    rows = [row for table in (result.total, *(b.groups for b in result.by)) for row in table]
    reasons = dict.fromkeys(row.undecided for row in rows if row.undecided is not None)
    return [f"[yellow]?[/yellow] cannot decide: {'; '.join(list(reasons)[:5])}"] if reasons else []


def _print(rows: tuple[Difference, ...], systems: list[str], tags: list[str]) -> None:
    columns = [
        *tags,
        *systems,
        "items",
        "acc a",
        "acc b",
        "b − a",
        "interval",
        "a > b",
        "b > a",
        "odds",
        "p",
        "",
        "mdd",
    ]
    print_table(columns, [_row(row, bool(systems), tags) for row in rows])


def _row(row: Difference, named: bool, tags: list[str]) -> list[Any]:
    from rich.text import Text

    from kontrast.judging.wording import mdd_text, p_text, points_text

    style = "" if not row.significant else ("green" if row.difference > 0 else "red")
    return [
        *(row.tags[tag] for tag in tags),
        *((row.a, row.b) if named else ()),
        row.items,
        percent(row.accuracy_a, row.items),
        percent(row.accuracy_b, row.items),
        Text(points_text(row.difference, row.items), style=style),
        f"[{points_text(row.interval.low, row.items)}, {points_text(row.interval.high, row.items)}]",
        row.a_better,
        row.b_better,
        "–" if row.odds_ratio is None else f"{row.odds_ratio:.2f}",
        p_text(row),
        "*" if row.significant else ("?" if row.undecided else ""),
        mdd_text(row),
    ]
