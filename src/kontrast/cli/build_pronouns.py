"""``kontrast build pronouns``: a pronoun suite from documents."""

import os
from typing import Any

import click

from kontrast.cli.build import on_text, split_on
from kontrast.defaults import SEED
from kontrast.errors import KontrastError
from kontrast.reporting.terminal import print_json


@click.command()
@click.option("--pair", required=True, help="A bundled recipe, such as en-de (docs/pronouns.md), or a .toml file.")
@click.argument("folder", metavar="[DOCUMENTS]", required=False)
@click.option("--documents", hidden=True)
@click.option("--out", required=True, metavar="FILE", help="The suite; ContraPro's JSON, or native for .jsonl.")
@click.option("--alignment", metavar="DIR", help="A model from `build alignment`. Default: trained on the documents.")
@click.option("--aligner", default="fast-align", show_default=True, help="fast-align, eflomal, embedding, pharaoh.")
@click.option("--resolver", default="salience", show_default=True, help="salience, fastcoref, given.")
@click.option("--resolver-model", metavar="PATH", help="The model or file of the resolver.")
@click.option(
    "--second-opinion",
    metavar="ENCODER",
    default="auto",
    show_default=True,
    help="Encoder that finds the antecedent of each English pronoun: a folder, or sentence-transformers/"
    "all-mpnet-base-v2 to download it; auto: if it is installed; none.",
)
@click.option(
    "--items",
    type=click.IntRange(1),
    metavar="N",
    help="Draw N items from documents in random order (--seed) and stop: equal shares of the antecedent's genders "
    "and numbers, at most a fifth with the antecedent in the same sentence.",
)
@click.option("--per-pronoun", type=click.IntRange(1), metavar="N", help="At most N items per target pronoun.")
@click.option("--per-cell", type=click.IntRange(1), metavar="N", help="At most N items per pronoun and distance.")
@click.option("--leave-out", metavar="FILE", help="File with names of documents (training data) to leave out.")
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    help="Leave out items with a lower confidence and foils that may be right (an item's second foil below .87); 0 "
    "keeps all, with reasons as tags. Default: the recipe's own.",
)
@click.option(
    "--judge", metavar="MODEL", help="A model, as in `score`, that scores foils and changes their confidence."
)
@click.option(
    "--context-needed/--no-context-needed",
    default=None,
    help="Only items whose antecedent is in another sentence, or only items whose antecedent is in the same "
    "sentence. Default: both.",
)
@click.option(
    "--together/--single",
    default=True,
    show_default=True,
    help="Change all mentions of the antecedent in a sentence, or only one mention.",
)
@click.option(
    "--seed",
    type=int,
    default=SEED,
    show_default=True,
    help="Seed for the choice of items with --items, --per-pronoun or --per-cell.",
)
@click.option(
    "--jobs", type=click.IntRange(1), default=lambda: os.cpu_count() or 1, help="Processes. Default: one per core."
)
@on_text("a folder with NAME.LANGUAGE for each document")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(
    out: str, as_json: bool, pair: str, folder: str | None, documents: str | None, on: tuple[str, ...], **options: Any
) -> None:
    """Build items with a pronoun, its antecedent and wrong variants from DOCUMENTS in two languages.

    DOCUMENTS is a folder with YEAR/NAME.LANGUAGE, or an OPUS archive.

    Interrupted runs resume when you repeat the command.
    """
    from kontrast.cli.describe import print_counts
    from kontrast.flows.building import write_pronouns

    place = folder or documents
    if place is None:
        raise KontrastError("give DOCUMENTS: a folder with YEAR/NAME.LANGUAGE, or an OPUS archive")
    built = write_pronouns(out, pair, place, **split_on(on), **options)
    if as_json:
        print_json(built)
        return
    for table in built.by:
        print_counts(table)
    click.echo(f"{out}: {built.items} items of {built.found} found, from {built.documents} documents", err=True)
    for kind, count in built.short.items():
        click.echo(f"  ran short: {count} items with an antecedent {kind} are missing", err=True)
    for reason, count in sorted(built.left_out.items(), key=lambda pair: -pair[1]):
        if count:
            click.echo(f"  left out: {count} ({reason})", err=True)
