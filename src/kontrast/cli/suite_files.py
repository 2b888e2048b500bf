"""Commands on the files of suites: convert, describe, lint, publish."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from kontrast.cli.declared_options import command_options, declared_options
from kontrast.cli.output import echo, ending_with
from kontrast.cli.suite_argument import suite_argument
from kontrast.errors import KontrastError
from kontrast.judging.options import ScoresRead
from kontrast.options import Suites
from kontrast.reporting.terminal import print_json, print_table
from kontrast.suites.lint import Level

if TYPE_CHECKING:
    from kontrast.building.repair import Repair
    from kontrast.suites.description import Description, TagCounts


def parse_options(pairs: tuple[str, ...]) -> dict[str, str]:
    """``NAME=VALUE`` of the command line.

    >>> parse_options(("context=2", "separator=<SEP>"))
    {'context': '2', 'separator': '<SEP>'}
    """
    options = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise KontrastError(f"--option: expected NAME=VALUE such as context=2, found {pair!r}")
        options[name.strip().replace("-", "_")] = value
    return options


def _list_formats(as_json: bool) -> None:
    from kontrast.suites.formats import get, names

    found = [get(name) for name in names()]
    if as_json:
        told = (
            {"name": f.name, "summary": f.summary, "writes": f.write is not None, "options": f.options} for f in found
        )
        print_json(list(told))
        return
    rows = [(f.name, "read and write" if f.write else "read", f.summary) for f in found]
    print_table(("format", "can", "what it is"), rows)
    for fmt in found:
        if fmt.options:
            print_table((f"option of {fmt.name}", "what it says"), fmt.options.items())


@click.command()
@suite_argument("path", metavar="IN", required=False)
@click.argument("out", metavar="OUT", required=False)
@command_options("convert")
def convert_command(
    path: str | None,
    out: str | None,
    options: tuple[str, ...],
    repair: bool,
    as_json: bool,
    formats: bool,
    **how: Any,
) -> None:
    from kontrast.flows.suites import convert
    from kontrast.judging.wording import counted

    if formats:
        _list_formats(as_json)
        return
    if path is None or out is None:
        raise click.UsageError("Give IN and OUT: a suite, and the file to write.")
    done = convert(path, out, repair=_print_changes if repair else False, **{**how, **parse_options(options)})
    if done.formulas:
        cells = f"{counted(done.formulas, 'cell')} of {out}"
        told = (
            "got an apostrophe"
            if how["safe"]
            else "would run as formulas in a spreadsheet program (they begin with = + - or @); see --safe"
        )
        echo(f"kontrast: {cells} {told}", err=True)
    for lost in done.lost:
        echo(f"kontrast: {done.to_format} cannot store {lost}", err=True)
    if as_json:
        print_json(done)
    elif out != "-":
        size = f"{counted(done.items, 'item')}, {counted(done.rows, 'row')}"
        echo(f"{out}: {size} in the {done.to_format} format", err=True)


def _print_changes(changes: Sequence[Repair]) -> None:
    """Every change goes to standard output: item, before, after."""
    for change in changes:
        echo(f"{change.item}\t{change.before}\t{change.after}")
    echo(f"{len(changes)} contrastives repaired", err=True)


@click.command()
@suite_argument(metavar="SUITE")
@command_options("describe", declared_options(Suites))
def describe_command(suite: str, by: str | None, format: str | None, as_json: bool) -> None:
    from kontrast.suites.description import describe

    description = describe(suite, by or (), format=format)
    if as_json:
        print_json(description)
        return
    if not by:
        _overview(description)
    for table in description.tables:
        print_counts(table)


def _items_told(number: int) -> str:
    return f"{number} item{'s' if number != 1 else ''}"


def _overview(description: Description) -> None:
    languages = f"{description.source_language or '?'} → {description.target_language or '?'}"
    variants = ", ".join(f"{_items_told(n)} with {k}" for k, n in description.variants_per_item.items())
    facts = {
        "languages": languages,
        "style": description.style,
        "licence": description.licence,
        "items": description.items,
        "rows": description.rows,
        "decisions": f"{description.decisions} ({description.unit}s)",
        "variants": variants,
        "left out": f"{_items_told(description.left_out)} with one variant" if description.left_out else None,
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


_COLOURS: dict[Level, str] = {"error": "red", "warning": "yellow", "note": "cyan"}
_SHOWN = 3


@click.command()
@suite_argument(metavar="SUITE")
@command_options("lint", declared_options(Suites))
def lint_command(suite: str, as_json: bool, **how: Any) -> None:
    from kontrast.flows.suites import lint
    from kontrast.judging.wording import counted

    findings = lint(suite, **how)
    with ending_with(1 if any(finding.level == "error" for finding in findings) else 0):
        if as_json:
            print_json(findings)
        else:
            for finding in findings:
                click.secho(f"{finding.level:7}", fg=_COLOURS[finding.level], nl=False)
                echo(f"  {finding.id}: {finding.message}")
                if finding.items:
                    more = finding.count - _SHOWN
                    named = ", ".join(finding.items[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
                    echo(f"         items {named}", dim=True)
            levels = [finding.level for finding in findings]
            counts = ", ".join(counted(levels.count(level), level) for level in _COLOURS)
            size = f"{counted(findings.items, 'item')}, {counted(findings.rows, 'row')}"
            echo(f"{findings.suite}: {size}; {counts}")


@click.command()
@suite_argument()
@click.argument("scores", nargs=-1)
@command_options("publish", declared_options(ScoresRead))
def publish_command(suite: str, scores: tuple[str, ...], folder: str, as_json: bool, **options: Any) -> None:
    from kontrast.flows.suites import publish

    done = publish(suite, folder, *scores, **options)
    if as_json:
        print_json(done)
        return
    ask = "" if scores else "; answer the questions in DATASHEET.md"
    click.echo(f"{done.folder}: {done.items} items in {', '.join(done.files)}{ask}")
