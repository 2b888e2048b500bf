"""Commands between suites and plain text: extract, documents, exclude."""

from typing import Any

import click

from kontrast.cli.declared_options import command_options, declared_options
from kontrast.cli.output import echo
from kontrast.cli.suite_argument import suite_argument
from kontrast.errors import KontrastError
from kontrast.io import files
from kontrast.reporting.terminal import print_json
from kontrast.suites.documents import documents
from kontrast.suites.exclusion import ExclusionOptions, exclude
from kontrast.suites.extraction import Extraction, ExtractOptions, extract


@click.command()
@suite_argument()
@command_options("extract", declared_options(ExtractOptions))
def extract_command(
    suite: str, out: str, one_per_item: bool, scheme: str | None, as_json: bool, contrastives: bool, **given: Any
) -> None:
    from kontrast.judging.wording import counted

    if scheme is not None and not one_per_item:
        raise KontrastError(
            "--scheme needs --one-per-item: other layouts write context and sentence to separate files"
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
    if done.differing:
        told = f"{done.differing} of {done.items} sources differ from the line of their document"
        echo(f"kontrast: {told}", err=True)
    if done.differing_targets:
        told = (
            f"{done.differing_targets} of {done.items} correct variants differ from the line of the target document"
        )
        echo(f"kontrast: {told}", err=True)
    if as_json:
        print_json(done)
    else:
        echo(text, err=True)


@click.command()
@click.argument("ids")
@click.argument("source", metavar="SRC")
@click.argument("target", metavar="TRG")
@command_options("documents")
def documents_command(
    ids: str,
    source: str,
    target: str,
    out: str,
    source_language: str | None,
    target_language: str | None,
    as_json: bool,
) -> None:
    done = documents(ids, source, target, out, source_language=source_language, target_language=target_language)
    if as_json:
        print_json(done)
    else:
        click.echo(f"{out}: {done.documents} documents, {done.lines} lines in each language", err=True)


@click.command()
@click.argument("corpus", metavar="CORPUS...", nargs=-1, required=True)
@command_options("exclude", declared_options(ExclusionOptions))
def exclude_command(
    corpus: tuple[str, ...], suites: tuple[str, ...], lists: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    documents = [line for path in lists for line in files.read_lines(path)]
    result = exclude(corpus, suites, documents=documents, **options)
    if as_json:
        print_json(result)
        return
    share = f" ({result.removed / result.lines:.2%})" if result.lines else ""
    click.echo(f"{result.removed:,} of {result.lines:,} lines removed{share}; {result.kept:,} kept")
    click.echo(f"  {result.reasons['document']:,} in {result.documents:,} documents of the suite")
    click.echo(f"  {result.reasons['exact']:,} equal to a text of the suite, {result.reasons['near']:,} nearly")
    click.echo(f"  {result.items:,} items of the suite were in the corpus outside these documents")
    if options["out"] is None:
        click.echo("nothing was written; give --out DIR to write")
