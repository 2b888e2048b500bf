"""``kontrast items``: which items are worth their cost, and which keys may be wrong?"""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.declared_options import declared_options, json_option
from kontrast.cli.suite_argument import suite_argument
from kontrast.judging.options import ScoresRead


@click.command(
    epilog="""\b
Examples:
  kontrast items contrapro.json a.scores b.scores c.scores d.scores
  kontrast items suite.jsonl *.scores --suspects suspects.jsonl && kontrast review suspects.jsonl
  kontrast items suite.jsonl *.scores --json
"""
)
@suite_argument()
@click.argument("scores", nargs=-1, required=True)
@click.option("--suspects", metavar="FILE", help="Write the items whose key may be wrong, for kontrast review.")
@declared_options(ScoresRead)
@json_option
def command(suite: str, scores: tuple[str, ...], suspects: str | None, as_json: bool, **options: Any) -> None:
    """Difficulty, discrimination, suspected wrong keys and redundancy of items: SCORES of at least four systems."""
    from kontrast.flows.analysis import items
    from kontrast.reporting.analysis import item_sections
    from kontrast.reporting.render.terminal import print_sections
    from kontrast.reporting.terminal import print_json

    result = items(suite, *scores, suspects=suspects, **options)
    if suspects is not None:
        click.echo(f"wrote {sum(each.suspect for each in result.items):,} items to {suspects}", err=True)
    print_json(result) if as_json else print_sections(tuple(item_sections(result)))
