"""``kontrast init``: a table to begin a suite of one's own with."""

from __future__ import annotations

import click


@click.command(
    epilog="""\b
Example:
  kontrast init --pair en-pt my.csv
  kontrast lint my.csv
  kontrast score my.csv --model tiny --out tiny.scores
"""
)
@click.argument("path", metavar="FILE")
@click.option("--pair", required=True, metavar="SRC-TRG", help="The languages, as in en-pt.")
def command(path: str, pair: str) -> None:
    """Write FILE (.csv, .tsv or .xlsx) with the columns of a suite, explained, and an example row."""
    from kontrast.suites.starter import init

    click.echo(f"{init(path, pair)}: fill in rows, then try kontrast lint {path}", err=True)
