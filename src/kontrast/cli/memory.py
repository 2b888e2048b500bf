"""``kontrast memory``: was the suite in the training data?"""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.declared_options import json_option, model_options
from kontrast.cli.suite_argument import suite_argument
from kontrast.errors import KontrastError
from kontrast.flows.analysis import MemoryOptions


@click.command(
    epilog="""\b
Examples:
  kontrast memory contrapro.json --model hf:./my-model
  kontrast memory contrapro.json --model hf:./my-model --complete --unseen new-items.jsonl
"""
)
@suite_argument()
@click.option("--model", metavar="ENGINE:NAME", help="The model to examine.")
@model_options(MemoryOptions)
@json_option
def command(suite: str, model: str | None, as_json: bool, **given: Any) -> None:
    """Was SUITE in the model's training data? Items against twins with other names and numbers.

    The lines below the numbers and docs/analysis.md explain what the result shows.
    """
    from kontrast.flows.analysis import memory
    from kontrast.reporting.analyses import memory_sections
    from kontrast.reporting.render.terminal import print_sections
    from kontrast.reporting.terminal import print_json

    if model is None:
        raise KontrastError("give --model ENGINE:NAME")
    result = memory(suite, model, **given)
    print_json(result) if as_json else print_sections(tuple(memory_sections(result)))
