"""Pearson, Spearman and Kendall's tau-b, with numpy alone; None where a side is constant.

Pairwise accuracy with ties, calibrated as WMT's metrics task does it (Deutsch, Foster and Freitag 2023).

All pairs of systems on one segment are compared. A metric is right where it orders a pair as people did; it calls a
tie where its scores differ by no more than ε, and is right in that where people tied too. The accuracy is taken
segment by segment and averaged; ε is the one that makes the average highest.

Is one metric closer to people than another? Permutation tests, and Williams' test for Pearson's correlation.
"""

import math
from collections.abc import Callable

import msgspec
import numpy as np

from kontrast.judging.floats import Floats, Ints
from kontrast.judging.student import student_tail


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
    """Ranks from 1; equal values share the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: Floats = (ends - (counts - 1) / 2)[inverse]
    return ranks


def below(values: Floats, than: Floats) -> Floats:
    """How many values are below each of the others, equal ones half."""
    ordered = np.sort(values)
    found: Floats = (np.searchsorted(ordered, than, "left") + np.searchsorted(ordered, than, "right")) / 2.0
    return found


def area(first: Floats, second: Floats) -> float:
    """How often a value of the first list is above one of the second; ties count half.

    >>> area(np.array([1.0, 2.0]), np.array([0.0, 2.0]))
    0.625
    """
    return float(below(second, first).sum()) / (len(first) * len(second))


def spearman(a: Floats, b: Floats) -> float | None:
    """Pearson's correlation of the ranks."""
    return pearson(ranked(a), ranked(b))


def kendall(a: Floats, b: Floats) -> float | None:
    """Tau-b in O(n log² n)."""
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


def _tied(values: Floats | Ints) -> int:
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


class Calibrated(msgspec.Struct, frozen=True):
    """The accuracy at the best threshold, each segment's own share, and how many pairs there were."""

    accuracy: float
    epsilon: float
    accuracy_at_zero: float
    pairs: int
    ties: int
    by_segment: tuple[float, ...]
    """Of the segments that have a pair, in order."""


def best_threshold(gap: Floats, change: Floats | Ints) -> tuple[float, float, float]:
    """The ε up to which gaps are best called ties, what that gains, and what ε = 0 gains (``change`` is per gap)."""
    places = np.argsort(gap, kind="stable")
    levels, starts = np.unique(gap[places], return_index=True)
    gains = np.cumsum(np.add.reduceat(change[places], starts))
    at_zero = float(gains[0]) if levels[0] == 0 else 0.0
    best = int(np.argmax(gains))
    return (float(levels[best]), float(gains[best]), at_zero) if gains[best] > at_zero else (0.0, at_zero, at_zero)


def calibrated_accuracy(metric: Floats, human: Floats, epsilon: float | None = None) -> Calibrated | None:
    """``metric`` and ``human`` are systems × segments, larger is better; NaN in ``human`` is not judged."""
    first, second = np.triu_indices(len(human), 1)
    order = human[first] - human[second]
    judged = ~np.isnan(order)
    size = judged.sum(0)
    if not judged.any():
        return None
    margin = metric[first] - metric[second]
    tied = np.where(judged, order == 0, False)
    right = np.where(judged, np.sign(margin) * np.sign(order) > 0, False)
    segments = int((size > 0).sum())
    weight = np.broadcast_to(1 / (np.maximum(size, 1) * segments), order.shape)[judged]
    gap, tie, good = np.abs(margin[judged]), tied[judged], right[judged]
    # Below ε a pair is called a tie: it gains where people tied and loses where the order was right.
    found, _, at_zero = best_threshold(gap, np.where(tie, weight, np.where(good, -weight, 0.0)))
    epsilon = found if epsilon is None else epsilon
    called = np.abs(margin) <= epsilon
    correct = np.where(called, tied, right) & judged
    shares = (correct.sum(0) / np.maximum(size, 1))[size > 0]
    return Calibrated(
        float(shares.mean()),
        epsilon,
        float((weight * good).sum()) + at_zero,
        int(judged.sum()),
        int(tie.sum()),
        tuple(shares.tolist()),
    )


def system_accuracy(metric: Floats, human: Floats) -> float | None:
    """The share of pairs of systems that both order alike (Kocmi et al. 2021); pairs that people tie do not count."""
    first, second = np.triu_indices(len(human), 1)
    order = np.sign(human[first] - human[second])
    told = order != 0
    return float((np.sign(metric[first] - metric[second]) == order)[told].mean()) if told.any() else None


def flip_test(a: Floats, b: Floats, *, resamples: int, seed: int) -> float:
    """Two-sided p of the mean difference: segment by segment, which metric is which is drawn by lot."""
    difference = a - b
    observed = abs(difference.sum())
    generator = np.random.default_rng(seed)
    reached, done = 0, 0
    while done < resamples:
        size = min(1 + 20_000_000 // max(1, len(difference)), resamples - done)
        signs = generator.integers(0, 2, (size, len(difference)), dtype=np.int8) * 2 - 1
        reached += int((np.abs(signs @ difference) >= observed - 1e-12).sum())
        done += size
    return (reached + 1) / (resamples + 1)


def swap_test(
    statistic: Callable[[Floats], float | None], a: Floats, b: Floats, *, resamples: int, seed: int
) -> float | None:
    """Two-sided p of the difference of a statistic of two metrics' scores (systems × segments).

    Both are standardised, then the scores of each translation are swapped by lot (Deutsch et al. 2021, PERM-BOTH).
    None where the statistic has no value for one of them.
    """
    a, b = _standard(a), _standard(b)
    one, other = statistic(a), statistic(b)
    if one is None or other is None:
        return None
    observed, generator, reached = abs(one - other), np.random.default_rng(seed), 0
    for _ in range(resamples):
        swap = generator.random(a.shape) < 0.5
        one, other = statistic(np.where(swap, b, a)), statistic(np.where(swap, a, b))
        reached += one is None or other is None or abs(one - other) >= observed - 1e-12
    return (reached + 1) / (resamples + 1)


def _standard(values: Floats) -> Floats:
    spread = float(values.std())
    result: Floats = (values - values.mean()) / (spread if spread > 0 else 1.0)
    return result


def williams(human_a: float, human_b: float, a_b: float, size: int) -> float | None:
    """Two-sided p that two Pearson correlations with the same people differ, given the metrics' own correlation.

    None with fewer than four points, or where the two metrics are the same to a factor.
    """
    if size < 4 or 1 - a_b < 1e-12:
        return None
    determinant = 1 - human_a**2 - human_b**2 - a_b**2 + 2 * human_a * human_b * a_b
    mean = (human_a + human_b) / 2
    under = 2 * determinant * (size - 1) / (size - 3) + mean**2 * (1 - a_b) ** 3
    if under <= 0:
        return None
    t = (human_a - human_b) * float(np.sqrt((size - 1) * (1 + a_b) / under))
    return 2 * student_tail(abs(t), size - 3)
