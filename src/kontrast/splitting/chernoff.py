"""Divergence of two distributions of counts: 1 − Σ pᵅ q¹⁻ᵅ, after Chernoff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kontrast.errors import KontrastError
from kontrast.splitting.token_table import Array

ATOM_ALPHA = 0.5
COMPOUND_ALPHA = 0.1


def divergence(train_counts: Any, test_counts: Any, alpha: float) -> float:
    """How far test is from train: 0 for equal distributions, 1 where nothing is shared (or one side is empty).

    Counts are vectors of the same length, or arrays of one row. Atoms are compared with alpha 0.5, compounds with
    0.1, which forgives what train has and test has not.

    >>> divergence([2, 4, 10], [1, 2, 5], 0.5)
    0.0
    >>> divergence([[2, 0, 6]], [[0, 5, 5]], 0.1)
    0.4793101280037947
    >>> divergence([1, 2], [0, 0], 0.5)
    1.0

    Alpha 0 is the share of test that train lacks, alpha 1 the share of train that test lacks (the formula's limits).

    >>> divergence([1, 0], [1, 3], 0), divergence([1, 3], [4, 0], 1)
    (0.75, 0.75)
    """
    train, test = _checked(train_counts, test_counts, alpha)
    if not train.sum() or not test.sum():
        return 1.0
    return float(min(1.0, max(0.0, 1.0 - float(_products(train, test, alpha).sum()))))


def contributions(train_counts: Any, test_counts: Any, alpha: float) -> Array:
    """What each feature adds to the divergence: α p + (1 − α) q − pᵅ q¹⁻ᵅ, never negative; they sum to it."""
    train, test = _checked(train_counts, test_counts, alpha)
    if not train.sum() or not test.sum():
        raise KontrastError("contributions are not defined where one side is empty")
    mean = alpha * train / train.sum() + (1 - alpha) * test / test.sum()
    return np.asarray(np.maximum(0.0, mean - _products(train, test, alpha)))


def _products(train: Array, test: Array, alpha: float) -> Array:
    both = (train > 0) & (test > 0)
    product = np.zeros(train.shape)
    p, q = train[both] / train.sum(), test[both] / test.sum()
    product[both] = np.exp(alpha * np.log(p) + (1 - alpha) * np.log(q))  # the last digit is the published one
    return product


def _checked(train_counts: Any, test_counts: Any, alpha: float) -> tuple[Array, Array]:
    if not 0 <= alpha <= 1:
        raise KontrastError(f"alpha must be from 0 to 1, not {alpha}")
    train, test = _vector(train_counts, "train"), _vector(test_counts, "test")
    if len(train) != len(test):
        raise KontrastError(f"train has {len(train)} counts and test {len(test)}; the same features are expected")
    if not train.any() and not test.any():
        raise KontrastError("the divergence of two empty sets is not defined: neither train nor test has a count")
    return train, test


def _vector(counts: Any, side: str) -> Array:
    try:
        vector = np.asarray(counts, np.float64)
    except (TypeError, ValueError) as error:
        raise KontrastError(f"the counts of {side} are not numbers ({error})") from error
    if vector.ndim == 2 and 1 in vector.shape:
        vector = vector.reshape(-1)
    if vector.ndim != 1:
        raise KontrastError(f"the counts of {side} have shape {vector.shape}; a vector or a single row is expected")
    if not np.isfinite(vector).all() or (vector < 0).any():
        raise KontrastError(f"the counts of {side} must be finite and not negative")
    return vector


def floor(totals: Array | Sequence[int], train_mass: int, test_mass: int, alpha: float) -> float:
    """A divergence that no way of dealing these counts to two sides of these sizes can go below.

    Each feature's total n may give x to test and n − x to train; the bound is the Lagrangian dual of choosing all
    x with Σ x fixed. It does not know sentences, so the true minimum may lie above.
    """
    totals = np.asarray(totals)
    if not train_mass or not test_mass:
        return 1.0
    sizes, times = np.unique(totals[totals > 0].astype(np.int64), return_counts=True)
    small = sizes <= _EXACT
    marginals, weights = [], []
    for size, often in zip(sizes[small].tolist(), times[small].tolist(), strict=True):
        x = np.arange(size + 1, dtype=np.float64)
        marginals.append(np.diff((size - x) ** alpha * x ** (1 - alpha)))
        weights.append(np.full(size, often, np.float64))
    steps = np.concatenate(marginals) if marginals else np.zeros(0)
    weight = np.concatenate(weights) if weights else np.zeros(0)
    large = float((sizes[~small] * times[~small]).sum())  # the same curve for every large n, scaled by n
    share = np.linspace(0, 1, 20001)
    curve = (1 - share) ** alpha * share ** (1 - alpha)

    def dual(price: float) -> float:
        best = float((np.maximum(steps - price, 0) * weight).sum())
        return best + large * float((curve - price * share).max()) + price * test_mass

    low, high = -50.0, 50.0
    for _ in range(80):  # convex in the price: narrow down from both sides
        left, right = low + (high - low) * 0.382, low + (high - low) * 0.618
        if dual(left) < dual(right):
            high = right
        else:
            low = left
    bound = dual((low + high) / 2) / (train_mass**alpha * test_mass ** (1 - alpha))
    return float(min(1.0, max(0.0, 1.0 - bound - 1e-12))) if bound > 1e-9 else 1.0


_EXACT = 400
