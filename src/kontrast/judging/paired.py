"""Two systems on the same decisions: sign flips, exact McNemar; Holm; effect sizes. The t test is in `contrast`.

All take credits, or sums of credits over clusters.
"""

import itertools
import math
from collections.abc import Sequence

import numpy as np

from kontrast.judging.floats import Floats
from kontrast.judging.intervals import clustered_share, jackknife
from kontrast.judging.records import Interval

_SAME = 1e-9
"""Credits closer than this are the same: shares such as 1/3 are not exact."""


def discordant(a: Floats, b: Floats) -> tuple[int, int]:
    """On how many decisions a gets more credit than b, and b more than a."""
    gap = a - b
    return int((gap > _SAME).sum()), int((gap < -_SAME).sum())


def mcnemar_exact(a_better: int, b_better: int) -> float:
    """Two-sided exact McNemar test: are the discordant decisions split evenly?"""
    n, k = a_better + b_better, min(a_better, b_better)
    if n == 0 or a_better == b_better:
        return 1.0
    # Binomial probabilities in logarithms: they underflow from about a thousand discordant decisions on.
    j = np.arange(k + 1)
    steps = np.concatenate(([0.0], np.cumsum(np.log((n - j[:-1]) / (j[:-1] + 1.0)))))
    return min(1.0, 2 * float(np.exp(steps - n * math.log(2)).sum()))


def permutation_test(gaps: Floats, resamples: int, generator: np.random.Generator) -> float:
    """Two-sided paired permutation test of the mean difference; ``gaps`` are the clusters' sums of b - a.

    Under the null hypothesis a cluster's difference is as likely to have the other sign. All signs are tried where
    they are no more than the resamples. Else clusters whose difference has the same size are interchangeable, so the
    number that keeps its sign is binomial.
    """
    sizes = np.round(np.abs(gaps), 9)
    observed = abs(float(gaps.sum()))
    moving = sizes[sizes > 0]
    if moving.size == 0:
        return 1.0
    if 2**moving.size <= resamples:
        signs = np.array(list(itertools.product((-1.0, 1.0), repeat=moving.size)))
        return float((np.abs(signs @ moving) >= observed - 1e-7).mean())
    totals = np.zeros(resamples)
    for kind, count in zip(*(column.tolist() for column in np.unique(moving, return_counts=True)), strict=True):
        totals += kind * (2 * generator.binomial(count, 0.5, size=resamples) - count)
    extreme = int((np.abs(totals) >= observed - 1e-7).sum())
    return (extreme + 1) / (resamples + 1)


def permutation_floor(gaps: Floats, resamples: int) -> float:
    """The smallest p-value that this test can give on so many clusters: two of all signs, or one resample."""
    exact = 2.0 ** (1 - len(gaps)) if len(gaps) < 1000 else 0.0
    return exact if 2 ** min(len(gaps), 60) <= resamples else max(exact, 1 / (resamples + 1))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction: adjusted p-values in the given order."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = highest
    return adjusted


def odds_ratio(a_better: Floats, b_better: Floats, level: float = 0.95) -> tuple[float | None, Interval | None]:
    """The odds that a discordant decision favours b, from counts per cluster, with an interval.

    The interval is that of the share of discordant decisions which favour b. There is none where few decisions
    favour a, so that its end would be anything.
    """
    discordant = a_better + b_better
    some = discordant > 0
    if not some.any():
        return None, None
    ratio = float(b_better.sum() / a_better.sum()) if a_better.sum() else None
    share = clustered_share(jackknife(b_better[some], discordant[some]), level)
    if int(some.sum()) < 2 or share.high > 0.999 or share.low < 0.001:
        return ratio, None
    return ratio, Interval(share.low / (1 - share.low), share.high / (1 - share.high), "jackknife", level)


def cohens_h(a: float, b: float) -> float:
    """The distance of two shares on the arcsine scale, where .2 is small and .8 large."""
    return 2 * math.asin(math.sqrt(min(1.0, max(0.0, b)))) - 2 * math.asin(math.sqrt(min(1.0, max(0.0, a))))
