"""Student's t distribution with any degrees of freedom, on nothing but numpy."""

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

_LIKE_NORMAL = 10_000
"""From these degrees of freedom on the normal distribution is the same to four digits."""
_GRID = np.linspace(-8.0, 8.0, 3201)
_CDF = np.array([NormalDist().cdf(each) for each in _GRID.tolist()])


@lru_cache(maxsize=65536)
def student_quantile(probability: float, freedom: float) -> float:
    """The quantile of Student's t distribution, by Newton's method on its tail."""
    if freedom > _LIKE_NORMAL:
        return NormalDist().inv_cdf(probability)
    if probability < 0.5:
        return -student_quantile(1 - probability, freedom)
    low, high = 0.0, 2.0
    while student_tail(high, freedom) > 1 - probability:
        low, high = high, 2 * high
    t = (low + high) / 2
    for _ in range(100):
        excess = student_tail(t, freedom) - (1 - probability)
        low, high = (t, high) if excess > 0 else (low, t)
        step = t + excess / _density(t, freedom)
        # Newton's step where it stays between the bounds, else halfway.
        before, t = t, step if low < step < high else (low + high) / 2
        if abs(t - before) <= 1e-12 * t:
            break
    return t


def student_tail(t: float, freedom: float) -> float:
    """The probability of a value of at least ``t``."""
    if t < 0:
        return 1 - student_tail(-t, freedom)
    if math.isinf(t):
        return 0.0
    if freedom > _LIKE_NORMAL:
        return math.erfc(t / math.sqrt(2)) / 2
    return _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2


@lru_cache(maxsize=4096)
def detectable(
    freedom: float, alpha: float, power: float = 0.8, ratio: float = 1.0, steady: float | None = None
) -> float:
    """The true difference, in its observed standard errors, that a two-sided t test at ``alpha`` finds so often.

    The observed error is itself an estimate: it differs from suite to suite as the test's own does. The power is that
    averaged over suites, each with a true difference of so many of its observed errors. ``ratio`` is the error under
    the null hypothesis over that at the difference; ``steady`` are the degrees of freedom with which the error
    varies, where they are not those of the test.
    """
    quantile = student_quantile(1 - alpha / 2, freedom) * ratio
    errors, weights = _errors(steady or freedom)
    low, high = 0.0, 4 * quantile + 8
    for _ in range(26):
        middle = (low + high) / 2
        found = _normal_cdf(middle * errors[:, None] - quantile * errors[None, :])
        low, high = (middle, high) if weights @ found @ weights < power else (low, middle)
    return high


def power_at(gap: float, freedom: float, alpha: float, ratio: float = 1.0, steady: float | None = None) -> float:
    """How often one side of that test finds a true difference of so many observed standard errors."""
    errors, weights = _errors(steady or freedom)
    quantile = student_quantile(1 - alpha / 2, freedom) * ratio
    return float(weights @ _normal_cdf(gap / _usual_error(steady or freedom) - quantile * errors))


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


def _density(t: float, freedom: float) -> float:
    logs = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - math.log(freedom * math.pi) / 2
    return math.exp(logs - (freedom + 1) / 2 * math.log1p(t * t / freedom))


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    tiny, c = 1e-300, 1.0
    d = 1 / ((1 - (a + b) * x / (a + 1)) or tiny)
    found = d
    for m in range(1, 1000):
        for part in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d, c = 1 / ((1 + part * d) or tiny), (1 + part / c) or tiny
            found *= d * c
        if abs(d * c - 1) < 1e-14:
            break
    return math.exp(front) * found / a
