"""``kontrast artefacts``: what can be had without the source?"""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.declared_options import json_option, model_options
from kontrast.cli.suite_argument import suite_argument
from kontrast.flows.analysis import ArtefactOptions


@click.command(
    epilog="""\b
Examples:
  kontrast artefacts contrapro.json
  kontrast artefacts contrapro.json a.scores b.scores --model hf:./my-model
  kontrast artefacts suite.jsonl --tagged suite.easy.jsonl
  kontrast artefacts suite.jsonl a.scores --target-only language-model.scores --frequencies train.de.gz
"""
)
@suite_argument()
@click.argument("scores", nargs=-1)
@model_options(ArtefactOptions)
@json_option
def command(suite: str, scores: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """How well can the suite be solved without the source: by length, frequency, form, or by what variants give away?

    With SCORES, also how good systems are where each of these is wrong. docs/analysis.md explains them.
    """
    from kontrast.flows.analysis import artefacts
    from kontrast.reporting.analysis import artefact_sections
    from kontrast.reporting.render.terminal import print_sections
    from kontrast.reporting.terminal import print_json

    result = artefacts(suite, *scores, **given)
    print_json(result) if as_json else print_sections(tuple(artefact_sections(result)))
