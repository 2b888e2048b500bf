"""A comparison on the terminal: every pair of systems, then every group, with what is significant marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.markup import escape
from rich.text import Text

from kontrast.judging.records import Comparison, Difference
from kontrast.judging.wording import comparison_method, counted, differing_text, mdd_text, p_text, points_text
from kontrast.reporting.evaluation import percent
from kontrast.reporting.terminal import print_lines, print_table, print_verdict, print_warnings
from kontrast.reporting.terms import legend

_METHODS = {
    "jackknife": ("jackknife",),
    "permutation": ("permutation", "jackknife"),
    "mcnemar": ("McNemar", "jackknife"),
}


def print_comparison(result: Comparison, *, every: bool = False) -> None:
    """The whole comparison; of three systems or more, the groups that differ significantly, or ``every`` one."""
    clusters = f" in {counted(result.clusters, result.cluster or '')}" if result.clusters else ""
    ties = f"; ties: {result.tie_policy}" if result.tie_policy != "report" else ""
    size = f"{counted(result.items, result.unit)}{clusters}{ties}"
    print_warnings(result.notes)
    print_verdict(result.verdict)
    print_lines(f"[bold]{escape(result.suite)}[/bold]  [dim]{size}[/dim]")
    if result.differs:
        print_lines(f"[dim]the systems differ in {differing_text(result.differs)}[/dim]")
    several = len(result.systems) > 2
    names = ["a", "b"] if several else [f"a = {result.systems[0]}", f"b = {result.systems[1]}"]
    if not several:
        print_lines(f"[dim]{escape('; '.join(names))}; the difference is b − a[/dim]")
    _print(result.total, ["a", "b"] if several else [], [])
    for breakdown in result.by:
        print_lines("", f"[bold]by {breakdown.by}[/bold]")
        shown = [row for row in breakdown.groups if row.significant or every or not several]
        if shown:
            _print(shown, ["a", "b"] if several else [], list(breakdown.tags))
        if hidden := len(breakdown.groups) - len(shown):
            print_lines(
                f"[dim]{hidden:,} rows without a significant difference are not shown; --all shows them[/dim]"
            )
    print_lines(
        f"[dim]{escape(comparison_method(result))}[/dim]",
        *(f"[dim]{line}[/dim]" for line in legend("mdd", *_METHODS[result.test], "Holm")),
        *(f"[yellow]note[/yellow] {escape(note)}" for note in result.notes),
    )


def _print(rows: Sequence[Difference], systems: list[str], tags: list[str]) -> None:
    columns = [
        *tags,
        *systems,
        "items",
        "acc a",
        "acc b",
        "b − a",
        "interval",
        "a better",
        "b better",
        "p",
        "",
        *(["not decided because"] if any(row.undecided for row in rows) else []),
        *([] if tags else ["mdd"]),
    ]
    why = "not decided because" in columns
    print_table(columns, [_row(row, bool(systems), tags, why) for row in rows])


def _row(row: Difference, named: bool, tags: list[str], why: bool) -> list[Any]:
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
        p_text(row),
        "*" if row.significant else ("?" if row.undecided else ""),
        *([row.undecided] if why else []),
        *([] if tags else [mdd_text(row)]),
    ]
