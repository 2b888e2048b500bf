"""Agreement suites from the parallel treebanks of PUD: builds and counts them, writes the table of docs/languages.md.

    python benchmarks/agreement.py --treebanks FOLDER --out FOLDER     # the suites and the table
    python benchmarks/agreement.py --treebanks FOLDER --languages es   # one language, printed only

FOLDER has en_pud-ud-test.conllu and the others of that name. A missing lexicon is done without, with a message.
"""

from __future__ import annotations

import argparse
import os
import random
from collections import Counter
from collections.abc import Iterable, Sequence
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
    left_out: dict[str, dict[str, int]] = {}
    rows = [_row(language, arguments, left_out) for language in arguments.languages.split(",")]
    head = ("language", "lexicon", *PHENOMENA, "without determiners", "sentences covered")
    table = f"{_table(head, rows)}\n\nLeft out, by reason (word and feature):\n\n{_reasons(left_out)}"
    print(table)
    if arguments.out and len(rows) == len(LEXICONS):
        text = PAGE.read_text("utf-8")
        before, _, rest = text.partition(START)
        PAGE.write_text(f"{before}{START}\n\n{table}\n\n{END}{rest.partition(END)[2]}", "utf-8")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ("---",) * len(head), *rows))


def _reasons(left_out: dict[str, dict[str, int]]) -> str:
    """Every reason in a row, the commonest first, each language in a column."""
    total = sum((Counter(counts) for counts in left_out.values()), Counter())
    rows = [
        (reason, *(f"{counts.get(reason, 0):,}" for counts in left_out.values())) for reason, _ in total.most_common()
    ]
    return _table(("reason", *left_out), rows)


def _cpu() -> float:
    """Seconds of this process and of programs that have ended."""
    return sum(os.times()[:4])


def _row(language: str, arguments: argparse.Namespace, left_out: dict[str, dict[str, int]]) -> tuple[str, ...]:
    english, other = (arguments.treebanks / f"{code}_pud-ud-test.conllu" for code in ("en", language))
    name = LEXICONS[language]
    start = _cpu()
    try:
        made = build_agreement(english, other, lexicons=[name] if name else [])
    except KontrastError as error:
        if not name or not other.exists():
            raise SystemExit(str(error)) from error
        print(f"{language}: {error}; built without it")
        name = None
        made = build_agreement(english, other)
    seconds = _cpu() - start
    errors = [finding.message for finding in lint(made.suite) if finding.level == "error"]
    print(
        f"{language}: {made.sentences / seconds:.0f} sentences a second of CPU time; lint errors: {errors or 'none'}"
    )
    if arguments.out:
        arguments.out.mkdir(parents=True, exist_ok=True)
        save(made.suite, arguments.out / f"agreement-en-{language}.jsonl")
    _print_sample(made, arguments.sample, arguments.seed)
    left_out[language] = made.left_out
    others = sum(count for phenomenon, count in made.phenomena.items() if phenomenon != "det_noun")
    counts = (f"{made.phenomena.get(phenomenon, 0):,}" for phenomenon in PHENOMENA)
    share = f"{made.covered / made.sentences:.1%}"
    return (language, f"`{name}`" if name else "trees alone", *counts, f"{others:,}", share)


def _print_sample(made: AgreementSuite, size: int, seed: int) -> None:
    foils = [variant for item in made.suite.items for variant in item.variants[1:]]
    for variant in random.Random(seed).sample(foils, min(size, len(foils))):
        tags = variant.tags
        print(f"  {variant.error} {tags['feature']}: {tags['right']} > {tags['wrong']} ({tags['controller']})")
        print(f"    {variant.text}")


if __name__ == "__main__":
    main()
