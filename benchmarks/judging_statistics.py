"""Do intervals cover, do tests keep their level, does a gate find what it says? By simulation, with fixed seeds.

    python benchmarks/judging_statistics.py [--sets 4000] [--seed 0] [--only coverage,tests,…] [--json]

Rows are what users have: the 53 document sizes of the UN test set and parts of it, six to fifteen documents, large
and small ones, several items of one source, accuracies up to 99%, n-way items, ties, three seeds. A coverage outside
.92–.98, false positives above .06, a power of the minimum detectable difference outside .78–.82 and a gate's power
that is more than 3 points off are marked. The last part times `compare` on 100,000 items and 5 systems.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from statistics import NormalDist
from typing import Any

import numpy as np

from judging_batch import batch
from judging_power import gates, needed, power, retrained
from judging_settings import CASES, SIZES, Generator, Row, mcnemar, rates, trained, within
from kontrast import Item, Scores, Suite, Variant, compare
from kontrast.analysis.means import mean_of
from kontrast.judging import paired
from kontrast.judging.clusters import Clusters, Grouped
from kontrast.judging.contrast import MIN_CONTRIBUTING, contrast, gaps_of
from kontrast.judging.decisions import decisions_of
from kontrast.judging.intervals import cluster_sums, clustered_share, jackknife, share_interval, wilson
from kontrast.judging.meta.statistics import sensitivities
from kontrast.judging.runs import seed_variances
from kontrast.judging.verdicts import verdicts_of
from kontrast.reporting.terminal import print_json, print_table


def coverage(sets: int, seed: int) -> Iterator[Row]:
    """95% intervals of accuracies."""
    generator = np.random.default_rng(1 + seed)
    for items, share in ((76, 0.6), (200, 0.8), (1000, 0.95), (1000, 0.99)):
        found = [wilson(int(d), items) for d in generator.binomial(items, share, sets)]
        rate = float(np.mean([i.low <= share <= i.high for i in found]))
        yield "Wilson", f"{items} items, {share:.0%}", rate, within(rate, 0.92, 0.98, sets)
    for name, given in SIZES.items():
        sizes = np.array(given)
        for share, alike in CASES:
            hits = 0
            for _ in range(sets):
                sums = generator.binomial(sizes, rates(generator, share, alike, len(sizes))).astype(np.float64)
                own = clustered_share(jackknife(sums, sizes.astype(np.float64)))
                hits += own.low <= share <= own.high
            rate = hits / sets
            yield "jackknife", f"{name}, {share:.0%}, correlation {alike}", rate, within(rate, 0.92, 0.98, sets)
    for options, tied in ((3, 0.0), (3, 0.2), (7, 0.2), (2, 0.9)):
        hits, items = 0, 150
        # Ties share the credit among two variants or more.
        credits = np.array([1.0, 0.0, *(1 / k for k in range(2, options + 1))])
        chances = np.array([(1 - tied) * 0.6, (1 - tied) * 0.4, *([tied / (options - 1)] * (options - 1))])
        truth = float(credits @ chances)
        for _ in range(sets):
            credit = generator.choice(credits, items, p=chances)
            own = share_interval(credit, Grouped(None, np.arange(items)))
            hits += own.low <= truth <= own.high
        rate = hits / sets
        yield "jackknife", f"{items} {options}-way items, {tied:.0%} ties", rate, within(rate, 0.92, 0.98, sets)


def tests(sets: int, seed: int) -> Iterator[Row]:
    """False positives at .05 of every test, and the coverage of the difference's interval."""
    generator = np.random.default_rng(2 + seed)
    settings = list(SIZES.items())
    settings += [(f"{n} items", (1,) * n) for n in (76, 300, 1000)]
    for name, given in settings:
        sizes = np.array(given)
        cases = ((0.05, 0.0), (0.3, 0.0), (0.1, 0.1), (0.3, 0.3))  # on how many they differ, and the correlation
        for differ, alike in cases if max(given) > 1 else cases[:2]:
            what = f"{name}, differ on {differ:.0%}, correlation {alike}"
            yield from differing(generator, sets, sizes, what, differ, alike, 0.4 * differ)


def concentrated(sets: int, seed: int) -> Iterator[Row]:
    """Most decisions on which the systems differ lie in a few documents."""
    generator = np.random.default_rng(9 + seed)
    for name in ("6 documents of 10 to 56", "8 documents of 200", "15 documents of 50", "UN, 53 documents"):
        what = f"{name}, differ on 20%, itself correlated at .3"
        yield from differing(generator, sets, np.array(SIZES[name]), what, 0.2, 0.1, 0.08, gathered=0.3)


def differing(
    generator: Generator,
    sets: int,
    sizes: Any,
    what: str,
    differ: float,
    alike: float,
    gain: float,
    gathered: float = 0.0,
) -> Iterator[Row]:
    """One setting: false positives without a gain, coverage with one, where the tool decides at all."""
    null = batch(generator, sets, sizes, differ, alike, gathered=gathered)
    wrong = (null.p() <= 0.05) & (null.contributing >= MIN_CONTRIBUTING)
    rates_of = {"jackknife t test": (float(wrong.mean()), sets)}
    some = max(100, sets // 5)
    flips = [paired.permutation_test(own, 1000, generator) <= 0.05 for own in null.sums[:some]]
    rates_of["permutation"] = (float(np.mean(flips)), some)
    if max(sizes) == 1:  # with clusters it takes decisions as independent, and says so
        exact = [mcnemar(own, moved) <= 0.05 for own, moved in zip(null.sums, null.moved, strict=True)]
        rates_of["McNemar"] = (float(np.mean(exact)), sets)
    for test, (rate, rounds) in rates_of.items():
        yield f"{test}: false positives", what, rate, within(rate, 0.0, 0.06, rounds)
    found = batch(generator, sets, sizes, differ, alike, gain, gathered)
    says = found.contributing >= MIN_CONTRIBUTING
    silent = f"cannot say in {1 - says.mean():.0%}"
    if says.mean() < 0.5:
        yield "difference: coverage", f"{what}, gain {gain:.2f}", math.nan, silent
        return
    rate = float((found.p(gain) > 0.05)[says].mean())
    more = "" if says.all() else f"; {silent}"
    yield "difference: coverage", f"{what}, gain {gain:.2f}{more}", rate, within(rate, 0.92, 0.98, int(says.sum()))


def seeds(sets: int, seed: int) -> Iterator[Row]:
    """Two systems of one recipe, each of several seeds: how often does a test find a difference?"""
    generator = np.random.default_rng(3 + seed)
    sets = max(200, sets // 4)
    for items, documents in ((500, 25), (3000, 60), (3000, 3000), (12_000, 12_000)):
        number = np.arange(items) % documents
        sizes = np.bincount(number).astype(np.float64)
        for runs, others, between in ((3, 3, 0.0), (3, 3, 0.04), (3, 3, 0.08), (5, 5, 0.08), (3, 1, 0.08)):
            rejected = ignoring = covered = 0
            truth = NormalDist().cdf(NormalDist().inv_cdf(0.83) / math.sqrt(0.74**2 + 0.3**2 + 0.36 + between**2))
            for _ in range(sets):
                a, b = trained(generator, number, (runs, others), between)
                sums, _ = cluster_sums(a.mean(axis=1), number)
                own_gaps = gaps_of(a.mean(axis=1), b.mean(axis=1), number)
                parts = seed_variances(a.mean(axis=0).tolist(), b.mean(axis=0).tolist())
                rejected += contrast(own_gaps, parts).p <= 0.05
                ignoring += contrast(own_gaps).p <= 0.05
                variance = (float(a.mean(axis=0).var(ddof=1)) / runs, runs - 1)
                own = clustered_share(jackknife(sums[:, 0], sizes), seeds=variance)
                covered += own.low <= truth <= own.high
            what = f"{items} items in {documents} clusters, {runs} and {others} seeds, seeds' effect {between}"
            rate = rejected / sets
            yield "seeds: false positives", what, rate, within(rate, 0.0, 0.06, sets)
            yield "(ignoring seeds, as --runs fixed)", what, ignoring / sets, ""
            yield "mean over seeds: coverage", what, covered / sets, within(covered / sets, 0.92, 0.98, sets)


def effects(sets: int, seed: int) -> Iterator[Row]:
    """A metric's mean margin over its spread, both uncertain, in documents that differ."""
    generator = np.random.default_rng(8 + seed)
    variants = Variant("gut"), Variant("schlecht", error="e")
    sets = max(200, sets // 4)
    for documents, each, size in ((15, 8, 0.4), (15, 50, 0.4), (53, 15, 1.0), (6, 30, 0.4)):
        number = np.arange(documents * each) // each
        items = tuple(Item(str(i), f"s{i}", variants, document=f"d{number[i]}") for i in range(len(number)))
        decisions = decisions_of(Suite("metrics", items))
        hits = 0
        for _ in range(sets):
            level, cost = 0.5 * generator.normal(size=(2, documents))
            right = 10 * (level[number] + math.sqrt(0.75) * generator.normal(size=len(number)))
            margin = 10 * (size + 0.6 * cost[number] + generator.gamma(2.0, 0.5, len(number)) - 1.0)
            values = np.column_stack([right, right - margin]).ravel()
            verdicts = verdicts_of(decisions, values)
            spread = float(right.std(ddof=1))
            [found] = sensitivities(verdicts, spread, "", None, correct=values[decisions.correct])
            hits += found.interval.low <= size <= found.interval.high
        what = f"{documents} documents of {each}, effect {size}"
        yield "effect: coverage", what, hits / sets, within(hits / sets, 0.92, 0.98, sets)


def means(sets: int, seed: int) -> Iterator[Row]:
    """Means of bits, as context, cues and memory print them."""
    generator = np.random.default_rng(11 + seed)
    sets = max(200, sets // 4)
    for name in ("UN, 53 documents", "6 documents of 10 to 56", "8 documents of 200", "15 documents of 8"):
        sizes = np.array(SIZES[name])
        number, shape = np.repeat(np.arange(len(sizes)), sizes), (len(sizes), int(sizes.sum()))
        clusters = Clusters((("document", number),), len(number))
        for kind, truth in (("normal", 0.3), ("in few documents", 0.06), ("very skewed", 1.0)):
            hits = said = 0
            for _ in range(sets):
                if kind == "very skewed":
                    bits = generator.gamma(0.7, 1 / 0.7, shape[0])[number] * generator.gamma(0.5, 2, shape[1])
                else:
                    bits = 0.3 + 0.5 * generator.normal(size=shape[0])[number] + generator.normal(size=shape[1])
                if kind == "in few documents":
                    bits *= generator.random(shape[1]) < rates(generator, 0.2, 0.3, shape[0])[number]
                own = mean_of(bits, clusters)
                if own is not None and own.undecided is None and own.interval is not None:
                    said, hits = said + 1, hits + (own.interval.low <= truth <= own.interval.high)
            more = "" if said == sets else f"; cannot say in {1 - said / sets:.0%}"
            yield (
                "mean of bits: coverage",
                f"{name}, {kind}{more}",
                hits / said,
                within(hits / said, 0.92, 0.98, said),
            )


def speed(sets: int, seed: int) -> Iterator[Row]:
    """Seconds for `compare` with 10,000 resamples, and for plain resampling of items (100 of them, times 100)."""
    items, resamples = 100_000, 10_000
    variants = Variant("gut"), Variant("schlecht", error="e")
    suite = Suite("large", tuple(Item(str(i), f"good {i}", variants) for i in range(items)))
    generator = np.random.default_rng(7 + seed)
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
    what = "100,000 items, 5 systems, 10,000 resamples: seconds"
    yield "compare, both tests", what, ours, ""
    yield "plain resampling of items", what, plain, ""


PARTS = {
    "coverage": coverage,
    "tests": tests,
    "concentrated": concentrated,
    "seeds": seeds,
    "power": power,
    "gates": gates,
    "retrained": retrained,
    "effects": effects,
    "means": means,
    "needed": needed,
    "speed": speed,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=4000, help="simulated data sets for each row")
    parser.add_argument("--only", default=",".join(PARTS), help="parts, separated by commas")
    parser.add_argument("--seed", type=int, default=0, help="other random numbers: to see that a rate is no accident")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = {name: list(PARTS[name](options.sets, options.seed)) for name in options.only.split(",")}
    if options.json:
        print_json({"sets": options.sets, "seed": options.seed, **found})
        return
    error = math.sqrt(0.95 * 0.05 / options.sets)
    for name, rows in found.items():
        title = f"{name}: {options.sets} simulated sets a row (standard error {error:.4f} at .95)"
        cells = [(method, what, f"{rate:.3f}", mark) for method, what, rate, mark in rows]
        print_table(["", "on", "rate", ""], cells, title=title)


if __name__ == "__main__":
    main()
