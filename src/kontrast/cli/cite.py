"""``kontrast cite``: BibTeX, and the sentence that says how numbers were made."""

from __future__ import annotations

import click

from kontrast.cli.suite_argument import suite_argument


@click.command(
    epilog="""\b
Examples:
  kontrast cite
  kontrast cite contrapro
  kontrast cite contrapro base.scores new.scores
"""
)
@suite_argument(default="kontrast")
@click.argument("scores", nargs=-1)
def command(suite: str, scores: tuple[str, ...]) -> None:
    """BibTeX of SUITE (a name of the catalogue or a file) and of kontrast.

    With SCORES also how they were made and judged, in sentences for a paper.
    """
    from kontrast.cli.output import echo
    from kontrast.flows.judging import describe_method
    from kontrast.flows.suites import cite

    if scores:
        echo(describe_method(suite, *scores))
        echo()
    echo(cite(*dict.fromkeys([suite, "kontrast"])))
