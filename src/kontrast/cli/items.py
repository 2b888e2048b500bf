"""``kontrast items``: which items are worth their cost, and which keys may be wrong?"""

from __future__ import annotations

import click

from kontrast.cli.judging_options import options
from kontrast.cli.suite_argument import suite_argument


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
@click.option("--maximize", is_flag=True, default=None, help="Higher is better. Default: lower, or the signature.")
@options("from", "json")
def command(
    suite: str,
    scores: tuple[str, ...],
    suspects: str | None,
    maximize: bool | None,
    format: str | None,
    as_json: bool,
) -> None:
    """Difficulty, discrimination, suspected wrong keys and redundancy of items: SCORES of four systems or more."""
    from kontrast.flows.analysis import items
    from kontrast.reporting.analysis import item_sections
    from kontrast.reporting.render.terminal import print_sections
    from kontrast.reporting.terminal import print_json

    result = items(suite, *scores, suspects=suspects, maximize=maximize, format=format)
    if suspects is not None:
        click.echo(f"wrote {sum(each.suspect for each in result.items):,} items to {suspects}", err=True)
    print_json(result) if as_json else print_sections(tuple(item_sections(result)))
