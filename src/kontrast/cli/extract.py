"""``kontrast extract``: a suite's text and context as plain files."""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.declared_options import declared_options
from kontrast.cli.output import echo
from kontrast.cli.suite_argument import suite_argument
from kontrast.errors import KontrastError
from kontrast.suites.extraction import Extraction, ExtractOptions, extract

EPILOG = """\b
Examples:
  kontrast extract contrapro.json --documents documents --context 2 --style original --out text
  kontrast extract testset-en-fr.json --documents documents --target fr --style original --out text
  kontrast extract suite.jsonl --documents documents --context tokens:100 --context next:1 --out text
  kontrast extract demo:de --out text
  kontrast extract demo:de --one-per-item --context prev:1 --scheme sep --out text
"""


@click.command(epilog=EPILOG)
@suite_argument()
@click.option("--out", required=True, metavar="DIR", help="Folder for the files, made if it is not there.")
@declared_options(ExtractOptions)
@click.option("--one-per-item", is_flag=True, help="The source of each item, a line each, for systems to translate.")
@click.option("--scheme", metavar="NAME|TEXT", help="With --one-per-item: what joins context and sentence.")
@click.option("--from", "format", metavar="FORMAT", help="The suite's format, if it is not recognised.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(
    suite: str, out: str, one_per_item: bool, scheme: str | None, as_json: bool, contrastives: bool, **given: Any
) -> None:
    """Write the rows of SUITE and their context into DIR as files with a sentence per line.

    --one-per-item writes one file, NAME.items.src: translate it and give the result to `kontrast check`.
    """
    from kontrast.judging.wording import counted

    if scheme is not None and not one_per_item:
        raise KontrastError(
            "--scheme goes with --one-per-item: without it, context and sentence are written to separate files"
        )
    if one_per_item:
        from kontrast.flows.suites import extract_sources

        if any(given.pop(name) for name in ("style", "context_json", "spm")) or not contrastives:
            raise KontrastError(
                "--one-per-item has one layout: leave out --style, --context-json, --no-contrastives and --spm"
            )
        done = extract_sources(suite, out, scheme=scheme, **given)
        _tell(done, as_json, f"{done.files[0]}: {counted(done.items, 'line')}; translate them for `kontrast check`")
        return
    done = extract(suite, out, contrastives=contrastives, **given)
    size = f"{counted(done.items, 'item')}, {counted(done.rows, 'row')} in {counted(len(done.files), 'file')}"
    _tell(done, as_json, f"{out}: {size}")


def _tell(done: Extraction, as_json: bool, text: str) -> None:
    from kontrast.reporting.terminal import print_json

    if done.differing:
        told = f"{done.differing} of {done.items} sources are not the line that their document has at their segment"
        echo(f"kontrast: {told}", err=True)
    if done.differing_targets:
        told = f"{done.differing_targets} of {done.items} correct variants are not the line of the target's document"
        echo(f"kontrast: {told}", err=True)
    if as_json:
        print_json(done)
    else:
        echo(text, err=True)
