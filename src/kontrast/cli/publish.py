"""``kontrast publish``: a suite as a data set folder, or results as others read them."""

from typing import Any

import click

from kontrast.cli.declared_options import command_options, declared_options
from kontrast.cli.suite_argument import suite_argument
from kontrast.judging.options import ScoresRead
from kontrast.reporting.terminal import print_json


@click.command()
@suite_argument()
@click.argument("scores", nargs=-1)
@command_options("publish", declared_options(ScoresRead))
def command(suite: str, scores: tuple[str, ...], folder: str, as_json: bool, **options: Any) -> None:
    """Write SUITE as a data set folder, ready to upload: card, data, licence, citation, datasheet.

    With SCORES, write the results instead: data/ has a record of Every Eval Ever for each system, hub/ has the
    metadata for its model card, METHOD.md describes the method, and CITATION.bib has the citations. Name systems
    as OWNER/NAME=FILE, unless the scores name them.
    """
    from kontrast.flows.suites import publish

    done = publish(suite, folder, *scores, **options)
    if as_json:
        print_json(done)
        return
    ask = "" if scores else "; answer the questions in DATASHEET.md"
    click.echo(f"{done.folder}: {done.items} items in {', '.join(done.files)}{ask}")
