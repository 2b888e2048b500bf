"""Do intervals cover, do tests keep their level, does a gate find what it says? By simulation, with fixed seeds.

    python benchmarks/judging_statistics.py [--sets 4000] [--only coverage,tests,…] [--json]

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

from kontrast import Item, Scores, Suite, Variant, compare
from kontrast.judging import paired
from kontrast.judging.clusters import Grouped
from kontrast.judging.decisions import decisions_of
from kontrast.judging.gate import BaselineRule, gate_power
from kontrast.judging.intervals import clustered_share, share_interval, wilson
from kontrast.judging.jackknife import cluster_sums, jackknife
from kontrast.judging.meta.sensitivity import sensitivities
from kontrast.judging.records import Difference
from kontrast.judging.runs import seed_variances
from kontrast.judging.verdicts import verdicts_of
from kontrast.reporting.terminal import print_json, print_table

UN = (74, 69, 68, 64, 63, 49, 41, 41, 38, 37, 22, 21, 20, 19, 16, 12, 10, 10, 9, 9, 9, 8, 8, 8, 7, 7, 6, 6, 6, 5, 4)
UN += (3,) * 7 + (2,) * 8 + (1,) * 7
"""How many items each document of the UN test set has."""

SIZES: dict[str, tuple[int, ...]] = {
    "UN, 53 documents": UN,
    "UN, every 3rd: 18": UN[::3],
    "UN, every 4th: 14": UN[::4],
    "UN, every 5th: 11": UN[::5],
    "UN, every 7th: 8": UN[::7],
    "UN, every 9th: 6": UN[::9],
    "6 documents of 10 to 56": (10, 14, 20, 28, 40, 56),
    "6 documents of 20": (20,) * 6,
    "8 documents of 200": (200,) * 8,
    "10 documents of 20": (20,) * 10,
    "15 documents of 8": (8,) * 15,
    "15 documents of 50": (50,) * 15,
    "445 sources of 1 to 5": (1,) * 100 + (2,) * 170 + (3,) * 100 + (4,) * 50 + (5,) * 25,
}
CASES = ((0.7, 0.0), (0.7, 0.1), (0.7, 0.3), (0.9, 0.05), (0.95, 0.0), (0.95, 0.1), (0.98, 0.05), (0.99, 0.02))
"""Accuracies, and how much decisions of a document correlate."""
NEEDED = ((6, 50), (10, 20), (10, 50), (20, 20), (50, 10), (50, 50), (200, 10), (500, 1), (2000, 1), (12_000, 1))
Generator = np.random.Generator
Row = tuple[str, str, float, str]
"""Method, setting, rate, and a mark where it is outside of what it should be."""


def rates(generator: Generator, share: float, alike: float, count: int) -> Any:
    """Rates of documents, beta-distributed around a share; ``alike`` is the correlation of decisions within one."""
    if not alike:
        return np.full(count, share)
    strength = (1 - alike) / alike
    return generator.beta(share * strength, (1 - share) * strength, count)


def gaps(generator: Generator, sizes: Any, differ: float, alike: float, gain: float = 0.0) -> Any:
    """Sums of differences of two systems: they differ on a share of decisions, documents favour one or the other."""
    favour = rates(generator, 0.5 + gain / differ / 2, alike, len(sizes))
    differing = generator.binomial(sizes, differ)
    return 2.0 * generator.binomial(differing, favour) - differing


def within(rate: float, low: float, high: float, sets: int) -> str:
    """Empty, or by how many standard errors of the simulation a rate is outside."""
    if low <= rate <= high:
        return ""
    error = math.sqrt(max(rate * (1 - rate), 1e-4) / sets)
    return f"outside by {max(low - rate, rate - high):.3f} ({max(low - rate, rate - high) / error:.1f} s.e.)"


def coverage(sets: int) -> Iterator[Row]:
    """95% intervals of accuracies."""
    generator = np.random.default_rng(1)
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


def tests(sets: int) -> Iterator[Row]:
    """False positives at .05 of every test, and the coverage of the difference's interval."""
    generator = np.random.default_rng(2)
    settings = list(SIZES.items())
    settings += [(f"{n} items", (1,) * n) for n in (76, 300, 1000)]
    for name, given in settings:
        sizes = np.array(given)
        cases = ((0.05, 0.0), (0.3, 0.0), (0.1, 0.1), (0.3, 0.3))  # on how many they differ, and the correlation
        for differ, alike in cases if max(given) > 1 else cases[:2]:
            counts = {"jackknife t test": 0, "permutation": 0, "McNemar": 0}
            covered, gain = 0, 0.4 * differ
            for _ in range(sets):
                own = gaps(generator, sizes, differ, alike)
                counts["jackknife t test"] += paired.contrast(own, sizes.astype(np.float64)).p <= 0.05
                counts["permutation"] += paired.permutation_test(own, 1000, generator) <= 0.05
                if max(given) == 1:
                    counts["McNemar"] += paired.mcnemar_exact(int((own < 0).sum()), int((own > 0).sum())) <= 0.05
                shifted = gaps(generator, sizes, differ, alike, gain)
                interval = paired.contrast(shifted, sizes.astype(np.float64)).interval()
                covered += interval.low <= gain <= interval.high
            if max(given) > 1:
                del counts["McNemar"]  # it takes decisions as independent and says so
            what = f"{name}, differ on {differ:.0%}, correlation {alike}"
            for test, count in counts.items():
                yield f"{test}: false positives", what, count / sets, within(count / sets, 0.0, 0.06, sets)
            rate = covered / sets
            yield "difference: coverage", f"{what}, gain {gain:.2f}", rate, within(rate, 0.92, 0.98, sets)


def concentrated(sets: int) -> Iterator[Row]:
    """Where intervals fail: most decisions on which the systems differ lie in a few documents."""
    generator = np.random.default_rng(9)
    for name in ("6 documents of 10 to 56", "8 documents of 200", "15 documents of 50", "UN, 53 documents"):
        sizes, covered = np.array(SIZES[name]), 0
        for _ in range(sets):
            favour, differ = rates(generator, 0.7, 0.1, len(sizes)), rates(generator, 0.2, 0.3, len(sizes))
            differing = generator.binomial(sizes, differ)
            own = paired.contrast(2.0 * generator.binomial(differing, favour) - differing, sizes * 1.0).interval()
            covered += own.low <= 0.2 * 0.4 <= own.high
        what = f"{name}, differ on 20%, itself correlated at .3, gain 0.08"
        yield "difference: coverage", what, covered / sets, within(covered / sets, 0.92, 0.98, sets)


def trained(generator: Generator, number: Any, runs: tuple[int, int], between: float) -> Any:
    """Credits of two systems' runs, a column a run: items and documents have a difficulty, seeds a quality."""
    items, documents = len(number), int(number.max()) + 1
    easy = generator.normal(size=(items, 1)) * 0.74 + 0.3 * generator.normal(size=(documents, 1))[number]
    easy += NormalDist().inv_cdf(0.83)
    noise = [0.6 * generator.normal(size=(items, own)) + between * generator.normal(size=own) for own in runs]
    return [(easy + own > 0).astype(np.float64) for own in noise]


def seeds(sets: int) -> Iterator[Row]:
    """Two systems of one recipe, each of several seeds: how often does a test find a difference?"""
    generator = np.random.default_rng(3)
    sets = max(200, sets // 4)
    for items, documents in ((500, 25), (3000, 60), (3000, 3000), (12_000, 12_000)):
        number = np.arange(items) % documents
        sizes = np.bincount(number).astype(np.float64)
        for runs, others, between in ((3, 3, 0.0), (3, 3, 0.04), (3, 3, 0.08), (5, 5, 0.08), (3, 1, 0.08)):
            rounds = sets if items < 12_000 else sets // 3
            rejected = ignoring = covered = 0
            truth = NormalDist().cdf(NormalDist().inv_cdf(0.83) / math.sqrt(0.74**2 + 0.3**2 + 0.36 + between**2))
            for _ in range(rounds):
                a, b = trained(generator, number, (runs, others), between)
                sums, _ = cluster_sums(np.column_stack([a.mean(axis=1), b.mean(axis=1)]), number)
                parts = seed_variances(a.mean(axis=0).tolist(), b.mean(axis=0).tolist())
                rejected += paired.contrast(sums[:, 1] - sums[:, 0], sizes, parts).p <= 0.05
                ignoring += paired.contrast(sums[:, 1] - sums[:, 0], sizes).p <= 0.05
                variance = (float(a.mean(axis=0).var(ddof=1)) / runs, runs - 1)
                own = clustered_share(jackknife(sums[:, 0], sizes), seeds=variance)
                covered += own.low <= truth <= own.high
            what = f"{items} items in {documents} clusters, {runs} and {others} seeds, seeds' effect {between}"
            rate = rejected / rounds
            yield "seeds: false positives", what, rate, within(rate, 0.0, 0.06, rounds)
            yield "(ignoring seeds, as --runs fixed)", what, ignoring / rounds, ""
            yield "mean over seeds: coverage", what, covered / rounds, within(covered / rounds, 0.92, 0.98, rounds)


def power(sets: int) -> Iterator[Row]:
    """How often the minimum detectable difference is found: it promises .80."""
    generator = np.random.default_rng(4)
    settings = [(name, given, family) for name, given in SIZES.items() for family in (1, 14)]
    settings += [(f"{n} items", (1,) * n, family) for n in (300, 1000) for family in (1, 14)]
    for name, given, family in settings:
        sizes = np.array(given)
        differ, alike, alpha = 0.3, 0.1 if max(given) > 1 else 0.0, 0.05 / family
        tests = ("jackknife", "permutation", "mcnemar") if max(given) == 1 else ("jackknife",)
        for test in tests:
            step = 1 / len(given) if test != "jackknife" else 0.0
            # The difference is named by data in which it is there, as a pilot study would have it.
            named = 0.0
            for _ in range(4):
                pilots = [gaps(generator, sizes, differ, alike, named) for _ in range(400)]
                found = [paired.contrast(pilot, sizes * 1.0).detectable(alpha, step=step) for pilot in pilots]
                named = min(0.7 * differ, float(np.median([1.0 if each is None else each for each in found])))
            what = f"{name}, Holm over {family}, difference {named:.3f}"
            if named >= 0.7 * differ:
                yield f"mdd, {test}", f"{what} or more: systems that differ on 30% cannot show it", math.nan, "n/a"
                continue
            hits = 0
            for _ in range(sets):
                own = gaps(generator, sizes, differ, alike, named)
                if test == "mcnemar":
                    p = paired.mcnemar_exact(int((own < 0).sum()), int((own > 0).sum()))
                elif test == "permutation":
                    p = paired.permutation_test(own, 10_000, generator)
                else:
                    p = paired.contrast(own, sizes * 1.0).p
                hits += p <= alpha
            yield f"mdd, {test}", what, hits / sets, within(hits / sets, 0.78, 0.82, sets)


def gates(sets: int) -> Iterator[Row]:
    """A gate with a margin and one without: false alarms, losses found, and what the gate says of itself."""
    generator = np.random.default_rng(5)
    for name, given in (
        ("UN × 4, 212 documents", UN * 4),
        ("100 documents of 100", (100,) * 100),
        ("15 documents of 400", (400,) * 15),
        ("12,000 items", (1,) * 12_000),
        ("2,000 items", (1,) * 2_000),
    ):
        sizes, alike = np.array(given), 0.02 if max(given) > 1 else 0.0
        for margin in (0.02, 0.03, None):
            rule = BaselineRule("old", margin=margin)
            for loss in (0.0, margin or 0.02):
                failed, said = 0, []
                for _ in range(sets):
                    own = paired.contrast(gaps(generator, sizes, 0.08, alike, -loss), sizes * 1.0)
                    interval = own.interval()
                    worse = own.p <= 0.05 and own.difference < 0
                    failed += worse if margin is None else interval.low <= -margin
                    if len(said) < 300:
                        said.append(gate_power(_row(own), rule, loss))
                rate, told = failed / sets, float(np.mean(said))
                what = f"{name}, margin {margin or '–'}: {f'{100 * loss:g} points worse' if loss else 'as good'}"
                mark = within(rate - told, -0.03, 0.03, sets)
                yield "gate fails", f"{what}; it says {told:.3f}", rate, mark


def _row(own: paired.Contrast) -> Difference:
    """As much of a comparison's row as the gate looks at."""
    blank: dict[str, Any] = dict.fromkeys(Difference.__struct_fields__, 0)
    return Difference(**{**blank, "error": own.error, "freedom": own.freedom, "undecided": None})


def effects(sets: int) -> Iterator[Row]:
    """A metric's mean margin over its spread, both uncertain, in documents that differ."""
    generator = np.random.default_rng(8)
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


def needed(sets: int) -> Iterator[Row]:
    """How far an interval reaches, and which difference is found: the table of docs/statistics.md."""
    generator = np.random.default_rng(6)
    for documents, each in NEEDED:
        sizes = np.full(documents, each)
        alike = 0.1 if each > 1 else 0.0
        half, found = [], []
        for _ in range(min(sets, 400)):
            sums = generator.binomial(sizes, rates(generator, 0.8, alike, documents)).astype(np.float64)
            own = clustered_share(jackknife(sums, sizes * 1.0)) if each > 1 else wilson(float(sums.sum()), documents)
            half.append((own.high - own.low) / 2)
            found.append(paired.contrast(gaps(generator, sizes, 0.15, alike), sizes * 1.0).detectable() or 1.0)
        what = f"{documents} documents of {each}" if each > 1 else f"{documents} independent items"
        yield "80% ± points", what, 100 * float(np.median(half)), ""
        yield "difference found with 80% power, points", what, 100 * float(np.median(found)), ""


def speed(sets: int) -> Iterator[Row]:
    """Seconds for `compare` with 10,000 resamples, and for plain resampling of items (100 of them, times 100)."""
    items, resamples = 100_000, 10_000
    variants = Variant("gut"), Variant("schlecht", error="e")
    suite = Suite("large", tuple(Item(str(i), f"good {i}", variants) for i in range(items)))
    generator = np.random.default_rng(7)
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
    "effects": effects,
    "needed": needed,
    "speed": speed,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=4000, help="simulated data sets for each row")
    parser.add_argument("--only", default=",".join(PARTS), help="parts, separated by commas")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = {name: list(PARTS[name](options.sets)) for name in options.only.split(",")}
    if options.json:
        print_json({"sets": options.sets, **found})
        return
    error = math.sqrt(0.95 * 0.05 / options.sets)
    for name, rows in found.items():
        title = f"{name}: {options.sets} simulated sets a row (standard error {error:.4f} at .95)"
        cells = [(method, what, f"{rate:.3f}", mark) for method, what, rate, mark in rows]
        print_table(["", "on", "rate", ""], cells, title=title)


if __name__ == "__main__":
    main()
