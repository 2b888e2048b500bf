"""``kontrast compare``: paired comparison of systems, contexts, normalisations."""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.declared_options import declared_options, json_option
from kontrast.cli.suite_argument import suite_argument
from kontrast.judging.options import Comparing


@click.command(
    epilog="""\b
Examples:
  kontrast compare contrapro.json base.scores big.scores --by distance
  kontrast compare contrapro.json no-context.scores context.scores --by "distance:cap=3"
  kontrast compare lingeval97.json base=s1.scores,s2.scores,s3.scores new=n1.scores,n2.scores,n3.scores
  kontrast compare suite.jsonl base.scores new.scores other.scores --baseline base
  kontrast compare suite.jsonl system.scores --normalise sum,token
  kontrast compare errors.jsonl system.scores --own own.jsonl --own-scores own.scores
"""
)
@suite_argument()
@click.argument("scores", nargs=-1, required=True)
@declared_options(Comparing)
@click.option(
    "--all", "every", is_flag=True, help="Of several systems: also groups without a significant difference."
)
@json_option
def command(suite: str, scores: tuple[str, ...], every: bool, as_json: bool, **options: Any) -> None:
    """Compare systems on the same items, pair by pair: SCORES of two or more of them.

    A system of several seeds is NAME=FILE,FILE,…: its credit is the mean over them, and with three or more
    the variance between seeds counts in the test (--runs fixed: these runs only).
    """
    from kontrast.flows.judging import compare
    from kontrast.reporting.comparison import print_comparison
    from kontrast.reporting.terminal import print_json

    result = compare(suite, *scores, **options)
    print_json(result) if as_json else print_comparison(result, every=every)
