"""``kontrast build errors``: LingEval97's errors in any parallel text."""

from typing import Any

import click

from kontrast.cli.build import on_text, split_on
from kontrast.defaults import ERROR_CONFIDENCE, SEED
from kontrast.reporting.terminal import print_json, print_table


@click.command()
@click.argument("source")
@click.argument("reference", required=False)
@click.option("--pair", default="en-de", show_default=True, help="Languages of SOURCE and REFERENCE.")
@click.option(
    "--out", required=True, metavar="FILE", help="The suite: LingEval97's format for .json, otherwise native."
)
@click.option(
    "--to", "form", type=click.Choice(["lingeval97", "native"]), help="Format (default: from the file ending)."
)
@click.option(
    "--types",
    help="Names of errors, separated by commas, or all (default: all; German: those of LingEval97 except compound).",
)
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Keep every candidate, even doubtful ones, instead of one per sentence and type.",
)
@click.option(
    "--min-confidence",
    default=ERROR_CONFIDENCE,
    show_default=True,
    help="Leave out candidates with a lower confidence (without --all).",
)
@click.option("--seed", default=SEED, show_default=True, help="Seed for the choice of a candidate, without --all.")
@click.option(
    "--mix",
    type=click.Choice(["all", "even", "real"]),
    help="Shares of the errors: all, even, or real, as in outputs that people marked (default: real; all with "
    "--types, for small suites and in LingEval97's format).",
)
@click.option(
    "--sample",
    type=click.IntRange(1),
    metavar="N",
    help="Draw N errors in equal shares of types, spread over the documents.",
)
@click.option(
    "--train", multiple=True, metavar="FILE", help="Training text (may be .gz), for frequencies and unseen words."
)
@click.option("--annotator", help="Annotator, such as the name of a spaCy pipeline.")
@click.option("--lexicon", metavar="NAME", help="Lexicon, for a language without its own errors: unimorph:FILE.")
@click.option(
    "--dictionary",
    multiple=True,
    metavar="PATH",
    help="A folder of build alignment, a table (source, tab, target) or Ding's file: adds the errors sense and "
    "untranslated. A MyThes thesaurus checks them. May be repeated.",
)
@click.option("--name", help="Name of the suite and of the items' origin (default: the reference file's).")
@click.option(
    "--judge", metavar="MODEL", help="A model, as in `score`, that scores foils and changes their confidence."
)
@click.option(
    "--against",
    metavar="MODEL",
    help="Choose the foils that this model, as in `score`, finds most likely; tag easy ones.",
)
@click.option(
    "--ignore-source",
    is_flag=True,
    help="Also keep variants that the source confirms or allows; do not tag needs_context.",
)
@on_text("a line per source line")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as one JSON object.")
def command(
    source: str, reference: str | None, out: str, pair: str, on: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    """Build a suite of references and contrastive variants from SOURCE and REFERENCE, one sentence per line.

    SOURCE without REFERENCE is an OPUS archive (.txt.zip) or a folder of documents. Interrupted runs
    resume when you repeat the command.
    """
    from kontrast.flows.building import write_errors

    built = write_errors(out, source, reference, pair, **split_on(on), **options)
    if as_json:
        print_json(built)
    else:
        caption = f"{built.items} references in {out}"
        if built.mix != "all":
            kept = built.rows - built.items
            caption += f"; mix: {built.mix}, {kept} of {built.made} variants (--mix all keeps all)"
        print_table(("error", "variants"), built.errors.items(), caption=caption)
        if built.left_out:
            print_table(("not built on", "lines"), built.left_out.items())
