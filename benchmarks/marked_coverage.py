"""Can the made errors be what people mark? Draws marked errors and shows what `perturb` makes at the same place.

python benchmarks/marked_coverage.py [--data ../shared/data] [--draw 60] [--seed 1] [--print]

For each major error drawn from the English-German ratings that has some pair (whatever its confidence), all errors of
German are made in the right text. Counted: those where one gives the wrong words themselves, and those where one
changes a word at the place (an upper bound, for reading with ``--print``).
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import kontrast
from kontrast.building.errors.spec import Candidate
from kontrast.building.marked.build import MarkedOptions, marked_items
from kontrast.building.marked.difference import tokens
from kontrast.building.marked.reading import read_ratings

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--draw", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--print", action="store_true")
    args = parser.parse_args()
    read = read_ratings([args.data / "mqm" / "mqm_ted_ende.tsv.gz"])
    found = [(s, e, best) for s, e, best, _ in marked_items(read.segments, MarkedOptions(min_confidence=0)) if best]
    drawn = random.Random(args.seed).sample(found, args.draw)
    made: dict[int, list[Candidate]] = {n: [] for n in range(len(drawn))}
    for line, candidate in kontrast.perturb([best.text for _, _, best in drawn], "de", "all", every=True):
        made[line].append(candidate)
    same = near = 0
    for n, (segment, error, best) in enumerate(drawn):
        start, end = tokens(best.text).between(best.block.a, best.block.a + len(best.new))
        there = [c for c in made[n] if any(e.start <= end and start <= e.end for e in c.edits)]
        exact = [c.type for c in made[n] if c.text == error.output.text]
        same, near = same + bool(exact), near + bool(there)
        if args.print:
            print(f"{n + 1}\t{segment.source}\n\tmarked: {error.output.text}\n\tright:  {best.text}")
            print("\n".join(f"\t{c.type}: {c.text}" for c in there))
    print(f"of {len(drawn)} marked errors {same} are made as they are, {near} have a made error at the place")


if __name__ == "__main__":
    main()
