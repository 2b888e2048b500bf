"""``kontrast extract``: a suite's text and context as plain files."""

from __future__ import annotations

import click

from kontrast.cli.output import echo
from kontrast.suites import layouts

EPILOG = """\b
Examples:
  kontrast extract contrapro.json --documents documents --context 2 --style original --out text
  kontrast extract testset-en-fr.json --documents documents --target fr --style original --out text
  kontrast extract suite.jsonl --documents documents --context tokens:100 --context next:1 --out text
  kontrast extract demo:de --out text
"""
STYLES = ("original", *layouts.names())


@click.command(epilog=EPILOG)
@click.argument("suite")
@click.option("--out", required=True, metavar="DIR", help="Folder for the files, made if it is not there.")
@click.option("--documents", metavar="DIR", help="Folder of documents, as `kontrast documents` makes it.")
@click.option(
    "--context",
    multiple=True,
    metavar="N|next:N|tokens:N",
    help="Previous sentences, next ones, or as many previous ones as fit N words. May be given more than once. "
    "Default: 1 from documents, else what the suite holds.",
)
@click.option("--style", type=click.Choice(STYLES), help="The layout of an original tool. Default: the rows format.")
@click.option("--source", metavar="LANG", help="Source language (default: the suite's).")
@click.option("--target", metavar="LANG", help="Target language (default: the suite's). fr: segments count from 0.")
@click.option("--context-json", is_flag=True, help="ContraPro: context as JSON.")
@click.option("--no-contrastives", is_flag=True, help="ContraPro: references only.")
@click.option("--from", "format", metavar="FORMAT", help="The suite's format, if it is not recognised.")
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
def command(
    suite: str,
    out: str,
    documents: str | None,
    context: tuple[str, ...],
    style: str | None,
    source: str | None,
    target: str | None,
    context_json: bool,
    no_contrastives: bool,
    format: str | None,
    as_json: bool,
) -> None:
    """Write the rows of SUITE and their context into DIR as files with a sentence per line."""
    from kontrast.reporting.terminal import print_json
    from kontrast.suites.extraction import extract

    done = extract(
        suite,
        out,
        format=format,
        documents=documents,
        context=context or None,
        style=style,
        source=source,
        target=target,
        context_json=context_json,
        contrastives=not no_contrastives,
    )
    if done.differing:
        told = f"{done.differing} of {done.items} sources are not the line that their document has at their segment"
        echo(f"kontrast: {told}", err=True)
    if as_json:
        print_json(done)
    else:
        echo(f"{out}: {done.items} items, {done.rows} rows in {len(done.files)} files", err=True)
