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
    help="Words in the names of the categories that give items.",
)
@click.option("--min-confidence", default=MARKED_CONFIDENCE, show_default=True, help="Leave out less sure pairs.")
@click.option("--judge", metavar="MODEL", help="A model that pairs are shown to, as in `score`; it moves confidence.")
@click.option("--name", help="Name of the suite (default: the first file's).")
@cluster_options
@click.option("--json", "as_json", is_flag=True, help="Print the counts as one JSON object.")
def command(ratings: tuple[str, ...], out: str, as_json: bool, **options: Any) -> None:
    """Make a suite of the errors that people marked in RATINGS.

    RATINGS are MQM tables (a marked error a line, <v>…</v> around it), error spans (ESA, with --texts) or a table of
    your own with columns system, source and target. The right text of an item is another output of the same segment,
    or a reference, that nobody marked where it differs; or the output repaired with its words.
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
