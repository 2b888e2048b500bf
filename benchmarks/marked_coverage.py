"""Can the made errors be what people mark? Draws marked errors and shows what `build errors` makes at the same place.

python benchmarks/marked_coverage.py [--data ../shared/data] [--dictionary FILE] [--draw 60] [--seed 1] [--print]

Drawn are major errors of the English-German ratings that have a pair more likely right than not (confidence from
0.5 on): an error without one has no right text to make it in. All German errors are made in the right text, with its
source and the segments beside it; those that are sure enough for a suite count. Counted are errors where a foil is
the marked output itself; where a foil changes a word that the marked output has otherwise, and is of the same kind
(`kontrast.building.marked.kinds`; for words of another meaning only ``sense`` and ``modality``, which put in such a
word); and where any foil changes such a word. A foil of the same kind need not have the same words.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from difflib import SequenceMatcher
from pathlib import Path

import kontrast
from kontrast.building.marked.build import MarkedOptions, marked_items
from kontrast.building.marked.difference import tokens
from kontrast.building.marked.kinds import kind_of
from kontrast.building.marked.partners import RepairCandidate
from kontrast.building.marked.ratings import MarkedError, RatedSegment
from kontrast.building.marked.reading import read_ratings
from kontrast.defaults import ERROR_CONFIDENCE
from kontrast.suites.error_shares import kind_of_error

MORE_LIKELY = 0.5
BESIDE = 6
"""Segments of the document on either side, for errors that need the text around."""
MEANING = ("sense", "modality")
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--dictionary")
    parser.add_argument("--draw", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--print", action="store_true")
    args = parser.parse_args()
    read = read_ratings([args.data / "mqm" / "mqm_ted_ende.tsv.gz"])
    found = [
        (s, e, best)
        for s, e, best, _ in marked_items(read.segments, MarkedOptions(min_confidence=MORE_LIKELY))
        if best
    ]
    drawn = random.Random(args.seed).sample(found, args.draw)
    documents = {(s.file, s.key): found for found in read.documents() for s in found}
    made = _made([_around(*each, documents) for each in drawn], args.dictionary)
    same = alike = near = 0
    kinds: Counter[str] = Counter()
    for n, (segment, error, best) in enumerate(drawn):
        start, end = tokens(best.text).between(best.block.a, best.block.a + len(best.new))
        there = [(name, text) for name, text in made.get(n, []) if _touches(best.text, text, start, end)]
        kind = kind_of(error.mark.category, segment.source, best.old, best.new, "de")
        fitting = [
            name for name, _ in there if kind == (kind_of_error(name) if name in MEANING or kind != "sense" else None)
        ]
        same += any(text == error.output.text for _, text in there)
        alike, near = alike + bool(fitting), near + bool(there)
        kinds[f"{kind} ({'made' if fitting else 'not made'})"] += 1
        if args.print:
            print(f"{n + 1}\t{segment.source}\n\tkind:   {kind}")
            print(f"\tmarked: {error.output.text}\n\tright:  {best.text}")
            print("\n".join(f"\t{name}: {text}" for name, text in there))
    print(f"of {len(drawn)} marked errors {same} are made as they are,")
    print(
        f"{alike} have an error of their kind at the place, {near} any; "
        + ", ".join(f"{kind}: {count}" for kind, count in sorted(kinds.items()))
    )


Pairs = list[tuple[str, str]]


def _around(
    segment: RatedSegment,
    error: MarkedError,
    best: RepairCandidate,
    documents: dict[tuple[str, str], list[RatedSegment]],
) -> Pairs:
    """The right text with its source, and behind it what the system wrote for the segments beside it."""
    found, system = documents[segment.file, segment.key], error.output.system
    place = found.index(segment)
    beside = [*found[max(0, place - BESIDE) : place][::-1], *found[place + 1 : place + 1 + BESIDE]]
    return [(segment.source, best.text), *((s.source, s.outputs[system].text) for s in beside if system in s.outputs)]


def _made(blocks: list[Pairs], dictionary: str | None) -> dict[int, list[tuple[str, str]]]:
    """For the first pair of each block the names and texts of the foils that are sure enough."""
    starts = {1 + sum(map(len, blocks[:n])): n for n in range(len(blocks))}
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"text.{side}" for side in ("en", "de")]
        for side, path in enumerate(files):
            lines = (" ".join(pair[side].split()) for block in blocks for pair in block)
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        suite = kontrast.build_errors(
            *files, "en-de", "all", every=True, mix="all", dictionary=dictionary, name="marked"
        )
    lines_of = {int(str(item.tags["origin"]).rpartition(".")[2]): item for item in suite.items}
    return {
        starts[line]: [
            (str(foil.error), foil.text)
            for foil in item.variants[1:]
            if float(foil.tags.get("confidence") or 0) >= ERROR_CONFIDENCE
        ]
        for line, item in lines_of.items()
        if line in starts
    }


def _touches(right: str, foil: str, start: int, end: int) -> bool:
    changes = SequenceMatcher(None, right, foil, autojunk=False).get_opcodes()
    return any(
        tag != "equal" and max(a, start) < min(max(b, a + 1), max(end, start + 1)) for tag, a, b, _, _ in changes
    )


if __name__ == "__main__":
    main()
