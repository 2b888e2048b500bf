"""``kontrast check``: is the right form in what the system wrote?"""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.declared_options import declared_options, json_option
from kontrast.cli.output import echo
from kontrast.cli.suite_argument import suite_argument
from kontrast.judging.options import Checking


@click.command(
    epilog="""\b
Examples:
  kontrast check contrapro.json system.de --by distance
  kontrast check contrapro.json system.de --scores system.scores
  kontrast check contrapro.json system.de --items system.verdicts
  kontrast check contrapro.json system.de system.de.? --samples --scores system.scores
  kontrast check suite.jsonl passages.de --align separator --separator "<sep>"
  kontrast check gender.opensubtitles.en-de.test.json system.de --style original --json
"""
)
@suite_argument()
@click.argument("translations", nargs=-1, required=True)
@declared_options(Checking)
@json_option
def command(suite: str, translations: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Look for the right and wrong forms in TRANSLATIONS: a line per item of SUITE, of its sentence or passage.

    `-` is standard input.
    """
    from kontrast.flows.checking import check
    from kontrast.judging.check_records import Checks
    from kontrast.reporting.checking import print_check, print_checks
    from kontrast.reporting.render.terminal import print_sections
    from kontrast.reporting.sampled import sampled_sections
    from kontrast.reporting.terminal import print_json

    result = check(suite, *translations, **options)
    systems = result.systems if isinstance(result, Checks) else (result,)
    if as_json:
        print_json(result)
    elif all(each.printed for each in systems):
        echo("\n".join(line for each in systems for line in each.printed))
        for each in systems:
            if left := each.total - each.right - each.wrong:
                told = f"{left:,} of {each.total:,} translations are neither right nor wrong by the set's own check"
                click.echo(f"kontrast: {each.system}: {told}", err=True)
    elif isinstance(result, Checks):
        print_checks(result)
        print_sections(tuple(sampled_sections(result)))
    else:
        print_check(result)
