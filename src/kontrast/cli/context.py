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
  kontrast context contrapro.json --without none.scores --with prev1.scores --control random.scores
  kontrast context demo:de --model tiny --context prev:1 --control random
  kontrast context contrapro.json --model hf:./my-model --documents DIR --context prev:0..5 --control other-document
  kontrast context contrapro.json base=b0.scores,b1.scores new=n0.scores,n1.scores
  kontrast context suite.jsonl --without a.scores --with b.scores --by distance --json
"""
)
@suite_argument()
@click.argument("systems", nargs=-1, metavar="[NAME=WITHOUT,WITH]...")
@model_options(ContextOptions)
@json_option
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

    result = context(suite, **given)
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
