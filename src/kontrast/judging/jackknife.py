"""The delete-one-cluster jackknife of a mean: how far it would move without each document (source, item) in turn.

It holds with documents of unequal size, and needs no resampling. Its degrees of freedom come from the sizes: many
small documents beside one large one are not many. For accuracies they also come from the data: a few documents with
all the errors tell little of the others. The formulas are in docs/methods.md, what they cover in
``benchmarks/judging_statistics.py``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from kontrast.judging.floats import Floats, Ints


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
    """Of sums over clusters and the clusters' sizes.

    >>> found = jackknife(np.array([8.0, 9.0, 5.0, 10.0]), np.full(4, 10.0))
    >>> found.mean, round(found.variance, 6), round(found.effective, 3)
    (0.8, 0.011667, 4.0)
    """
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


def cluster_sums(credit: Floats, number: Ints) -> tuple[Floats, Floats]:
    """Credit and number of decisions per cluster; credit may have a column a system."""
    _, compact = np.unique(number, return_inverse=True)
    columns = credit.reshape(len(credit), -1)
    sums = np.column_stack([np.bincount(compact, weights=column) for column in columns.T]).astype(np.float64)
    return sums, np.bincount(compact).astype(np.float64)
