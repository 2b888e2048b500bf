"""Intervals of accuracies: Wilson's for independent decisions, with a jackknife where they are not.

No interval here needs more than numpy; the tests hold them against scipy and statsmodels, and
``benchmarks/judging_statistics.py`` measures their coverage.

The delete-one-cluster jackknife of a mean: how far it would move without each document (source, item) in turn.

It holds with documents of unequal size, and needs no resampling. Its degrees of freedom come from the sizes: many
small documents beside one large one are not many. For accuracies they also come from the data: a few documents with
all the errors tell little of the others. The formulas are in docs/methods.md, what they cover in
``benchmarks/judging_statistics.py``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from kontrast.judging.clusters import Grouped
from kontrast.judging.floats import Floats, Ints
from kontrast.judging.records import Interval
from kontrast.judging.student import student_quantile

FAR = 3
"""How many times Johnson's correction for skewness is added on the side of the long tail."""


def wilson(
    credit: float, items: float, level: float = 0.95, *, method: str = "wilson", z: float | None = None
) -> Interval:
    """Wilson's score interval for a share."""
    if items <= 0:
        return Interval(0.0, 1.0, method, level)
    z = NormalDist().inv_cdf((1 + level) / 2) if z is None else z
    share = min(1.0, max(0.0, credit / items))
    middle = (share + z * z / (2 * items)) / (1 + z * z / items)
    half = z / (1 + z * z / items) * math.sqrt(share * (1 - share) / items + z * z / (4 * items * items))
    # Rounding must not put the estimate outside its own interval.
    return Interval(max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half)), method, level)


def share_interval(credit: Floats, grouped: Grouped, level: float = 0.95) -> Interval:
    """The interval of a mean credit that is right for these decisions and their clusters."""
    whole = grouped.name is None and bool(np.isin(credit, (0.0, 1.0)).all())
    if whole or len(credit) < 2:
        found = wilson(float(credit.sum()), len(credit), level)
    else:
        found = clustered_share(jackknife_of(credit, grouped), level)
    return Interval(found.low, found.high, found.method, level, grouped.scope)


def clustered_share(found: Jackknife, level: float = 0.95, seeds: tuple[float, int] | None = None) -> Interval:
    """Wilson's interval at the effective number of decisions, with Student's quantile.

    The design effect is the jackknife's variance over that of independent decisions. ``seeds`` adds the variance of a
    mean over runs, and its degrees of freedom.
    """
    share, items = min(1.0, max(0.0, found.mean)), found.size
    if found.clusters < 2:
        return wilson(share * items, items, level)
    independent = share * (1 - share) / items
    # Few clusters may agree by luck: their decisions count for four times their number at most.
    least = min(0.25, 5 / found.clusters)
    effect = max(found.variance / independent, least) if independent > 0 else 1.0
    # Where decisions of a document depend, the rates of documents are far from normal: up to one degree less.
    by_size = found.share_freedom - max(0.0, 1 - 2 / effect)
    variance, freedom = found.variance, max(0.5, min(by_size, found.by_data))
    if seeds is not None and seeds[0] > 0:
        variance, freedom = with_seeds(variance, freedom, (seeds,))
        effect = max(variance / independent, least) if independent > 0 else 1.0
    z = student_quantile((1 + level) / 2, round(freedom, 2))
    near, far = (
        wilson((share + times * found.skew) * items / effect, items / effect, level, z=z) for times in (1, FAR)
    )
    low, high = (far.low, near.high) if found.skew < 0 else (near.low, far.high)
    return Interval(min(low, share), max(high, share), "jackknife", level)


def with_seeds(variance: float, freedom: float, seeds: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """A variance over decisions plus variances over seeds, and the degrees of freedom of the sum.

    1/f is the mean of the parts' 1/f, weighted by their variances. Satterthwaite weighs by the squares, which is
    right for known variances. That of three seeds is so uncertain that a test at 5% would find differences that are
    not there in up to 7.6% of the cases; so it does in 5.8% at most.
    """
    between = sum(own for own, _ in seeds)
    total = variance + between
    if between <= 0:
        return variance, freedom
    return total, total / (variance / freedom + between / satterthwaite(seeds))


def satterthwaite(parts: Sequence[tuple[float, float]]) -> float:
    """The degrees of freedom of a sum of variances, each with its own."""
    total, squares = sum(own for own, _ in parts), sum(own**2 / freedom for own, freedom in parts)
    return total**2 / squares if squares > 0 else math.inf


@dataclass(frozen=True)
class Jackknife:
    """A mean over clusters and how sure it is.

    ``freedom`` are the degrees of freedom of effects, by size. Those for the interval of an accuracy are the smaller
    of ``share_freedom``, by size and number, and ``by_data``.
    ``skew`` is what Johnson's correction adds to an accuracy, ``effective`` how many clusters of equal size would say
    as much.
    """

    mean: float
    variance: float
    freedom: float
    share_freedom: float
    by_data: float
    skew: float
    clusters: int
    effective: float
    size: float


def jackknife(sums: Floats, sizes: Floats) -> Jackknife:
    """Of sums over clusters and the clusters' sizes."""
    count, total = len(sizes), float(sizes.sum())
    mean = float(sums.sum()) / total
    effective = total**2 / float((sizes**2).sum())
    if count < 2:
        return Jackknife(mean, 0.0, 0.0, 0.0, 0.0, 0.0, count, effective, total)
    # How much the total changes when a cluster is left out and the mean taken again.
    change = (sums - mean * sizes) / (1 - sizes / total)
    squares = float((change**2).sum())
    variance = (count - 1) / count * squares / total**2
    by_size, skew = effective - 1, 0.0
    by_data = math.inf
    if count > 2 and squares > 1e-12:
        # Johnson (1978): the skewness of few means pulls the mean and its variance the same way.
        unbiased = count**2 / ((count - 1) * (count - 2))
        skew = unbiased * float((change**3).sum()) / (6 * total * (count - 1) / count * squares)
        # Satterthwaite: a variance that itself varies much has few degrees of freedom.
        spread = (float((change**4).sum()) - squares**2 / count) * count / (count - 2)
        by_data = 2 * squares**2 / spread if spread > 1e-12 * squares**2 else math.inf
    for_share = math.sqrt(by_size * (count - 1))
    return Jackknife(mean, variance, max(by_size, 0.5), for_share, by_data, skew, count, effective, total)


def jackknife_of(values: Floats, grouped: Grouped) -> Jackknife:
    """Of a value per decision."""
    sums, sizes = cluster_sums(values, grouped.number)
    return jackknife(sums[:, 0], sizes)


def cluster_sums(credit: Floats, number: Ints) -> tuple[Floats, Floats]:
    """Credit and number of decisions per cluster; credit may have a column a system."""
    _, compact = np.unique(number, return_inverse=True)
    columns = credit.reshape(len(credit), -1)
    sums = np.column_stack([np.bincount(compact, weights=column) for column in columns.T]).astype(np.float64)
    return sums, np.bincount(compact).astype(np.float64)
