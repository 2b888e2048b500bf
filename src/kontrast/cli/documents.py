"""``kontrast documents``: OPUS ids and aligned text into one file per document."""

from __future__ import annotations

import click

EPILOG = """\b
Example:
  kontrast documents OpenSubtitles.de-en.ids OpenSubtitles.de-en.en OpenSubtitles.de-en.de --out documents
"""


@click.command(epilog=EPILOG)
@click.argument("ids")
@click.argument("source", metavar="SRC")
@click.argument("target", metavar="TRG")
@click.option("--out", required=True, metavar="DIR", help="Folder for the documents, made if it is not there.")
@click.option("--source", "source_language", metavar="LANG", help="Ending of source files (default: that of SRC).")
@click.option("--target", "target_language", metavar="LANG", help="Ending of target files (default: that of TRG).")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(
    ids: str,
    source: str,
    target: str,
    out: str,
    source_language: str | None,
    target_language: str | None,
    as_json: bool,
) -> None:
    """Split SRC and TRG, aligned line by line with IDS, into DIR/<year>/<document>.<language>.

    The three files may be packed (.gz, .zst); they are streamed, so their size does not matter.
    """
    from kontrast.reporting.terminal import print_json
    from kontrast.suites.documents import documents

    done = documents(ids, source, target, out, source_language=source_language, target_language=target_language)
    if as_json:
        print_json(done)
    else:
        click.echo(f"{out}: {done.documents} documents, {done.lines} lines in each language", err=True)
