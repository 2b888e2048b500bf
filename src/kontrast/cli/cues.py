"""``kontrast cues``: which words of the context does a system use?"""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.judging_options import options
from kontrast.cli.scoring_options import asked, model_options
from kontrast.cli.suite_argument import suite_argument
from kontrast.errors import KontrastError


@click.command(
    epilog="""\b
Examples:
  kontrast cues demo:de --model tiny --context prev:1
  kontrast cues contrapro.json --model hf:./my-model --documents DIR --context prev:2 --max-calls 20000
  kontrast cues "highlighted.train?foils=OpenSubs" --model hf:./en-fr --context prev:1 --replace "..." --json
"""
)
@suite_argument()
@click.option("--model", metavar="ENGINE:NAME", help="The model to look into; any engine.")
@click.option("--context", default="prev:1", show_default=True, metavar="prev:N", help="How many previous sentences.")
@click.option("--replace", metavar="TEXT", help="Put this in a word's place. Default: leave the word out.")
@click.option("--max-calls", type=click.IntRange(1), metavar="N", help="Score at most N pairs of source and target.")
@options("from", "json")
@model_options
def command(suite: str, model: str | None, as_json: bool, **given: Any) -> None:
    """Which words of the context does a system use?

    Each sentence of the context, then each word, is left out; the change of the margin is its weight. Interrupted
    runs go on where they stopped (see kontrast store). docs/context.md says what the shares mean.
    """
    from kontrast.flows.cues import cues
    from kontrast.reporting.cues import cue_sections
    from kontrast.reporting.render.terminal import print_sections
    from kontrast.reporting.terminal import print_json

    if model is None:
        raise KontrastError("give --model ENGINE:NAME")
    how = asked(given)
    result = cues(suite, model, **given, **how)
    print_json(result) if as_json else print_sections(tuple(cue_sections(result)))
