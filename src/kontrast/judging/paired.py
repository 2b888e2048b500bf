"""Tests on paired decisions: exact McNemar, paired permutation, paired bootstrap; Holm's correction; effect sizes.

All take credits of two systems on the same decisions. Where decisions share documents, the permutation and the
bootstrap move whole documents; McNemar's test knows nothing of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from kontrast.judging.decisions import Floats
from kontrast.judging.intervals import resampled_means, student_quantile, wilson
from kontrast.judging.records import Interval

__all__ = [
    "bootstrap_difference",
    "cohens_h",
    "discordant",
    "holm",
    "mcnemar_exact",
    "minimum_detectable",
    "odds_ratio",
    "permutation_test",
]

_SAME = 1e-9
"""Credits closer than this are the same: shares such as 1/3 are not exact."""


def discordant(a: Floats, b: Floats) -> tuple[int, int]:
    """On how many decisions a gets more credit than b, and b more than a."""
    gap = a - b
    return int((gap > _SAME).sum()), int((gap < -_SAME).sum())


def mcnemar_exact(a_better: int, b_better: int) -> float:
    """Two-sided exact McNemar test: are the discordant decisions split evenly?

    >>> round(mcnemar_exact(2, 11), 6)
    0.022461
    """
    n, k = a_better + b_better, min(a_better, b_better)
    if n == 0 or a_better == b_better:
        return 1.0
    # Binomial probabilities in logarithms: they underflow from about a thousand discordant decisions on.
    j = np.arange(k + 1)
    steps = np.concatenate(([0.0], np.cumsum(np.log((n - j[:-1]) / (j[:-1] + 1.0)))))
    return min(1.0, 2 * float(np.exp(steps - n * math.log(2)).sum()))


def permutation_test(sums: Floats, resamples: int, generator: np.random.Generator) -> float:
    """Two-sided paired permutation test of the mean difference; ``sums`` has a row a cluster and columns a, b.

    Under the null hypothesis a cluster's difference is as likely to have the other sign. Clusters whose difference
    has the same size are interchangeable, so the number that keeps its sign is binomial.
    """
    gaps = np.round(np.abs(sums[:, 1] - sums[:, 0]), 9)
    observed = abs(float((sums[:, 1] - sums[:, 0]).sum()))
    kinds, counts = np.unique(gaps[gaps > 0], return_counts=True)
    if kinds.size == 0:
        return 1.0
    totals = np.zeros(resamples)
    for kind, count in zip(kinds.tolist(), counts.tolist(), strict=True):
        totals += kind * (2 * generator.binomial(count, 0.5, size=resamples) - count)
    extreme = int((np.abs(totals) >= observed - 1e-7).sum())
    return (extreme + 1) / (resamples + 1)


def bootstrap_difference(
    sums: Floats, sizes: Floats, resamples: int, generator: np.random.Generator, level: float = 0.95
) -> tuple[Interval, float]:
    """The interval of mean(b) - mean(a) by paired bootstrap of clusters, and a two-sided p-value.

    Both come from the resampled differences around their observed value: the interval from their standard
    deviation with Student's quantile for the number of clusters (percentiles are too narrow with few), the
    p-value as the share of centred and equally widened differences at least as far from nothing as the observed one.
    """
    means = resampled_means(sums, sizes, resamples, generator)
    return summarise_difference(means[:, 1] - means[:, 0], sums, sizes, level)


def summarise_difference(gaps: Floats, sums: Floats, sizes: Floats, level: float = 0.95) -> tuple[Interval, float]:
    """Interval and p-value from resampled differences (see `bootstrap_difference`)."""
    count = len(sizes)
    observed = float((sums[:, 1] - sums[:, 0]).sum() / sizes.sum())
    if count < 2:
        return Interval(-1.0, 1.0, "paired bootstrap", level), 1.0
    z = NormalDist().inv_cdf((1 + level) / 2)
    stretch = math.sqrt(count / (count - 1)) * student_quantile((1 + level) / 2, count - 1) / z
    # Half a decision for each side in which they differ, and half in which they agree (Agresti and Min 2005):
    # systems that never differed here are not known to be the same.
    items = float(sizes.sum())
    shrink = items / (items + 2)
    half = z * stretch * math.hypot(shrink * float(gaps.std()), 1 / (items + 2))
    low, high = min(observed, shrink * observed - half), max(observed, shrink * observed + half)
    interval = Interval(max(-1.0, low), min(1.0, high), "paired bootstrap", level)
    extreme = int((stretch * np.abs(gaps - gaps.mean()) >= abs(observed) - 1e-12).sum())
    return interval, (extreme + 1) / (len(gaps) + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction: adjusted p-values in the given order.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = highest
    return adjusted


def odds_ratio(a_better: int, b_better: int, level: float = 0.95) -> tuple[float | None, Interval | None]:
    """The odds that a discordant decision favours b, with the interval of Wilson for that share.

    >>> odds_ratio(2, 11)[0]
    5.5
    """
    if a_better + b_better == 0:
        return None, None
    share = wilson(b_better, a_better + b_better, level)
    low = share.low / (1 - share.low) if share.low < 1 else math.inf
    high = share.high / (1 - share.high) if share.high < 1 else math.inf
    ratio = b_better / a_better if a_better else None
    return ratio, Interval(low, high, "wilson, conditional", level) if math.isfinite(high) else None


def cohens_h(a: float, b: float) -> float:
    """The distance of two shares on the arcsine scale, where .2 is small and .8 large."""
    return 2 * math.asin(math.sqrt(min(1.0, max(0.0, b)))) - 2 * math.asin(math.sqrt(min(1.0, max(0.0, a))))


def minimum_detectable(sums: Floats, sizes: Floats, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """The smallest true difference that a paired test on these decisions would find with the given power.

    Uses the observed variance of the differences between clusters; None where the systems never differ.
    """
    count, items = len(sizes), float(sizes.sum())
    gaps = sums[:, 1] - sums[:, 0]
    residual = gaps - gaps.sum() / items * sizes
    spread = math.sqrt(float((residual**2).sum()) * count / max(1, count - 1)) / items
    if count < 2 or float(np.abs(gaps).max()) <= _SAME:
        return None
    z = NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(power)
    return z * spread
