"""``kontrast build agreement``: agreement errors from parallel treebanks."""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.build_options import corpus_arguments
from kontrast.defaults import SEED

EPILOG = """\b
Examples:
  kontrast build agreement en_pud.conllu es_pud.conllu --lexicon apertium:spa --out es.jsonl
  kontrast build agreement en_pud.conllu ru_pud.conllu --lexicon pymorphy:ru --out ru.jsonl
  kontrast build agreement a.conllu b.conllu --pair en-is --lexicon ud:more.conllu --out is.jsonl
"""


@click.command(epilog=EPILOG)
@corpus_arguments()
@click.option("--pair", help="Languages, such as en-es. Default: from the files' names (en_pud…, es_pud…).")
@click.option(
    "--lexicon", "lexicons", multiple=True, metavar="NAME", help="Where other forms come from; may be repeated."
)
@click.option("--out", required=True, metavar="FILE", help="The suite, JSON lines.")
@click.option(
    "--determiners",
    default=0.25,
    show_default=True,
    type=click.FloatRange(0, 1),
    help="Largest share of determiner errors.",
)
@click.option("--train", multiple=True, metavar="FILE", help="Training text for frequencies (default: the treebank).")
@click.option("--seed", default=SEED, show_default=True, help="Seed for the choice of determiner errors.")
@click.option("--name", help="Name of the suite.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as one JSON object.")
def command(source: str, target: str, out: str, as_json: bool, **options: Any) -> None:
    """Make a suite of agreement errors from the treebanks SOURCE and TARGET (CoNLL-U), which have the same sentences.

    The target's tree says which words agree; the lexicon has the form that does not. Sentences are matched by id.
    """
    from kontrast.building.agreement.build import build_agreement
    from kontrast.reporting.terminal import print_json, print_table
    from kontrast.suites.formats import save

    made = build_agreement(source, target, **options)
    save(made.suite, out)
    if as_json:
        counts = {"sentences": made.sentences, "covered": made.covered, "phenomena": made.phenomena}
        print_json({"items": len(made.suite.items), **counts, "left_out": made.left_out, "out": out})
        return
    caption = f"{made.covered} of {made.sentences} sentences have an error that is not a determiner's; {out}"
    print_table(("phenomenon", "foils"), made.phenomena.items(), caption=caption)
    print_table(("left out", "cases"), made.left_out.items())
