"""``kontrast describe``: what is in a suite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kontrast.cli.declared_options import command_options, declared_options
from kontrast.cli.output import echo
from kontrast.cli.suite_argument import suite_argument
from kontrast.options import Suites
from kontrast.reporting.terminal import print_json, print_table

if TYPE_CHECKING:
    from kontrast.suites.description import Description, TagCounts


@click.command()
@suite_argument(metavar="SUITE")
@command_options("describe", declared_options(Suites))
def command(suite: str, by: str | None, format: str | None, as_json: bool) -> None:
    """Show what is in SUITE (a file, a folder, demo:de or demo:fr): size, languages, tags, counts."""
    from kontrast.suites.description import describe

    description = describe(suite, by or (), format=format)
    if as_json:
        print_json(description)
        return
    if not by:
        _overview(description)
    for table in description.tables:
        print_counts(table)


def _items(number: int) -> str:
    return f"{number} item{'s' if number != 1 else ''}"


def _overview(description: Description) -> None:
    languages = f"{description.source_language or '?'} → {description.target_language or '?'}"
    variants = ", ".join(f"{_items(n)} with {k}" for k, n in description.variants_per_item.items())
    facts = {
        "languages": languages,
        "style": description.style,
        "licence": description.licence,
        "items": description.items,
        "rows": description.rows,
        "decisions": f"{description.decisions} ({description.unit}s)",
        "variants": variants,
        "left out": f"{_items(description.left_out)} with one variant" if description.left_out else None,
        "documents": description.documents or None,
        "context": f"source in {description.with_source_context}, target in {description.with_target_context} items",
        "hash": description.fingerprint[:8],
    }
    echo(description.name, bold=True)
    for name, value in facts.items():
        if value is not None:
            echo(f"  {name:10} {value}")
    echo()
    rows = []
    for tag in description.tags:
        shown = [f"{value if len(value) <= 30 else value[:29] + '…'} {count}" for value, count in tag.values.items()]
        common = ", ".join(shown if tag.distinct <= 100 else shown[:3])
        rows.append((tag.tag, tag.count, tag.distinct, common + (" …" if tag.distinct > len(tag.values) else "")))
    if rows:
        print_table(("tag", "decisions", "values", "commonest"), rows)
        echo()


def print_counts(counts: TagCounts) -> None:
    """Two tags as rows and columns, any other number as a list."""
    if len(counts.by) != 2:
        rows: list[list[Any]] = [[*map(_named, values), count] for values, count in counts.cells]
        print_table((*counts.by, "decisions"), [*rows, ["total", *[""] * (len(counts.by) - 1), _total(counts)]])
        return
    cells = dict(counts.cells)
    across = list(dict.fromkeys(values[1] for values, _ in sorted(counts.cells, key=_by_column)))
    rows = []
    for down in dict.fromkeys(values[0] for values, _ in counts.cells):
        row = [cells.get((down, column), 0) for column in across]
        rows.append([_named(down), *row, sum(row)])
    sums = [sum(n for values, n in counts.cells if values[1] == column) for column in across]
    print_table(
        (f"{counts.by[0]} \\ {counts.by[1]}", *map(_named, across), "total"),
        [*rows, ["total", *sums, _total(counts)]],
    )


def _by_column(cell: tuple[tuple[Any, ...], int]) -> tuple[int, float, str]:
    from kontrast.suites.description import order

    return order(cell[0][1])


def _named(value: Any) -> str:
    return "–" if value is None else str(value)


def _total(counts: TagCounts) -> int:
    return sum(count for _, count in counts.cells)
