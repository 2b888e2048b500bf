"""``kontrast cues``: which words of the context does a system use?"""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.declared_options import json_option, model_options
from kontrast.cli.suite_argument import suite_argument
from kontrast.errors import KontrastError
from kontrast.flows.cues import CueOptions


@click.command(
    epilog="""\b
Examples:
  kontrast cues demo:de --model tiny --context prev:1
  kontrast cues contrapro.json --model hf:./my-model --documents DIR --context prev:2 --max-calls 20000
  kontrast cues "highlighted.train?foils=OpenSubs" --model hf:./en-fr --context prev:1 --replace "..." --json
"""
)
@suite_argument()
@click.option("--model", metavar="ENGINE:NAME", help="The model to examine; any engine.")
@model_options(CueOptions)
@json_option
def command(suite: str, model: str | None, as_json: bool, **given: Any) -> None:
    """Which words of the context does a system use?

    Each sentence of the context, then each word, is left out; the change of the margin is its weight. Interrupted
    runs resume when you repeat the command (see kontrast store). docs/context.md explains the shares.
    """
    from kontrast.flows.cues import cues
    from kontrast.reporting.analyses import cue_sections
    from kontrast.reporting.render.terminal import print_sections
    from kontrast.reporting.terminal import print_json

    if model is None:
        raise KontrastError("give --model ENGINE:NAME")
    result = cues(suite, model, **given)
    print_json(result) if as_json else print_sections(tuple(cue_sections(result)))
