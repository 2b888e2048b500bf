"""``kontrast build pronouns``: a pronoun suite from documents."""

from typing import Any

import click

from kontrast.cli.build import on_text, split_on
from kontrast.cli.declared_options import command_options
from kontrast.errors import KontrastError
from kontrast.reporting.terminal import print_json


@click.command()
@command_options("build pronouns", on_text("a folder with NAME.LANGUAGE for each document"))
@click.argument("folder", metavar="[DOCUMENTS]", required=False)
def command(
    out: str, as_json: bool, pair: str, folder: str | None, documents: str | None, on: tuple[str, ...], **options: Any
) -> None:
    """Build items with a pronoun, its antecedent and wrong variants from DOCUMENTS in two languages.

    DOCUMENTS is a folder with YEAR/NAME.LANGUAGE, or an OPUS archive.

    Interrupted runs resume when you repeat the command.
    """
    from kontrast.cli.describe import print_counts
    from kontrast.flows.building import write_pronouns

    place = folder or documents
    if place is None:
        raise KontrastError("give DOCUMENTS: a folder with YEAR/NAME.LANGUAGE, or an OPUS archive")
    built = write_pronouns(out, pair, place, **split_on(on), **options)
    if as_json:
        print_json(built)
        return
    for table in built.by:
        print_counts(table)
    click.echo(f"{out}: {built.items} items of {built.found} found, from {built.documents} documents", err=True)
    for kind, count in built.short.items():
        click.echo(f"  ran short: {count} items with an antecedent {kind} are missing", err=True)
    for reason, count in sorted(built.left_out.items(), key=lambda pair: -pair[1]):
        if count:
            click.echo(f"  left out: {count} ({reason})", err=True)
