"""``kontrast exclude``: take a suite's documents and sentences out of training data."""

from __future__ import annotations

from typing import Any

import click


@click.command(
    epilog="""\b
Examples:
  kontrast exclude train.en.gz train.de.gz --suite contrapro.json --out clean --report removed.tsv
  kontrast exclude OpenSubtitles.en-fr.en OpenSubtitles.en-fr.fr --ids OpenSubtitles.en-fr.ids \\
      --suite testset-en-fr.json --documents docids.selected --out clean
  kontrast exclude documents/ --suite demo:de --out clean-documents

Without --out nothing is written: the command shows what would be removed.
"""
)
@click.argument("corpus", metavar="CORPUS...", nargs=-1, required=True)
@click.option(
    "--suite",
    "suites",
    metavar="SUITE",
    multiple=True,
    required=True,
    help="Suite whose text is removed; may be repeated.",
)
@click.option(
    "--documents", "lists", metavar="FILE", multiple=True, help="More documents to remove, one id per line."
)
@click.option("--ids", metavar="FILE", help="OPUS ids: which document each line is from.")
@click.option(
    "--threshold",
    default=0.6,
    show_default=True,
    help="Similarity from which a line is removed: share of common word pairs, 0–1.",
)
@click.option(
    "--shortest",
    default=5,
    show_default=True,
    help="Lines with fewer words are removed only if both sides are an item's.",
)
@click.option("--both", is_flag=True, help="Remove a pair of lines only if both sides match.")
@click.option("--out", metavar="DIR", help="Folder for the remaining lines, under the same names (.gz stays .gz).")
@click.option("--report", metavar="FILE", help="A table (TSV) of every line removed, and why.")
@click.option("--from", "format", metavar="FORMAT", help="The suites' format, if it is not recognised.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    corpus: tuple[str, ...], suites: tuple[str, ...], lists: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    """Remove the documents and near-identical sentences of a test suite from CORPUS.

    CORPUS is text aligned line by line, a file per language (train.en train.de), or a folder of documents
    (YEAR/NAME.LANG). The same lines are removed from all files.
    """
    from kontrast.flows.suites import exclude
    from kontrast.io import files
    from kontrast.reporting.terminal import print_json

    documents = [line for path in lists for line in files.read_lines(path)]
    result = exclude(corpus, suites, documents=documents, **options)
    if as_json:
        print_json(result)
        return
    share = f" ({result.removed / result.lines:.2%})" if result.lines else ""
    click.echo(f"{result.removed:,} of {result.lines:,} lines removed{share}; {result.kept:,} kept")
    click.echo(f"  {result.reasons['document']:,} in {result.documents:,} documents of the suite")
    click.echo(f"  {result.reasons['exact']:,} the same as a text of the suite, {result.reasons['near']:,} nearly")
    click.echo(f"  {result.items:,} items of the suite were in the corpus outside of these documents")
    if options["out"] is None:
        click.echo("nothing written: give --out DIR")
