"""Pearson, Spearman and Kendall's tau-b, with numpy alone; None where a side is constant."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def pearson(a: Floats, b: Floats) -> float | None:
    """
    >>> pearson(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]))
    1.0
    >>> pearson(np.array([1.0, 1.0]), np.array([2.0, 4.0])) is None
    True
    """
    if len(a) < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return None
    a, b = a - a.mean(), b - b.mean()
    value = float(a @ b / np.sqrt((a @ a) * (b @ b)))
    return max(-1.0, min(1.0, value))


def ranked(values: Floats) -> Floats:
    """Ranks from 1; equal values share the mean of theirs.

    >>> ranked(np.array([3.0, 1.0, 3.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: Floats = (ends - (counts - 1) / 2)[inverse]
    return ranks


def spearman(a: Floats, b: Floats) -> float | None:
    """Pearson's correlation of the ranks."""
    return pearson(ranked(a), ranked(b))


def kendall(a: Floats, b: Floats) -> float | None:
    """Tau-b in O(n log² n).

    >>> kendall(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    0.3333333333333333
    """
    size = len(a)
    pairs = size * (size - 1) // 2
    tied_a, tied_b = _tied(a), _tied(b)
    if tied_a == pairs or tied_b == pairs:
        return None
    both = _tied(np.unique(np.stack([a, b], axis=1), axis=0, return_inverse=True)[1].reshape(-1))
    order = np.lexsort((b, a))
    discordant = _inversions(np.unique(b, return_inverse=True)[1].reshape(-1)[order])
    concordant = pairs - discordant - tied_a - tied_b + both
    return (concordant - discordant) / math.sqrt((pairs - tied_a) * (pairs - tied_b))


def _tied(values: NDArray[np.float64] | Ints) -> int:
    counts = np.unique(values, return_counts=True)[1].astype(object)
    return int(sum(count * (count - 1) // 2 for count in counts))


def _inversions(values: Ints) -> int:
    """Pairs in which the earlier value is larger: a merge sort, all blocks of a level at once."""
    place, total, width = np.arange(len(values)), 0, 1
    while width < len(values):
        block, right = place // (2 * width), (place // width) % 2 == 1
        order = np.lexsort((right, values, block))
        left_before = np.cumsum(~right[order])
        lefts = np.bincount(block, weights=~right)
        ends = np.cumsum(lefts)
        later = order[right[order]]
        total += int((ends[block[later]] - left_before[right[order]]).sum())
        width *= 2
    return total
