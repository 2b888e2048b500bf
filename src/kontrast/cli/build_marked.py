"""``kontrast build marked``: a suite of errors that people marked in what systems wrote."""

from typing import Any

import click

from kontrast.cli.declared_options import cluster_options
from kontrast.defaults import MARKED_CONFIDENCE
from kontrast.reporting.terminal import print_json, print_table


@click.command()
@click.argument("ratings", nargs=-1, required=True)
@click.option("--out", required=True, metavar="FILE", help="The suite, JSON lines.")
@click.option("--pair", help="Languages, such as en-de.")
@click.option("--texts", metavar="FILE", help="Sources and outputs of error spans (ESA), JSON lines.")
@click.option(
    "--severity",
    "severities",
    default="critical,major",
    show_default=True,
    help="Severities that give items, separated by commas.",
)
@click.option(
    "--category",
    "categories",
    default="accuracy,terminology,grammar,spelling,register,locale,other",
    show_default=True,
    help="Words that occur in the names of the categories that give items.",
)
@click.option(
    "--min-confidence", default=MARKED_CONFIDENCE, show_default=True, help="Leave out pairs with a lower confidence."
)
@click.option(
    "--judge", metavar="MODEL", help="A model, as in `score`, that scores pairs and changes their confidence."
)
@click.option(
    "--second-opinion",
    type=click.Choice(["auto", "minilm", "none"]),
    default="auto",
    show_default=True,
    help="An encoder that measures how close a text is to the references (English targets); auto: if installed.",
)
@click.option("--name", help="Name of the suite (default: the first file's).")
@cluster_options
@click.option("--json", "as_json", is_flag=True, help="Print the counts as one JSON object.")
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
