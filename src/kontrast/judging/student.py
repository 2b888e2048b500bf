"""Student's t distribution with any degrees of freedom, on nothing but numpy."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np

__all__ = ["detectable", "power_at", "student_quantile", "student_tail"]

_LIKE_NORMAL = 10_000
"""From these degrees of freedom on the normal distribution is the same to four digits."""
_STEPS = 20_001


@lru_cache(maxsize=4096)
def student_quantile(probability: float, freedom: float) -> float:
    """The quantile of Student's t distribution, found on its density.

    >>> round(student_quantile(0.975, 4), 4)
    2.7764
    """
    if freedom > _LIKE_NORMAL:
        return NormalDist().inv_cdf(probability)
    if probability < 0.5:
        return -student_quantile(1 - probability, freedom)
    # With t = sqrt(freedom) tan(angle) the density is cos(angle) ** (freedom - 1) over a finite range.
    angles = np.linspace(0.0, math.pi / 2, _STEPS)
    density = np.cos(angles) ** (freedom - 1)
    if freedom < 1:
        density[-1] = density[-2]
    weights = np.concatenate(([0.0], np.cumsum((density[1:] + density[:-1]) / 2)))
    share = weights / weights[-1] / 2
    angle = float(np.interp(probability - 0.5, share, angles))
    return math.sqrt(freedom) * math.tan(angle)


def student_tail(t: float, freedom: float) -> float:
    """The probability of a value of at least ``t``.

    >>> round(student_tail(2.7764, 4), 4)
    0.025
    """
    if t < 0:
        return 1 - student_tail(-t, freedom)
    if math.isinf(t):
        return 0.0
    if freedom > _LIKE_NORMAL:
        return math.erfc(t / math.sqrt(2)) / 2
    start = math.atan(t / math.sqrt(freedom))
    tail, whole = _area(start, freedom), _area(0.0, freedom)
    return tail / whole / 2


def detectable(freedom: float, alpha: float, power: float = 0.8) -> float:
    """The true difference, in its observed standard errors, that a two-sided t test at ``alpha`` finds so often.

    The approximation of Johnson and Welch to the noncentral t distribution. An observed error of few degrees of
    freedom is more often too small than too large, which is corrected for.

    >>> round(detectable(1e6, 0.05), 2), round(detectable(5, 0.05), 2)
    (2.8, 3.77)
    """
    quantile, mean, spread = _rejection(freedom, alpha)
    return (quantile * mean + NormalDist().inv_cdf(power) * spread) * _usual_error(freedom)


def power_at(gap: float, freedom: float, alpha: float) -> float:
    """How often one side of that test finds a true difference of so many observed standard errors."""
    quantile, mean, spread = _rejection(freedom, alpha)
    return NormalDist().cdf((gap / _usual_error(freedom) - quantile * mean) / spread)


def _rejection(freedom: float, alpha: float) -> tuple[float, float, float]:
    """The test's quantile; mean of an estimated over the true error; standard deviation of what is compared."""
    quantile = student_quantile(1 - alpha / 2, freedom)
    mean = 1 - 1 / (4 * max(freedom, 0.75))
    return quantile, mean, math.sqrt(1 + quantile**2 * (1 - mean**2))


def _usual_error(freedom: float) -> float:
    """The true over the median estimated standard error (Wilson and Hilferty)."""
    return float((1 - 2 / (9 * max(freedom, 0.75))) ** -1.5)


def _area(start: float, freedom: float) -> float:
    """Under cos ** (freedom - 1) from an angle to a right angle, by Simpson's rule."""
    # Beyond twelve standard deviations nothing is left to add up.
    stop = min(math.pi / 2, start + 12 / math.sqrt(max(freedom, 1.0)) + 1e-3)
    angles = np.linspace(start, stop, 2001)
    density = np.abs(np.cos(angles)) ** (freedom - 1) if freedom >= 1 else np.cos(angles[:-1]) ** (freedom - 1)
    if freedom < 1:
        density = np.append(density, density[-1])
    step = (stop - start) / 2000
    return float(step / 3 * (density[0] + density[-1] + 4 * density[1:-1:2].sum() + 2 * density[2:-1:2].sum()))
