"""``kontrast memory``: was the suite in the training data?"""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.judging_options import options
from kontrast.cli.scoring_options import asked, model_options
from kontrast.cli.suite_argument import suite_argument
from kontrast.defaults import NATURAL
from kontrast.errors import KontrastError


@click.command(
    epilog="""\b
Examples:
  kontrast memory contrapro.json --model hf:./my-model
  kontrast memory contrapro.json --model hf:./my-model --complete --unseen new-items.jsonl
"""
)
@suite_argument()
@click.option("--model", metavar="ENGINE:NAME", help="The model to look into.")
@click.option("--unseen", metavar="SUITE", help="A suite that the model cannot have seen, to compare with.")
@click.option("--complete", is_flag=True, help="Also let the model write the second half of each translation.")
@click.option(
    "--k", type=click.FloatRange(0.01, 1), default=0.2, show_default=True, help="Share of tokens in Min-K%."
)
@click.option(
    "--natural",
    type=click.FloatRange(0),
    default=NATURAL,
    show_default=True,
    help="Bits per token that items may be ahead of their twins without having been seen.",
)
@options("level", "from", "json")
@model_options
def command(suite: str, model: str | None, as_json: bool, **given: Any) -> None:
    """Was SUITE in the model's training data? Items against twins with other names and numbers.

    What the result shows, and what it does not, stands below the numbers and in docs/analysis.md.
    """
    from kontrast.flows.memory import memory
    from kontrast.reporting.memory import memory_sections
    from kontrast.reporting.render.terminal import print_sections
    from kontrast.reporting.terminal import print_json

    if model is None:
        raise KontrastError("give --model ENGINE:NAME")
    how = asked(given)
    for name in ("side", "scheme", "documents"):
        how.pop(name)
    result = memory(suite, model, **given, **how)
    print_json(result) if as_json else print_sections(tuple(memory_sections(result)))
