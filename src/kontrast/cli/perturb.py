"""``kontrast perturb``: sentences in, contrastive variants out."""

from itertools import starmap
from typing import Any

import click

from kontrast.cli.declared_options import command_options
from kontrast.reporting.terminal import print_json, print_table


@click.command()
@click.argument("file", required=False)
@command_options("perturb")
def command(
    file: str | None, language: str, types: str | None, listing: bool, out: str, as_json: bool, **options: Any
) -> None:
    from kontrast.building.errors.registry import known_names, listed
    from kontrast.building.errors.run import as_record
    from kontrast.flows.building import perturb
    from kontrast.io.json_input import write_json_lines

    names = [name.strip() for name in types.split(",") if name.strip()] if types else None
    if listing:
        chosen = tuple(names) if names else known_names(language, options["lexicon"]) or None
        explained = {p.name: p.declared.summary for p in listed(language, chosen, options["lexicon"])}
        print_json(explained) if as_json else print_table(("type", "what it does"), explained.items())
        return
    if file is None:
        raise click.UsageError("FILE is missing: name a file with a sentence per line, or - for standard input.")
    write_json_lines(out, starmap(as_record, perturb(file, language, names, **options)))
