"""Intervals for accuracies: Wilson's for independent decisions, a cluster bootstrap where they share documents.

No interval here needs more than numpy; the tests hold them against scipy and statsmodels, and
``benchmarks/judging_statistics.py`` measures their coverage.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from kontrast.judging.decisions import Floats, Ints
from kontrast.judging.records import Interval

__all__ = ["cluster_interval", "cluster_sums", "resampled_means", "student_quantile", "wilson"]


def wilson(
    credit: float, items: float, level: float = 0.95, *, method: str = "wilson", z: float | None = None
) -> Interval:
    """Wilson's score interval for a share; a credit with fractions (shared ties) only makes it wider than needed.

    >>> interval = wilson(94, 100)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.8752, 0.9722)
    """
    if items <= 0:
        return Interval(0.0, 1.0, method, level)
    z = NormalDist().inv_cdf((1 + level) / 2) if z is None else z
    share = min(1.0, max(0.0, credit / items))
    middle = (share + z * z / (2 * items)) / (1 + z * z / items)
    half = z / (1 + z * z / items) * math.sqrt(share * (1 - share) / items + z * z / (4 * items * items))
    # Rounding must not put the estimate outside its own interval.
    return Interval(max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half)), method, level)


def cluster_sums(credit: Floats, cluster: Ints) -> tuple[Floats, Floats]:
    """Credit and number of decisions per cluster, all that resampling needs; credit may have a column a system."""
    _, number = np.unique(cluster, return_inverse=True)
    columns = credit.reshape(len(credit), -1)
    sums = np.column_stack([np.bincount(number, weights=column) for column in columns.T]).astype(np.float64)
    return sums, np.bincount(number).astype(np.float64)


def resampled_means(
    sums: Floats, sizes: Floats, resamples: int, generator: np.random.Generator, chunk: int = 4_000_000
) -> Floats:
    """Means of ``resamples`` bootstrap samples of clusters: a row a sample, a column a system.

    Clusters with equal sums and sizes are interchangeable, so how often each *kind* is drawn is multinomial.
    With few kinds (a credit is 0, 1 or a small share) 100,000 items cost no more than a handful.
    """
    table = np.round(np.column_stack([sums, sizes]), 9)
    kinds, counts = np.unique(table, axis=0, return_counts=True)
    shares = counts / counts.sum()
    means = np.empty((resamples, sums.shape[1]))
    step = max(1, chunk // len(kinds))
    for start in range(0, resamples, step):
        drawn = generator.multinomial(int(counts.sum()), shares, size=min(step, resamples - start))
        totals = drawn.astype(np.float64) @ kinds
        means[start : start + step] = totals[:, :-1] / totals[:, -1:]
    return means


def cluster_interval(
    credit: Floats,
    cluster: Ints,
    *,
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Interval:
    """An interval for a mean of decisions that come in clusters (documents).

    Whole clusters are resampled; the variance of the resampled means over that of independent decisions is the
    design effect. The interval is Wilson's at the effective number of decisions (their number over the design
    effect), with Student's quantile for the number of clusters. The plain percentiles of the same resamples cover
    too little with few clusters and collapse at 0 and 1 (see docs/statistics.md).
    """
    sums, sizes = cluster_sums(credit, cluster)
    count, items = len(sizes), float(sizes.sum())
    share = float(sums.sum() / items)
    if count < 2:
        return wilson(float(sums.sum()), items, level, method="wilson, within one cluster")
    # A bootstrap variance falls short by the factor (clusters - 1) / clusters.
    means = resampled_means(sums, sizes, resamples, np.random.default_rng(seed))
    variance = float(means.var()) * count / (count - 1)
    independent = share * (1 - share) / items
    effect = variance / independent if independent > 0 else items / count
    # Few clusters may agree by luck: they never count for more than four times their items.
    effective = items / max(effect, 0.25)
    z = student_quantile((1 + level) / 2, count - 1)
    return wilson(share * effective, effective, level, method="cluster bootstrap", z=z)


def student_quantile(probability: float, freedom: float) -> float:
    """The quantile of Student's t distribution, found on its density.

    >>> round(student_quantile(0.975, 4), 4)
    2.7764
    """
    if freedom > 10_000:
        return NormalDist().inv_cdf(probability)
    if probability < 0.5:
        return -student_quantile(1 - probability, freedom)
    # With t = sqrt(freedom) tan(angle) the density is cos(angle) ** (freedom - 1) over a finite range.
    angles = np.linspace(0.0, math.pi / 2, 20_001)
    density = np.cos(angles) ** (freedom - 1)
    weights = np.concatenate(([0.0], np.cumsum((density[1:] + density[:-1]) / 2)))
    share = weights / weights[-1] / 2
    angle = float(np.interp(probability - 0.5, share, angles))
    return math.sqrt(freedom) * math.tan(angle)
