"""``kontrast convert``: any format to any other that can hold it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from kontrast.cli.declared_options import command_options
from kontrast.cli.output import echo
from kontrast.cli.suite_argument import suite_argument
from kontrast.errors import KontrastError
from kontrast.reporting.terminal import print_json, print_table

if TYPE_CHECKING:
    from kontrast.building.repair import Repair


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
def command(
    path: str | None,
    out: str | None,
    options: tuple[str, ...],
    repair: bool,
    as_json: bool,
    formats: bool,
    **how: Any,
) -> None:
    """Write the suite IN as OUT in another format. Standard error names the fields that this format cannot store.

    OUT can be - for standard output. Files that end in .gz or .zst are compressed.
    """
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
