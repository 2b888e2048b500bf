"""How often German *es* and *sie* (one thing) have the case that pronoun foils are given, on German treebanks.

    .venv/bin/python benchmarks/pronoun_case.py [--show 20] [--json]

Gold are the relations of the treebanks beside this checkout: subjects are nominatives, objects accusatives. ``open``
are those that the target sentence does not decide; there the source's role does.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from kontrast.building.pronouns.foils.german import cases_of
from kontrast.language import annotators
from kontrast.language.annotators.conllu import read_conllu
from kontrast.language.german.plain import split
from kontrast.reporting.terminal import print_json

TREEBANKS = Path(__file__).resolve().parents[2] / "shared" / "data" / "ud"
CASES = {"nsubj": "nom", "obj": "acc"}


def pronouns() -> Iterator[tuple[str, int, str]]:
    """Texts, places and cases."""
    for path in sorted(TREEBANKS.rglob("*de*.conllu")):
        for sentence in read_conllu(path):
            governed = {t.head for t in sentence.tokens if t.relation == "case"}
            for k, token in enumerate(sentence.tokens):
                case = CASES.get(token.relation.partition(":")[0])
                one = token.text.lower() == "es" or token.morph.get("Number") == "Sing"
                small = token.text.islower() or token.start == 0
                if token.text.lower() in ("es", "sie") and case and one and small and k not in governed:
                    yield sentence.text, token.start, case


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", type=int, default=0, help="print so many that are decided wrongly")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    counts: Counter[str] = Counter()
    annotator = annotators.get("de")
    for text, start, case in pronouns():
        (sentence,) = annotator.annotate([text])
        told = cases_of(sentence, split(text), start)
        verdict = "open" if len(told) != 1 else "right" if told[0] == case else "wrong"
        counts[verdict] += 1
        if verdict == "wrong" and counts["wrong"] <= args.show:
            print(f"{case}: {text[:start]}[{text[start:]}")
    decided = counts["right"] + counts["wrong"]
    figures = {
        "pronouns": counts.total(),
        "decided": round(decided / counts.total(), 3),
        "right of them": round(counts["right"] / decided, 3),
    }
    print_json(figures) if args.json else print(*(f"{name}: {value}" for name, value in figures.items()), sep="\n")


if __name__ == "__main__":
    main()
