"""``kontrast check``: is the right form in what the system wrote?"""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.output import echo
from kontrast.cli.scoring_options import scoring_options
from kontrast.cli.suite_argument import suite_argument
from kontrast.defaults import SEED


@click.command(
    epilog="""\b
Examples:
  kontrast check contrapro.json system.de --by distance
  kontrast check contrapro.json system.de --scores system.scores
  kontrast check contrapro.json system.de --items system.verdicts
  kontrast check suite.jsonl passages.de --align separator --separator "<sep>"
  kontrast check gender.opensubtitles.en-de.test.json system.de --style original --json
"""
)
@suite_argument()
@click.argument("translations", nargs=-1, required=True)
@click.option(
    "--style", type=click.Choice(["original"]), help="The check of the set's own authors (CTXPro, MT-GenEval, DFKI)."
)
@click.option("--complete", is_flag=True, help="With --style original of CTXPro: also by rule.")
@click.option("--pretty", is_flag=True, help="As --complete, with lines between.")
@click.option(
    "--align",
    type=click.Choice(["auto", "whole", "separator", "count", "length"]),
    default="auto",
    show_default=True,
    help="Where the item's sentence is in a translated passage.",
)
@click.option("--separator", metavar="TEXT", help="What stands between the sentences of a passage.")
@click.option("--context", type=click.IntRange(0), metavar="N", help="Passages had N sentences before. Default: all.")
@click.option("--by-distance", is_flag=True, help="Decide by the nearer variant what words cannot tell apart.")
@click.option("--by", multiple=True, metavar="TAG[:RULE][,TAG]", help="Also by tag: distance, frequency:log …")
@click.option(
    "--items",
    "--out",
    "items",
    metavar="FILE",
    help="Write each verdict with what was looked for and found; compare, gate, report read it. Several: a folder.",
)
@click.option("--scores", metavar="FILE", help="The same system's scores: both verdicts side by side.")
@click.option("--maximize", is_flag=True, help="Higher scores are better. Default: lower, or the signature.")
@click.option(
    "--level",
    type=click.FloatRange(0.5, 0.9999),
    default=0.95,
    show_default=True,
    help="Confidence level of the intervals.",
)
@click.option(
    "--allow", multiple=True, type=click.Choice(["suite"]), help="Take scores or translations of another suite."
)
@scoring_options("limit")
@click.option("--seed", default=SEED, show_default=True, help="Seed of --limit, as of translate.")
@click.option("--from", "format", metavar="FORMAT", help="The suite's format, if it is not recognised.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(suite: str, translations: tuple[str, ...], maximize: bool, as_json: bool, **options: Any) -> None:
    """Look for the right and wrong forms in TRANSLATIONS: a line per item of SUITE, of its sentence or passage.

    `-` is standard input.
    """
    from kontrast.flows.checking import check
    from kontrast.judging.check_records import Checks
    from kontrast.reporting.checking import print_check, print_checks
    from kontrast.reporting.terminal import print_json

    result = check(suite, *translations, maximize=True if maximize else None, **options)
    systems = result.systems if isinstance(result, Checks) else (result,)
    if as_json:
        print_json(result)
    elif all(each.printed for each in systems):
        echo("\n".join(line for each in systems for line in each.printed))
    elif isinstance(result, Checks):
        print_checks(result)
    else:
        print_check(result)
