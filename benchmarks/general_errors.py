"""The general agreement errors, which take their forms from a lexicon, on French with gold trees beside them.

python benchmarks/general_errors.py [--data ../shared/data] [--misses] [--json]

Candidates are made from plain text with the default annotator and Lefff. Right: in the gold tree the changed word is
a determiner, adjective or participle of a noun, whose gender and number the new form cannot have; or a finite verb
with a subject, whose person and number the new form cannot have.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from kontrast.building.errors.general.agreement import readings_of
from kontrast.building.errors.registry import general_names, get
from kontrast.building.errors.run import candidates_of
from kontrast.language import annotators
from kontrast.language.annotation import Sentence
from kontrast.language.annotators.conllu import read_conllu
from kontrast.language.lexicons import lexicon
from kontrast.reporting.terminal import print_json, print_table

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--misses", action="store_true", help="print candidates that are not right")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    rows = []
    for treebank in ("pud-ud-test", "gsd-ud-test"):
        gold = list(read_conllu(args.data / "ud" / f"fr_{treebank}.conllu"))
        ours = list(annotators.get("fr").annotate(g.text for g in gold))
        for name in general_names("lexicon"):
            verdicts: Counter[str] = Counter()
            for g, o in zip(gold, ours, strict=True):
                for c in candidates_of(get("fr", name), o):
                    verdict = check(name, g, c.edits[0].start, c.edits[0].new)
                    verdicts[verdict] += 1
                    if args.misses and verdict != "right":
                        print(name, verdict, c.edits[0].old, "→", c.edits[0].new, "\n   ", g.text)
            rows.append((name, treebank, len(gold), verdicts.total(), verdicts["right"] / verdicts.total()))
    heads = ("error", "treebank", "sentences", "candidates", "right")
    if args.json:
        print_json([dict(zip(heads, row, strict=True)) for row in rows])
    else:
        print_table(heads, rows, title="French errors through Lefff")


def check(name: str, gold: Sentence, start: int, new: str) -> str:
    index = next((i for i, t in enumerate(gold.tokens) if t.start == start), None)
    if index is None:
        return "cut otherwise"
    token = gold.tokens[index]
    if name == "np_agreement":
        noun = gold.tokens[token.head]
        # An attributive participle is acl in these treebanks.
        if token.relation not in ("det", "amod", "acl") or noun.pos not in ("NOUN", "PROPN"):
            return "not in a noun phrase"
        wanted = {k: v for k, v in noun.morph.items() if k in ("Gender", "Number")}
    else:
        centre = token.head if token.relation.startswith(("aux", "cop")) else index
        if token.morph.get("VerbForm") != "Fin":
            return "not finite"
        if not any(t.head == centre and t.relation.startswith(("nsubj", "expl:subj")) for t in gold.tokens):
            return "no subject"
        wanted = {k: v for k, v in token.morph.items() if k in ("Person", "Number")}
    readings = readings_of(lexicon("fr"), new, token.pos)
    fits = any(all(a.features.get(k, v) == v for k, v in wanted.items()) for a in readings)
    return "still fits" if fits else "right"


if __name__ == "__main__":
    main()
