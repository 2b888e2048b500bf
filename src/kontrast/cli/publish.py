"""``kontrast publish``: a suite as a data set folder."""

from __future__ import annotations

import click

from kontrast.cli.declared_options import format_option, json_option
from kontrast.cli.suite_argument import suite_argument


@click.command(
    epilog="""\b
Example:
  kontrast publish suite.jsonl --to my-set --licence 'CC BY 4.0' --citation paper.bib
  huggingface-cli upload OWNER/NAME my-set --repo-type dataset
"""
)
@suite_argument()
@click.option("--to", "folder", required=True, metavar="DIR", help="A new folder.")
@click.option("--licence", metavar="NAME", help="The licence (default: what the suite says).")
@click.option("--citation", metavar="FILE", help="BibTeX (default: what the suite says).")
@format_option
@json_option
def command(
    suite: str, folder: str, licence: str | None, citation: str | None, format: str | None, as_json: bool
) -> None:
    """Write SUITE as a data set folder, ready to upload: card, data, licence, citation, datasheet."""
    from kontrast.flows.suites import publish
    from kontrast.reporting.terminal import print_json

    done = publish(suite, folder, licence=licence, citation=citation, format=format)
    if as_json:
        print_json(done)
        return
    click.echo(f"{done.folder}: {done.items} items in {', '.join(done.files)}; answer the questions in DATASHEET.md")
