"""Is one metric closer to people than another? Permutation tests, and Williams' test for Pearson's correlation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def flip_test(a: Floats, b: Floats, *, resamples: int, seed: int) -> float:
    """Two-sided p of the mean difference: segment by segment, which metric is which is drawn by lot.

    >>> flip_test(np.ones(20), np.zeros(20), resamples=1000, seed=1) < 0.01
    True
    """
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

    >>> round(williams(0.9, 0.6, 0.5, 20), 4)
    0.0136
    """
    if size < 4 or 1 - a_b < 1e-12:
        return None
    determinant = 1 - human_a**2 - human_b**2 - a_b**2 + 2 * human_a * human_b * a_b
    mean = (human_a + human_b) / 2
    under = 2 * determinant * (size - 1) / (size - 3) + mean**2 * (1 - a_b) ** 3
    if under <= 0:
        return None
    t = (human_a - human_b) * float(np.sqrt((size - 1) * (1 + a_b) / under))
    return _beyond(abs(t), size - 3)


def _beyond(t: float, freedom: int) -> float:
    """How much of Student's t distribution lies beyond ±t: with t = √f tan θ its density is cos θ to the f - 1."""
    start = np.arctan(t / np.sqrt(freedom))
    part, whole = (np.linspace(low, np.pi / 2, 20_001) for low in (start, 0.0))
    areas = [float(np.trapezoid(np.cos(angles) ** (freedom - 1), angles)) for angles in (part, whole)]
    return areas[0] / areas[1]
