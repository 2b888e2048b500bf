"""Do the intervals cover, do the tests keep their level, are they fast? By simulation, with fixed seeds.

    python benchmarks/judging_statistics.py [--sets 2000] [--json]

Coverage of 95% intervals should be .93 to .97, false positives at .05 between .03 and .06 (an exact McNemar test may
reject less). Few documents or few differing items are hard: the last rows of each table show how far it goes.
The last part times `compare` on 100,000 items and 5 systems against plain resampling of items.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from kontrast import Item, Scores, Suite, Variant, compare
from kontrast.judging import paired
from kontrast.judging.intervals import cluster_interval, cluster_sums, resampled_means, wilson
from kontrast.reporting.terminal import print_json, print_table

RESAMPLES = 1000


def clustered(generator: np.random.Generator, clusters: int, each: int, share: float, spread: float) -> Any:
    """Credits in clusters of one to 2·each - 1 decisions (``each``: exactly that many where spread is 0).

    The rate of a cluster is beta-distributed around the share, ``spread`` being the intra-cluster correlation.
    """
    sizes = generator.integers(1, 2 * each, clusters) if spread else np.full(clusters, each)
    number = np.repeat(np.arange(clusters), sizes)
    if not spread:
        return (generator.random(number.size) < share).astype(np.float64), number
    strength = (1 - spread) / spread
    rate = generator.beta(share * strength, (1 - share) * strength, clusters)
    return (generator.random(number.size) < rate[number]).astype(np.float64), number


def two_systems(
    generator: np.random.Generator, clusters: int, each: int, share: float, gain: float, spread: float
) -> Any:
    """Two systems' credits: the second is right on ``gain`` more, documents favour one or the other by ``spread``.

    Decisions have a common difficulty, as real ones have, and the true difference is exactly ``gain``.
    """
    number = np.repeat(np.arange(clusters), each)
    hard = generator.random(number.size) < 0.5
    tilt = spread * (2 * (generator.random(clusters) < 0.5) - 1)[number]
    gap = min(0.2, 1 - share)
    base = np.where(hard, share - gap, share + gap)
    a = generator.random(number.size) < base - tilt / 2
    b = generator.random(number.size) < base + gain + tilt / 2
    return np.column_stack([a, b]).astype(np.float64), number


def coverage(sets: int) -> Iterator[tuple[str, str, float]]:
    generator = np.random.default_rng(1)
    for items, share in ((200, 0.8), (1000, 0.95), (76, 0.6)):
        draws = generator.binomial(items, share, sets)
        hits = [(i := wilson(int(d), items)).low <= share <= i.high for d in draws]
        yield "Wilson", f"{items} items, accuracy {share}", float(np.mean(hits))
    for clusters, each, share, spread in (
        (15, 8, 0.7, 0.2),
        (40, 8, 0.8, 0.2),
        (40, 8, 0.8, 0.0),
        (40, 8, 0.95, 0.05),
        (200, 5, 0.9, 0.1),
        (8, 8, 0.95, 0.2),
        (40, 8, 0.95, 0.2),
    ):
        hits, plain = [], []
        for seed in range(sets):
            credit, number = clustered(generator, clusters, each, share, spread)
            found = cluster_interval(credit, number, resamples=RESAMPLES, seed=seed)
            hits.append(found.low <= share <= found.high)
            means = resampled_means(*cluster_sums(credit, number), RESAMPLES, generator)
            low, high = np.quantile(means, [0.025, 0.975])
            plain.append(low <= share <= high)
        what = f"{clusters} documents of ~{each}, accuracy {share}, correlation {spread}"
        yield "cluster bootstrap", what, float(np.mean(hits))
        yield "(its percentiles, not used)", what, float(np.mean(plain))
    for clusters, each, gain, spread in (
        (500, 1, 0.0, 0.0),
        (500, 1, 0.05, 0.0),
        (40, 10, 0.05, 0.3),
        (15, 10, 0.0, 0.3),
    ):
        hits = []
        for _ in range(sets):
            credits, number = two_systems(generator, clusters, each, 0.7, gain, spread)
            sums, sizes = cluster_sums(credits, number)
            found, _ = paired.bootstrap_difference(sums, sizes, RESAMPLES, generator)
            hits.append(found.low <= gain <= found.high)
        what = f"{clusters * each} items" + (f" in {clusters} documents" if each > 1 else "") + f", difference {gain}"
        yield "paired bootstrap", what, float(np.mean(hits))


def false_positives(sets: int) -> Iterator[tuple[str, str, float]]:
    generator = np.random.default_rng(2)
    cases = ((300, 1, 0.7, 0.0), (1000, 1, 0.7, 0.0), (40, 10, 0.7, 0.3), (100, 1, 0.95, 0.0))
    for clusters, each, share, spread in cases:
        rejected = {"McNemar": 0, "permutation": 0, "bootstrap": 0}
        for _ in range(sets):
            credits, number = two_systems(generator, clusters, each, share, 0.0, spread)
            sums, sizes = cluster_sums(credits, number)
            rejected["McNemar"] += paired.mcnemar_exact(*paired.discordant(credits[:, 0], credits[:, 1])) <= 0.05
            rejected["permutation"] += paired.permutation_test(sums, RESAMPLES, generator) <= 0.05
            rejected["bootstrap"] += paired.bootstrap_difference(sums, sizes, RESAMPLES, generator)[1] <= 0.05
        if each > 1:
            del rejected["McNemar"]  # it takes decisions as independent and says so
        what = f"{clusters * each} items, accuracy {share}" + (f", in {clusters} documents" if each > 1 else "")
        for name, count in rejected.items():
            yield name, what, count / sets


def speed() -> dict[str, float]:
    """Seconds for `compare` with 10,000 resamples, and for plain resampling of items (100 of them, times 100)."""
    items, resamples = 100_000, 10_000
    variants = Variant("gut"), Variant("schlecht", error="e")
    suite = Suite("large", tuple(Item(str(i), "good", variants) for i in range(items)))
    generator = np.random.default_rng(3)
    systems = []
    for k in range(5):
        values = np.round(generator.normal(size=(items, 2)) - [0.5 + 0.02 * k, 0], 1)
        systems.append(Scores(f"system{k}", tuple(values.ravel().tolist())))
    start = time.perf_counter()
    result = compare(suite, systems, resamples=resamples)
    ours = time.perf_counter() - start
    credits = generator.random((items, 5))
    start = time.perf_counter()
    for _ in range(resamples // 100):
        credits[generator.integers(0, items, items)].mean(axis=0)
    plain = 100 * (time.perf_counter() - start)
    assert len(result.total) == 10
    return {"compare": ours, "plain resampling": plain, "ratio": plain / ours}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=2000, help="simulated data sets for each row")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    covered, rejected, seconds = list(coverage(options.sets)), list(false_positives(options.sets)), speed()
    if options.json:
        print_json({"sets": options.sets, "coverage": covered, "false_positives": rejected, "seconds": seconds})
        return
    cells = [(name, what, f"{rate:.4f}") for name, what, rate in covered]
    print_table(["interval", "on", "coverage of 95%"], cells, title=f"{options.sets} simulated sets each")
    print_table(["test", "on", "false positives at .05"], [(n, w, f"{rate:.4f}") for n, w, rate in rejected])
    print_table(
        ["100,000 items, 5 systems, 10,000 resamples", "seconds"],
        [(name, f"{value:.1f}") for name, value in seconds.items()],
    )


if __name__ == "__main__":
    main()
