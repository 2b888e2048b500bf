"""``kontrast artefacts``: what can be had without the source?"""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.judging_options import options
from kontrast.cli.scoring_options import asked, model_options
from kontrast.cli.suite_argument import suite_argument


@click.command(
    epilog="""\b
Examples:
  kontrast artefacts contrapro.json
  kontrast artefacts contrapro.json a.scores b.scores --model hf:./my-model
  kontrast artefacts suite.jsonl a.scores --target-only language-model.scores --frequencies train.de.gz
"""
)
@suite_argument()
@click.argument("scores", nargs=-1)
@click.option("--target-only", metavar="FILE", help="Scores of a model that never saw the source.")
@click.option("--model", metavar="ENGINE:NAME", help="Make these scores with this model and an empty source.")
@click.option("--frequencies", metavar="TEXT", help="Count words here. Default: the suite's other items.")
@options("unit", "level", "from", "json")
@model_options
def command(suite: str, scores: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """How well can the suite be solved without the source: by length, frequency, form, or by what variants give away?

    With SCORES, also how good systems are where each of these is wrong. docs/analysis.md explains them.
    """
    from kontrast.flows.analysis import artefacts
    from kontrast.reporting.analysis import artefact_sections
    from kontrast.reporting.render.terminal import print_sections
    from kontrast.reporting.terminal import print_json

    how = asked(given)
    for name in ("side", "scheme", "documents"):
        how.pop(name)
    result = artefacts(suite, *scores, **given, **how)
    print_json(result) if as_json else print_sections(tuple(artefact_sections(result)))
