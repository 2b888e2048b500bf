"""``kontrast publish``: a suite as a data set folder, or results as others read them."""

from typing import Any, get_args

import click

from kontrast.cli.declared_options import declared_options, json_option
from kontrast.cli.suite_argument import suite_argument
from kontrast.judging.options import ScoresRead
from kontrast.reporting.results_for_others import Relationship
from kontrast.reporting.terminal import print_json


@click.command()
@suite_argument()
@click.argument("scores", nargs=-1)
@click.option("--to", "folder", required=True, metavar="DIR", help="A new folder.")
@click.option("--licence", metavar="NAME", help="Licence of a suite (default: the suite's own).")
@click.option("--citation", metavar="FILE", help="Citation of a suite in BibTeX (default: the suite's own).")
@click.option("--evaluator", metavar="NAME", help="Who ran the evaluation (for results).")
@click.option(
    "--relationship",
    type=click.Choice(get_args(Relationship)),
    default="other",
    help="Relation of the evaluator to the model (for results).",
)
@declared_options(ScoresRead)
@json_option
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
