"""``kontrast shorten``: a short version that keeps the order of systems."""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.declared_options import declared_options, json_option
from kontrast.cli.suite_argument import suite_argument
from kontrast.errors import KontrastError
from kontrast.judging.options import Resampling, ScoresRead


@click.command(
    epilog="""\b
Examples:
  kontrast shorten contrapro.json a.scores b.scores c.scores d.scores --size 500 --out contrapro-500.jsonl
  kontrast shorten suite.jsonl *.scores --size 200 --out short.jsonl --json
"""
)
@suite_argument()
@click.argument("scores", nargs=-1, required=True)
@click.option("--size", type=click.IntRange(1), metavar="N", help="How many items to keep.")
@click.option("--out", metavar="FILE", help="File for the short suite.")
@declared_options(ScoresRead)
@declared_options(Resampling, only=("seed",))
@json_option
def command(
    suite: str, scores: tuple[str, ...], size: int | None, out: str | None, as_json: bool, **options: Any
) -> None:
    """A short version of SUITE that keeps the order of systems and the breakdown by phenomenon.

    From SCORES of four systems or more. How it is made, and how it is checked on systems left out: docs/analysis.md.
    """
    from kontrast.flows.analysis import shorten
    from kontrast.reporting.analysis import short_sections
    from kontrast.reporting.render.terminal import print_sections
    from kontrast.reporting.terminal import print_json

    if size is None or out is None:
        raise KontrastError("give --size N and --out FILE")
    result = shorten(suite, *scores, size=size, out=out, **options)
    if as_json:
        print_json({name: value for name, value in result.to_dict().items() if name != "suite"})
    else:
        print_sections(tuple(short_sections(result)))
