"""What `judging_statistics.py` simulates: sizes of documents, accuracies, two systems that differ."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from kontrast.judging import paired
from kontrast.judging.contrast import Gaps

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
Generator = np.random.Generator
Row = tuple[str, str, float, str]
"""Method, setting, rate, and a mark where it is outside of what it should be."""


def rates(generator: Generator, share: float, alike: float, count: Any) -> Any:
    """Rates of documents, beta-distributed around a share; ``alike`` is the correlation of decisions within one."""
    if not alike:
        return np.full(count, share)
    strength = (1 - alike) / alike
    return generator.beta(share * strength, (1 - share) * strength, count)


def gaps(
    generator: Generator, sizes: Any, differ: float, alike: float, gain: float = 0.0, gathered: float = 0.0
) -> Gaps:
    """Two systems that differ on a share of decisions; documents favour one or the other.

    ``gathered`` is how much differing itself correlates within a document.
    """
    favour = rates(generator, 0.5 + gain / differ / 2, alike, len(sizes))
    differing = generator.binomial(sizes, rates(generator, differ, gathered, len(sizes)))
    sums = 2.0 * generator.binomial(differing, favour) - differing
    return Gaps(sums, differing * 1.0, sizes * 1.0, float(differing.sum()))


def mcnemar(sums: Any, moved: Any) -> float:
    return paired.mcnemar_exact(*(round(float(moved.sum() + side * sums.sum()) / 2) for side in (-1, 1)))


def within(rate: float, low: float, high: float, sets: int, of: float | None = None) -> str:
    """Empty, or by how many standard errors of the simulation a rate is outside.

    ``of`` is the rate behind it where ``rate`` is what that differs by.
    """
    if low <= rate <= high:
        return ""
    share = rate if of is None else of
    error = math.sqrt(max(share * (1 - share), 1e-4) / sets)
    return f"outside by {max(low - rate, rate - high):.3f} ({max(low - rate, rate - high) / error:.1f} s.e.)"


def trained(generator: Generator, number: Any, runs: tuple[int, int], between: float) -> Any:
    """Credits of two systems' runs, a column a run: items and documents have a difficulty, seeds a quality."""
    items, documents = len(number), int(number.max()) + 1
    easy = generator.normal(size=(items, 1)) * 0.74 + 0.3 * generator.normal(size=(documents, 1))[number]
    easy += NormalDist().inv_cdf(0.83)
    noise = [0.6 * generator.normal(size=(items, own)) + between * generator.normal(size=own) for own in runs]
    return [(easy + own > 0).astype(np.float64) for own in noise]
