"""``kontrast compare``: paired comparison of systems, contexts, normalisations."""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.judging_options import RESAMPLING, items_option, options, runs_option
from kontrast.cli.suite_argument import suite_argument


@click.command(
    epilog="""\b
Examples:
  kontrast compare contrapro.json base.scores big.scores --by distance
  kontrast compare contrapro.json no-context.scores context.scores --by "distance:cap=3"
  kontrast compare lingeval97.json base=s1.scores,s2.scores,s3.scores new=n1.scores,n2.scores,n3.scores
  kontrast compare suite.jsonl base.scores new.scores other.scores --baseline base
  kontrast compare suite.jsonl system.scores --normalise sum,token
"""
)
@suite_argument()
@click.argument("scores", nargs=-1, required=True)
@click.option("--maximize", is_flag=True, help="Higher is better. Default: lower, or what the signatures say.")
@click.option(
    "--test",
    type=click.Choice(["jackknife", "permutation", "mcnemar"]),
    default="jackknife",
    show_default=True,
    help="Which p-value is corrected and marked; all three are computed.",
)
@click.option(
    "--alpha", type=click.FloatRange(0.0001, 0.5), default=0.05, show_default=True, help="Significance level."
)
@click.option("--normalise", metavar="A,B", help="One score file with tokens: compare sum, token, byte, span.")
@click.option(
    "--baseline", metavar="NAME", help="Only the others against this system: its name, or what of it no other has."
)
@click.option(
    "--all", "every", is_flag=True, help="Of several systems: also groups without a significant difference."
)
@items_option
@runs_option
@options(*RESAMPLING, "from", "json")
def command(
    suite: str,
    scores: tuple[str, ...],
    maximize: bool,
    format: str | None,
    as_json: bool,
    normalise: str | None,
    every: bool,
    **options: Any,
) -> None:
    """Compare systems on the same items, pair by pair: SCORES of two or more of them.

    A system of several seeds is NAME=FILE,FILE,…: its credit is the mean over them, and with three or more
    the variance between seeds counts in the test (--runs fixed: these runs only).
    """
    from kontrast.flows.judging import compare
    from kontrast.reporting.comparison import print_comparison
    from kontrast.reporting.terminal import print_json

    result = compare(
        suite,
        *scores,
        maximize=True if maximize else None,
        normalise=normalise or (),
        format=format,
        **{name: options[name] for name in (*RESAMPLING, "items", "runs", "test", "alpha", "baseline")},
    )
    print_json(result) if as_json else print_comparison(result, every=every)
