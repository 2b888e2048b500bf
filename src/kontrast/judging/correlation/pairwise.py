"""Pairwise accuracy with ties, calibrated as WMT's metrics task does it (Deutsch, Foster and Freitag 2023).

All pairs of systems on one segment are compared. A metric is right where it orders a pair as people did; it calls a
tie where its scores differ by no more than ε, and is right in that where people tied too. The accuracy is taken
segment by segment and averaged; ε is the one that makes the average highest.
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Calibrated(msgspec.Struct, frozen=True):
    """The accuracy at the best threshold, each segment's own share, and how many pairs there were."""

    accuracy: float
    epsilon: float
    accuracy_at_zero: float
    pairs: int
    ties: int
    by_segment: tuple[float, ...]
    """Of the segments that have a pair, in order."""


def calibrated_accuracy(metric: Floats, human: Floats, epsilon: float | None = None) -> Calibrated | None:
    """``metric`` and ``human`` are systems × segments, larger is better; NaN in ``human`` is not judged.

    >>> human = np.array([[1.0], [1.0], [0.0]])
    >>> found = calibrated_accuracy(np.array([[0.9], [0.8], [0.1]]), human)
    >>> found.accuracy, round(found.epsilon, 3), round(found.accuracy_at_zero, 3)
    (1.0, 0.1, 0.667)
    """
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
    change = np.where(tie, weight, np.where(good, -weight, 0.0))
    places = np.argsort(gap, kind="stable")
    levels, starts = np.unique(gap[places], return_index=True)
    gains = np.cumsum(np.add.reduceat(change[places], starts))
    base = float((weight * good).sum())
    at_zero = base + (float(gains[0]) if levels[0] == 0 else 0.0)
    if epsilon is None:
        best = int(np.argmax(gains))
        epsilon = float(levels[best]) if base + float(gains[best]) > max(base, at_zero) else 0.0
    called = np.abs(margin) <= epsilon
    correct = np.where(called, tied, right) & judged
    shares = (correct.sum(0) / np.maximum(size, 1))[size > 0]
    return Calibrated(
        float(shares.mean()), epsilon, at_zero, int(judged.sum()), int(tie.sum()), tuple(shares.tolist())
    )


def system_accuracy(metric: Floats, human: Floats) -> float | None:
    """The share of pairs of systems that both order alike (Kocmi et al. 2021); pairs that people tie do not count.

    >>> system_accuracy(np.array([3.0, 2.0, 1.0]), np.array([5.0, 7.0, 1.0]))
    0.6666666666666666
    """
    first, second = np.triu_indices(len(human), 1)
    order = np.sign(human[first] - human[second])
    told = order != 0
    return float((np.sign(metric[first] - metric[second]) == order)[told].mean()) if told.any() else None
