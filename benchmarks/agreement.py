"""Agreement suites from the parallel treebanks of PUD: builds and counts them, writes the table of docs/languages.md.

    python benchmarks/agreement.py --treebanks FOLDER --out FOLDER     # the suites and the table
    python benchmarks/agreement.py --treebanks FOLDER --languages es   # one language, printed only

FOLDER has en_pud-ud-test.conllu and the others of that name. A missing lexicon is done without, with a message.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

from kontrast import KontrastError, lint
from kontrast.building.agreement.build import AgreementSuite, build_agreement
from kontrast.suites.formats import save

LEXICONS = {
    "es": "apertium:spa", "it": "apertium:ita", "pt": "apertium:por", "ru": "pymorphy:ru", "pl": "morfeusz:pl",
    "cs": None, "sv": "apertium:swe", "fr": "lefff", "de": "tables", "fi": None,
}  # fmt: skip
PHENOMENA = ("subj_verb", "relative_verb", "adj_noun", "predicate", "det_noun")
PAGE = Path(__file__).resolve().parents[1] / "docs" / "languages.md"
START, END = "<!-- agreement: written by benchmarks/agreement.py -->", "<!-- agreement: end -->"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--treebanks", type=Path, default=Path("../shared/data/ud"))
    parser.add_argument("--languages", default=",".join(LEXICONS))
    parser.add_argument("--out", type=Path, help="folder for the suites; without it nothing is written")
    parser.add_argument("--sample", type=int, default=0, help="print so many foils of each, to be read")
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    rows = [_row(language, arguments) for language in arguments.languages.split(",")]
    head = ("language", "lexicon", *PHENOMENA, "without determiners", "sentences covered", "left out most often")
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ("---",) * len(head), *rows))
    print(table)
    if arguments.out and len(rows) == len(LEXICONS):
        text = PAGE.read_text("utf-8")
        before, _, rest = text.partition(START)
        PAGE.write_text(f"{before}{START}\n\n{table}\n\n{END}{rest.partition(END)[2]}", "utf-8")


def _row(language: str, arguments: argparse.Namespace) -> tuple[str, ...]:
    english, other = (arguments.treebanks / f"{code}_pud-ud-test.conllu" for code in ("en", language))
    name = LEXICONS[language]
    start = time.process_time()
    try:
        made = build_agreement(english, other, lexicons=[name] if name else [])
    except KontrastError as error:
        if not name or not other.exists():
            raise SystemExit(str(error)) from error
        print(f"{language}: {error}; built without it")
        name = None
        made = build_agreement(english, other)
    seconds = time.process_time() - start
    errors = [finding.message for finding in lint(made.suite) if finding.level == "error"]
    print(
        f"{language}: {made.sentences / seconds:.0f} sentences a second of CPU time; lint errors: {errors or 'none'}"
    )
    if arguments.out:
        arguments.out.mkdir(parents=True, exist_ok=True)
        save(made.suite, arguments.out / f"agreement-en-{language}.jsonl")
    _print_sample(made, arguments.sample, arguments.seed)
    others = sum(count for phenomenon, count in made.phenomena.items() if phenomenon != "det_noun")
    reasons = [f"{reason} ({n:,})" for reason, n in made.left_out.items() if not reason.startswith("determiners")]
    counts = (f"{made.phenomena.get(phenomenon, 0):,}" for phenomenon in PHENOMENA)
    share = f"{made.covered / made.sentences:.1%}"
    return (language, f"`{name}`" if name else "trees alone", *counts, f"{others:,}", share, "; ".join(reasons[:2]))


def _print_sample(made: AgreementSuite, size: int, seed: int) -> None:
    foils = [variant for item in made.suite.items for variant in item.variants[1:]]
    for variant in random.Random(seed).sample(foils, min(size, len(foils))):
        tags = variant.tags
        print(f"  {variant.error} {tags['feature']}: {tags['right']} > {tags['wrong']} ({tags['controller']})")
        print(f"    {variant.text}")


if __name__ == "__main__":
    main()
