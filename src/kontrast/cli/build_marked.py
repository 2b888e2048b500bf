"""``kontrast build marked``: a suite of errors that people marked in what systems wrote."""

from typing import Any

import click

from kontrast.cli.declared_options import command_options, declared_options
from kontrast.options import Cluster
from kontrast.reporting.terminal import print_json, print_table


@click.command()
@click.argument("ratings", nargs=-1, required=True)
@command_options("build marked", declared_options(Cluster))
def command(ratings: tuple[str, ...], out: str, as_json: bool, **options: Any) -> None:
    """Build a suite from the errors that people marked in RATINGS.

    RATINGS are MQM tables (one marked error per line, in <v>…</v>), error spans (ESA, with --texts) or your own
    table with columns system, source and target. The right text of an item is another output or a reference of
    the same segment without a mark in the part that differs, or the output repaired with words of such a text.
    """
    from kontrast.flows.marked import write_marked

    built = write_marked(out, ratings, **options)
    if as_json:
        print_json(built)
        return
    share = f"{built.used} of {built.marks} marked errors gave an item; expected right: {built.expected:.0%}"
    rows = [(name, *counts) for name, counts in built.by_category.items()]
    print_table(("category · severity", "marked", "used"), rows, caption=f"{built.items} items in {out}; {share}")
    if built.unjudged:
        print_table(
            ("items", ""), [("before --judge", built.unjudged), ("left out by it", built.unjudged - built.items)]
        )
    print_table(("kind", "items"), built.kinds.items())
    print_table(("no item", "marks"), built.nothing.items())
