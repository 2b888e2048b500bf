"""Tie calibration as in WMT's meta-evaluation: from which difference on does a metric mean what it says?

Pairwise accuracy with ties (Deutsch, Foster and Freitag 2023): a pair of translations of one source counts as right
where metric and gold agree that the first is better, that the second is, or that they are level. The metric's
differences up to ``epsilon`` are ties; of all thresholds the one with the highest accuracy is taken.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from kontrast.judging.decisions import Floats
from kontrast.judging.meta.records import Calibration
from kontrast.judging.meta.sensitivity import SEVERITIES
from kontrast.suites.model import Suite


def calibration_of(suite: Suite, values: Floats) -> Calibration | None:
    """Calibrate on a suite: translations of one source (with the same references) are compared with each other.

    Gold: the correct one is best, then by severity of the error (all errors are level where the suite has none).
    Errors without a place in that order (DEMETR's "base") are left out where others have one.
    """
    groups: dict[tuple[str, tuple[str, ...]], dict[str, tuple[int, float]]] = {}
    severe = any(item.tags.get("severity") in SEVERITIES for item in suite.items)
    for row, value in zip(suite.rows(), values.tolist(), strict=True):
        item = row.item
        rank = 0
        if row.variant_index != item.correct:
            severity = row.variant.tags.get("severity", item.tags.get("severity"))
            if severe and severity not in SEVERITIES:
                continue
            rank = 1 + SEVERITIES.index(severity) if severe else 1
        key = (item.source, tuple(reference.text for reference in item.references))
        groups.setdefault(key, {}).setdefault(row.variant.text, (rank, value))
    gold, metric = [], []
    for texts in groups.values():
        for (rank_a, a), (rank_b, b) in combinations(texts.values(), 2):
            gold.append(np.sign(rank_b - rank_a))
            metric.append(a - b)
    return calibrate(np.array(gold, dtype=np.float64), np.array(metric)) if gold else None


def calibrate(gold: Floats, metric: Floats) -> Calibration:
    """The best threshold for differences whose gold sign (1, -1, or 0 for a tie) is known.

    >>> result = calibrate(np.array([1.0, 1.0, 0.0]), np.array([3.0, 2.0, 0.5]))
    >>> result.epsilon, result.accuracy, result.accuracy_at_zero
    (0.5, 1.0, 0.6666666666666666)
    """
    size, order = np.abs(metric), np.argsort(np.abs(metric), kind="stable")
    right = (np.sign(metric) == gold) & (gold != 0)
    level = gold == 0
    # With the k smallest differences tied: gold ties among them and right orders among the others are right.
    tied = np.concatenate(([0], np.cumsum(level[order])))
    kept = int(right.sum()) - np.concatenate(([0], np.cumsum(right[order])))
    correct = tied + kept
    ordered = size[order]
    # Differences of equal size tie together; a difference of 0 always does.
    ends = np.flatnonzero(np.concatenate((ordered[1:] > ordered[:-1], [True]))) + 1
    zeros = int((ordered == 0).sum())
    choices = [zeros, *(int(end) for end in ends if end > zeros)]
    best = max(choices, key=lambda k: (correct[k], -k))
    epsilon = float(ordered[best - 1]) if best else 0.0
    count = len(metric)
    return Calibration(epsilon, float(correct[best] / count), float(correct[zeros] / count), count, int(level.sum()))
