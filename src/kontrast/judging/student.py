"""Student's t distribution with any degrees of freedom, on nothing but numpy."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

__all__ = ["detectable", "power_at", "student_quantile", "student_tail"]

_LIKE_NORMAL = 10_000
"""From these degrees of freedom on the normal distribution is the same to four digits."""
_STEPS = 20_001
_GRID = np.linspace(-8.0, 8.0, 3201)
_CDF = np.array([NormalDist().cdf(each) for each in _GRID.tolist()])


@lru_cache(maxsize=65536)
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


@lru_cache(maxsize=4096)
def detectable(freedom: float, alpha: float, power: float = 0.8, ratio: float = 1.0) -> float:
    """The true difference, in its observed standard errors, that a two-sided t test at ``alpha`` finds so often.

    The observed error is itself an estimate: it differs from suite to suite as the test's own does. The power is that
    averaged over suites, each with a true difference of so many of its observed errors. ``ratio`` is the error under
    the null hypothesis over that at the difference.

    >>> round(detectable(1e6, 0.05), 2), round(detectable(5, 0.05), 2)
    (2.8, 4.18)
    """
    quantile = student_quantile(1 - alpha / 2, freedom) * ratio
    errors, weights = _errors(freedom)
    low, high = 0.0, 4 * quantile + 8
    for _ in range(26):
        middle = (low + high) / 2
        found = _normal_cdf(middle * errors[:, None] - quantile * errors[None, :])
        low, high = (middle, high) if weights @ found @ weights < power else (low, middle)
    return high


def power_at(gap: float, freedom: float, alpha: float, ratio: float = 1.0) -> float:
    """How often one side of that test finds a true difference of so many observed standard errors."""
    errors, weights = _errors(freedom)
    quantile = student_quantile(1 - alpha / 2, freedom) * ratio
    return float(weights @ _normal_cdf(gap / _usual_error(freedom) - quantile * errors))


def _usual_error(freedom: float) -> float:
    """The true over the median estimated standard error (Wilson and Hilferty)."""
    return float((1 - 2 / (9 * max(freedom, 0.75))) ** -1.5)


@lru_cache(maxsize=4096)
def _errors(freedom: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Estimated over true standard errors of so many degrees of freedom, and how often each is met."""
    if freedom > _LIKE_NORMAL:
        return np.ones(1), np.ones(1)
    spread = 6 / math.sqrt(2 * freedom)
    errors = np.linspace(max(1e-3, 1 - spread), 1 + spread, 41)
    logs = (freedom - 1) * np.log(errors) - freedom * errors**2 / 2
    weights = np.exp(logs - logs.max())
    return errors, weights / weights.sum()


def _normal_cdf(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.interp(values, _GRID, _CDF), dtype=np.float64)


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
