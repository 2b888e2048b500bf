"""Agreement suites from the parallel treebanks of PUD: builds and counts them, writes the table of docs/agreement.md
and benchmarks/results/agreement.md, with a part for each language.

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
from kontrast.language.lexicons import lexicon
from kontrast.suites.formats import save

LEXICONS = {
    "es": "apertium:spa", "it": "apertium:ita", "pt": "apertium:por", "ru": "pymorphy:ru", "pl": "morfeusz:pl",
    "cs": None, "sv": "apertium:swe", "fr": "lefff", "de": "tables", "fi": None,
}  # fmt: skip
PHENOMENA = ("subj_verb", "relative_verb", "relative_pronoun", "adj_noun", "predicate", "det_noun")
PAGE = Path(__file__).resolve().parents[1] / "docs" / "agreement.md"
DETAILS = Path(__file__).parent / "results" / "agreement.md"
NAMES = {
    "es": "Spanish", "it": "Italian", "pt": "Portuguese", "ru": "Russian", "pl": "Polish", "cs": "Czech",
    "sv": "Swedish", "fr": "French", "de": "German", "fi": "Finnish",
}  # fmt: skip
READ = {
    "es": ("50 of 50", ""),
    "it": ("50 of 50", "a first reading, before superlatives (*globalissima*) were excluded: 44"),
    "pt": ("49 of 50", "*era → foram*, another tense; excluded since"),
    "ru": ("49 of 50", "*Многий*, a form hardly used; excluded since"),
    "pl": ("50 of 50", ""),
    "cs": ("49 of 50", "a verb with a man's name as its subject"),
    "sv": ("49 of 50", "*så var det sagda*"),
    "fr": ("50 of 50", ""),
    "de": ("50 of 50", "a first reading, before the subjunctive (*sie habe*) was excluded: 47"),
    "fi": ("49 of 50", "a participle of another tense; excluded since"),
}
"""Foils that a language model read as a linguist would: right, and what was not. Before `READ_LATER` was added."""
READ_LATER = {
    "ru": "38 of 39", "cs": "13 of 13", "pl": "11 of 11", "de": "45 of 48", "fi": "7 of 7", "fr": "5 of 5",
}  # fmt: skip
"""Relative pronouns. The others than ru and de were read before nouns up to six words
away were looked at."""
START, END = "<!-- agreement: written by benchmarks/agreement.py -->", "<!-- agreement: end -->"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--treebanks", type=Path, default=Path("../shared/data/ud"))
    parser.add_argument("--languages", default=",".join(LEXICONS))
    parser.add_argument("--out", type=Path, help="folder for the suites; without it nothing is written")
    parser.add_argument("--sample", type=int, default=0, help="print so many foils of each, to be read")
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    parts: dict[str, str] = {}
    rows = [_row(language, arguments, parts) for language in arguments.languages.split(",")]
    head = ("language", "lexicon", *PHENOMENA, "without determiners", "sentences covered")
    table = _table(head, rows)
    print(table, *parts.values(), sep="\n\n")
    if arguments.out and len(rows) == len(LEXICONS):
        _write(PAGE, table)
        _write(DETAILS, "\n\n".join(parts.values()))


def _write(page: Path, generated: str) -> None:
    """Put what was generated between the marks of a page."""
    before, _, rest = page.read_text("utf-8").partition(START)
    page.write_text(f"{before}{START}\n\n{generated}\n\n{END}{rest.partition(END)[2]}", "utf-8")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ("---",) * len(head), *rows))


def _part(language: str, name: str | None, made: AgreementSuite) -> str:
    """What the page says of one language."""
    foils = Counter((str(v.error), str(v.tags["feature"])) for item in made.suite.items for v in item.variants[1:])
    features = [feature for feature in ("number", "gender", "person") if any(f == feature for _, f in foils)]
    rows = [
        (f"`{phenomenon}`", *(f"{foils[phenomenon, feature]:,}" for feature in features))
        for phenomenon in PHENOMENA
        if any(foils[phenomenon, feature] for feature in features)
    ]
    reasons = [(reason, f"{count:,}") for reason, count in made.left_out.items() if count]
    right, wrong = READ[language]
    read = f"Read: {right} right{f' ({wrong})' if wrong else ''}"
    later = f"; of relative pronouns, {READ_LATER[language]}" if language in READ_LATER else ""
    lexicon = f" --lexicon {name}" if name else ""
    command = (
        f"kontrast build agreement en_pud-ud-test.conllu {language}_pud-ud-test.conllu{lexicon} "
        f"--out {language}.jsonl"
    )
    return "\n\n".join(
        (
            f"## {NAMES[language]}",
            f"    {command}",
            f"{len(made.suite.items):,} items; {made.covered:,} of {made.sentences:,} sentences have a foil that is "
            f"no determiner. {read}{later}.",
            _table(("phenomenon", *features), rows),
            _table(("left out (word and feature)", "times"), reasons),
        )
    )


def _cpu() -> float:
    """Seconds of this process and of programs that have ended."""
    return sum(os.times()[:4])


def _row(language: str, arguments: argparse.Namespace, parts: dict[str, str]) -> tuple[str, ...]:
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
    lexicon.cache_clear()  # ends the programs that a lexicon runs: their time counts too
    seconds = _cpu() - start
    errors = [finding.message for finding in lint(made.suite) if finding.level == "error"]
    print(
        f"{language}: {made.sentences / seconds:.0f} sentences a second of CPU time; lint errors: {errors or 'none'}"
    )
    if arguments.out:
        arguments.out.mkdir(parents=True, exist_ok=True)
        save(made.suite, arguments.out / f"agreement-en-{language}.jsonl")
    _print_sample(made, arguments.sample, arguments.seed)
    parts[language] = _part(language, name, made)
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
