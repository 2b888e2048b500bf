"""What the analyses cost and find: seconds an item with kontrast-tiny, calls saved, short versions, memory.

    python benchmarks/analysis.py                          # some minutes
    python benchmarks/analysis.py --contrapro FILE.json    # memory on real items too

The tables are in docs/context.md and docs/analysis.md.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

import kontrast
from kontrast.analysis.shorten import choose_items, kendall
from kontrast.analysis.twins import twins

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))


def timed(name: str, items: int, work: Callable[[], Any]) -> Any:
    start = time.process_time()
    found = work()
    seconds = time.process_time() - start
    print(f"{name:10} {items:5} items  {seconds:6.1f} s (processor), {seconds / items:.3f} s an item", flush=True)
    return found


def costs(items: int) -> None:
    """Each analysis of the bundled suite with the bundled model, nothing stored; loading the model included."""
    suite = kontrast.load("demo:de")[:items]
    timed("context", items, lambda: kontrast.context(suite, model="tiny", control="random", threads=1))
    found = timed("cues", items, lambda: kontrast.cues(suite, "tiny", threads=1))
    print(f"           {found.rows:,} rows, {found.calls:,} distinct pairs, {found.sources:,} sources", flush=True)
    timed("artefacts", items, lambda: kontrast.artefacts(suite, model="tiny", threads=1))
    whole = kontrast.load("demo:de")  # names are swapped among items, and few have one
    timed("memory", len(whole), lambda: kontrast.memory(whole, "tiny", threads=1))


def short_versions() -> None:
    """A tenth of 12,000 simulated items, five of twenty systems left out."""
    from tests.analysis.test_items import simulated

    for seed in (3, 4, 5):
        credit, *_ = simulated(20, 12_000, seed)
        known = np.arange(20) % 4 != 0
        chosen = choose_items(credit[known], [f"p{i % 12}" for i in range(12_000)], 1200)
        plain = np.random.default_rng(seed).choice(12_000, 1200, replace=False)
        whole = credit.mean(axis=1)
        for name, own in (("shorten", chosen), ("random", plain)):
            gap = credit[:, own].mean(axis=1) - whole
            left = 100 * float(np.sqrt((gap[~known] ** 2).mean()))
            tau = kendall(whole, credit[:, own].mean(axis=1))
            print(
                f"{name:8} seed {seed}: tau {tau:.3f}, largest error of known "
                f"systems {100 * float(np.abs(gap[known]).max()):.2f} points, rms of those left out {left:.2f}",
                flush=True,
            )


def contamination(path: str, count: int = 160, steps: int = 30) -> None:
    """kontrast-tiny trained on half of the items that have twins."""
    from tests.analysis.test_memory import learnt

    suite = kontrast.load(path)
    own = {suite.items[i].source: suite.items[i] for i in twins(suite) if len(suite.items[i].source) < 120}
    items = list(own.values())
    random.Random(1).shuffle(items)
    half = min(count, len(items)) // 2
    parts = (("seen", items[:half]), ("unseen", items[half : 2 * half]))
    seen, unseen = (msgspec.structs.replace(suite, items=tuple(some), name=name) for name, some in parts)
    with tempfile.TemporaryDirectory() as folder:
        model = f"hf:{learnt(Path(folder) / 'learnt', seen, steps)}"
        for each, other in ((seen, unseen), (unseen, seen)):
            print(
                each.name, kontrast.memory(each, model, unseen=other, complete=True, threads=1).to_dict(), flush=True
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=60)
    parser.add_argument("--contrapro", metavar="FILE", help="ContraPro's JSON")
    chosen = parser.parse_args()
    costs(chosen.items)
    short_versions()
    if chosen.contrapro:
        contamination(chosen.contrapro)
