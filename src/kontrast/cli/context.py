"""``kontrast context``: does a system use the context?"""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.judging_options import options
from kontrast.cli.scoring_options import asked, model_options
from kontrast.cli.suite_argument import suite_argument
from kontrast.defaults import ALPHA, SEED
from kontrast.errors import KontrastError


@click.command(
    epilog="""\b
Examples:
  kontrast context contrapro.json --without none.scores --with prev1.scores --control random.scores
  kontrast context demo:de --model tiny --context prev:1 --control random
  kontrast context contrapro.json --model hf:./my-model --documents DIR --context prev:0..5 --control other-document
  kontrast context contrapro.json base=b0.scores,b1.scores new=n0.scores,n1.scores
  kontrast context suite.jsonl --without a.scores --with b.scores --by distance --json
"""
)
@suite_argument()
@click.argument("systems", nargs=-1, metavar="[NAME=WITHOUT,WITH]...")
@click.option("--without", metavar="FILE", help="Scores without context.")
@click.option("--with", "given", metavar="FILE", help="Scores of the same model with context.")
@click.option("--control", metavar="FILE|KIND", help="Scores with a wrong context; with --model: random, shuffled …")
@click.option("--model", metavar="ENGINE:NAME", help="Make the scores with this model instead.")
@click.option(
    "--context",
    default="prev:1",
    show_default=True,
    metavar="prev:N|prev:0..N",
    help="With --model: how many previous sentences; 0..N gives a curve.",
)
@click.option("--pointwise", metavar="FILE", help="Write the bits of every token (P-CXMI) as JSON lines.")
@click.option("--sentences", is_flag=True, help="Whole sentences only: for engines that give no tokens.")
@click.option("--ignored-below", type=float, default=0.05, show_default=True, help="Bits that count as no change.")
@click.option(
    "--alpha", type=click.FloatRange(0.0001, 0.5), default=ALPHA, show_default=True, help="Level of the tests."
)
@click.option(
    "--allow", multiple=True, type=click.Choice(["suite", "model"]), help="Take files although they differ in this."
)
@click.option("--seed", type=click.IntRange(0), default=SEED, show_default=True, help="Seed of the wrong context.")
@options("by", "unit", "level", "from", "json")
@model_options
def command(suite: str, systems: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """Does a system use the context of SUITE, or does it merely change with it?

    One model scored without context, with it, and with a wrong one (the control). The bits that context adds to each
    token (CXMI, P-CXMI) stand beside; docs/context.md has the formulas.

    Two systems, each NAME=WITHOUT,WITH (its score files), answer another question: which uses the context more?
    """
    if systems:
        _compare(suite, systems, as_json, given)
        return
    from kontrast.flows.context import context
    from kontrast.reporting.context import context_sections
    from kontrast.reporting.render.terminal import print_sections
    from kontrast.reporting.terminal import print_json

    how = asked(given)
    if given["model"] is None:
        how.pop("store")
        how = {}
    result = context(suite, **given, **how)
    print_json(result) if as_json else print_sections(tuple(context_sections(result)))


def _compare(suite: str, systems: tuple[str, ...], as_json: bool, given: dict[str, Any]) -> None:
    from kontrast.flows.context import compare_context
    from kontrast.reporting.context import print_gains
    from kontrast.reporting.terminal import print_json

    if given["without"] or given["given"] or given["model"]:
        raise KontrastError("two systems (NAME=WITHOUT,WITH) do not go with --without, --with and --model")
    how = {name: given[name] for name in ("unit", "alpha", "level", "format")}
    result = compare_context(suite, *systems, **how)
    print_json(result) if as_json else print_gains(result)
