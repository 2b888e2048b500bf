"""``kontrast build errors``: LingEval97's errors in any parallel text."""

from __future__ import annotations

import click

from kontrast.defaults import SEED

EPILOG = """\b
Example:
  kontrast build errors --pair en-de newstest.en newstest.de --out errors.json
  kontrast build errors --pair en-de src.en ref.de --train train.de.gz --types compound --out errors.jsonl
"""


@click.command(epilog=EPILOG)
@click.argument("source")
@click.argument("reference")
@click.option("--pair", default="en-de", show_default=True, help="Languages of SOURCE and REFERENCE.")
@click.option("--out", required=True, metavar="FILE", help="The suite: .json is LingEval97's format, else native.")
@click.option("--to", "form", type=click.Choice(["lingeval97", "native"]), help="Format (default: by the ending).")
@click.option("--types", help="Names of errors, separated by commas, or all (default: LingEval97's thirteen).")
@click.option("--all", "every", is_flag=True, help="Every candidate, not one per sentence and type.")
@click.option("--seed", default=SEED, show_default=True, help="Chooses among candidates where --all is not given.")
@click.option("--train", multiple=True, metavar="FILE", help="Training text (may be .gz): frequencies, unseen words.")
@click.option("--annotator", help="Annotation back end, such as a spaCy pipeline's name.")
@click.option("--lexicon", metavar="NAME", help="Lexicon, for a language without errors of its own: unimorph:FILE.")
@click.option("--name", help="Name of the suite and of its origins (default: the reference file's).")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as one JSON object.")
def command(
    source: str,
    reference: str,
    pair: str,
    out: str,
    form: str | None,
    types: str | None,
    every: bool,
    seed: int,
    train: tuple[str, ...],
    annotator: str | None,
    lexicon: str | None,
    name: str | None,
    as_json: bool,
) -> None:
    """Make a suite of references and contrastive variants from SOURCE and REFERENCE, a sentence per line each."""
    from collections import Counter

    from kontrast.building.perturb import GENERAL, NAMES
    from kontrast.flows.building import build_errors
    from kontrast.reporting.terminal import print_json, print_table
    from kontrast.suites.formats import save

    suite = build_errors(
        source,
        reference,
        pair,
        types,
        every=every,
        seed=seed,
        annotator=annotator,
        lexicon=lexicon,
        train=train,
        name=name,
    )
    form = form or ("lingeval97" if out.endswith((".json", ".json.gz")) else "native")
    save(suite, out, form)
    found = Counter(variant.error for item in suite.items for variant in item.variants[1:])
    names = dict.fromkeys((*NAMES.get(suite.target_language or "", ()), *GENERAL))
    counts = {name: found[name] for name in names if found[name]}
    if as_json:
        print_json({"items": len(suite.items), "rows": suite.row_count, "errors": counts, "out": out})
    else:
        print_table(("error", "variants"), counts.items(), caption=f"{len(suite.items)} references in {out}")
