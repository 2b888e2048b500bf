"""``kontrast context``: does a system use the context?"""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.declared_options import json_option, model_options
from kontrast.cli.suite_argument import suite_argument
from kontrast.errors import KontrastError
from kontrast.flows.context import ContextOptions


@click.command(
    epilog="""\b
Examples:
  kontrast context contrapro.json none.scores prev1.scores random.scores
  kontrast context demo:de --model tiny --context prev:1 --control random
  kontrast context contrapro.json --model hf:./my-model --documents DIR --context prev:0..5 --control other-document
  kontrast context contrapro.json base=b0.scores,b1.scores new=n0.scores,n1.scores
  kontrast context suite.jsonl none.scores prev1.scores --by distance --json
"""
)
@suite_argument()
@click.argument("systems", nargs=-1, metavar="[WITHOUT WITH [CONTROL] | A=WITHOUT,WITH B=WITHOUT,WITH]")
@model_options(ContextOptions, first=("without", "given", "control", "model", "context", "by"))
@json_option
def command(suite: str, systems: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """Does a system use the context of SUITE, or does its output only change with it?

    Give the scores of one model without context, with context and, preferably, with a wrong context (the control).
    Or give --model to compute them. docs/context.md has the formulas.

    Two systems, A=WITHOUT,WITH and B=WITHOUT,WITH: which one gains more from the context?
    """
    if any("=" in each for each in systems):
        _compare(suite, systems, as_json, given)
        return
    if systems:
        if given["without"] or given["given"] or given["model"] or len(systems) not in (2, 3):
            raise KontrastError(
                "expected the score files WITHOUT WITH [CONTROL], or A=WITHOUT,WITH B=WITHOUT,WITH; "
                f"found {len(systems)}"
            )
        given |= dict(zip(("without", "given", "control"), systems, strict=False))
    from kontrast.flows.context import context
    from kontrast.reporting.context import print_context
    from kontrast.reporting.terminal import print_json

    result = context(suite, **given)
    print_json(result) if as_json else print_context(result)


def _compare(suite: str, systems: tuple[str, ...], as_json: bool, given: dict[str, Any]) -> None:
    from kontrast.flows.context import compare_context
    from kontrast.reporting.context import print_gains
    from kontrast.reporting.terminal import print_json

    if given["without"] or given["given"] or given["model"] or len(systems) != 2:
        raise KontrastError("expected two systems, A=WITHOUT,WITH B=WITHOUT,WITH, without --with and --model")
    how = {name: given[name] for name in ("unit", "alpha", "level", "format")}
    result = compare_context(suite, *systems, **how)
    print_json(result) if as_json else print_gains(result)
