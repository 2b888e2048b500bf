"""sacreBLEU's metrics through kontrast against a loop over sacreBLEU's own sentence_score: speed and equal numbers.

python benchmarks/metrics.py [--pairs 100000] [--repeats 3] [--metric chrF …] [--json] [--data ../shared/data]

Pairs are DEMETR's translations with and without an error, two to a reference; each item bears a number of its own, so
that nothing is the same text twice. Both ways take turns; the figure is the median of the ratios.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sacrebleu.metrics import BLEU, CHRF, TER

import kontrast
from kontrast.reporting.terminal import print_json, print_table
from kontrast.scoring.metrics import load_metric
from kontrast.scoring.metrics.metric import Passage, Segment

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
BAR = 2.0
ORIGINALS: dict[str, Any] = {
    "BLEU": lambda: BLEU(effective_order=True),
    "chrF": CHRF,
    "chrF++": lambda: CHRF(word_order=2),
    "TER": TER,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--metric", nargs="*", default=list(ORIGINALS), choices=list(ORIGINALS))
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    segments = real_segments(args.data, args.pairs)
    rows = [measure(name, segments, args.repeats) for name in args.metric]
    columns = ("metric", "pairs", "loop s", "kontrast s", "ratio", "lowest", "bar", "different numbers")
    if args.json:
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
    else:
        print_table(columns, rows, title="sacreBLEU's sentence_score in a loop / kontrast")


def real_segments(data: Path, pairs: int) -> list[Segment]:
    """As many pairs as asked for, two to a segment."""
    items = [
        item
        for item in kontrast.load(data / "demetr-x-en").items
        if item.tags.get("pert_check") and item.tags.get("severity") != "base"
    ]
    segments = []
    for number in range(pairs // 2):
        item = items[number % len(items)]
        texts = [Passage(f"{variant.text} {number}") for variant in item.variants]
        reference = Passage(f"{item.references[0].text} {number}")
        segments.append(Segment(Passage(""), (reference,), tuple(texts)))
    return segments


def measure(name: str, segments: Sequence[Segment], repeats: int) -> tuple[Any, ...]:
    ratios, loops, ours = [], [], []
    different = 0
    for _ in range(repeats):
        began = time.perf_counter()
        original = ORIGINALS[name]()
        expected = [
            tuple(original.sentence_score(h.text, [r.text for r in s.references]).score for h in s.hypotheses)
            for s in segments
        ]
        loops.append(time.perf_counter() - began)
        began = time.perf_counter()
        found = load_metric(name).score(segments, lambda n: None)
        ours.append(time.perf_counter() - began)
        ratios.append(loops[-1] / ours[-1])
        different += sum(
            a != b for mine, own in zip(found, expected, strict=True) for a, b in zip(mine, own, strict=True)
        )
    pairs = sum(len(segment.hypotheses) for segment in segments)
    middle = [round(statistics.median(values), 2) for values in (loops, ours, ratios)]
    return (name, pairs, *middle, round(min(ratios), 2), BAR, different)


if __name__ == "__main__":
    main()
