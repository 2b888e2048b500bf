"""kontrast divergence."""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.output import echo

EPILOG = """\b
Examples:
  kontrast divergence ewt.counts --train split/train.ids --test split/test.ids
  kontrast divergence ewt.counts --train a.ids --test b.ids --top 10 --json
  kontrast divergence train.counts --pretraining web.counts --against test.counts
"""


@click.command(epilog=EPILOG)
@click.argument("folder", metavar="DIR", type=click.Path())
@click.option("--train", metavar="FILE", help="Sentence numbers of train. Default: all of DIR.")
@click.option("--test", metavar="FILE", help="Sentence numbers of test (of --against, if given).")
@click.option("--against", metavar="DIR", help="Counts of another corpus to take test from.")
@click.option("--pretraining", multiple=True, metavar="DIR", help="Counts to add to train; may be repeated.")
@click.option("--atom-alpha", default=0.5, show_default=True, help="How much of the weight is on train, for atoms.")
@click.option("--compound-alpha", default=0.1, show_default=True, help="The same for compounds.")
@click.option("--top", default=0, help="List the features with the largest contributions.")
@click.option("--draws", default=3, show_default=True, help="Random splits to compare with.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(folder: str, as_json: bool, **options: Any) -> None:
    """Atom and compound divergence of two sets of sentences, beside chance and the floor.

    DIR is a folder written by `kontrast count`; sets are files of sentence numbers counted from 0, one per line.
    """
    from kontrast.flows.splitting import divergence
    from kontrast.reporting.terminal import print_json, print_table
    from kontrast.splitting.measured_divergence import warnings_of

    result = divergence(folder, **options)
    if as_json:
        print_json(result)
        return
    chance = (result.random_atom_divergence, result.random_compound_divergence)
    floors = (result.atom_floor, result.compound_floor)
    rows = [
        ("atoms", result.atom_divergence, chance[0], floors[0], result.unseen_atoms),
        ("compounds", result.compound_divergence, chance[1], floors[1], result.unseen_compounds),
    ]
    caption = (
        f"train {result.train_sentences} sentences of {result.train_length:.1f} tokens, "
        f"test {result.test_sentences} of {result.test_length:.1f}"
    )
    print_table(("", "divergence", "random split", "floor", "unseen in test"), rows, caption=caption)
    if (found_here := result.difference) is not None and (random := result.random_difference) is not None:
        names = ("length_ratio", "length_distance", "duplicates", "train_featureless", "test_featureless",
                 "document_divergence")  # fmt: skip
        beside = [(name.replace("_", " "), getattr(found_here, name), getattr(random, name)) for name in names]
        print_table(("how test differs from train", "", "random split"), beside)
        for warning in warnings_of(found_here, random):
            echo(f"kontrast: {warning}", err=True)
    for name, found in (("atoms", result.atom_contributions), ("compounds", result.compound_contributions)):
        if found:
            lines = [(c.feature.replace("\t", " "), c.contribution, c.train, c.test) for c in found]
            print_table((f"most divergent {name}", "adds", "train", "test"), lines)
