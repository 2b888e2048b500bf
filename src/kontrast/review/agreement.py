"""Do readers agree? Cohen's kappa for each two, Krippendorff's alpha for all, with bootstrap intervals over entries.

Cohen (1960), doi:10.1177/001316446002000104; Krippendorff, Content Analysis (2004), chapter 11, nominal data.
An entry counts by how many readers gave it each category, so entries with the same counts are of one kind, and a
resample is a draw of kinds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Measure(msgspec.Struct, frozen=True):
    """A coefficient and its 95% interval; ``value`` is None where it is not defined (one category was used)."""

    value: float | None
    low: float | None
    high: float | None


class Pairwise(msgspec.Struct, frozen=True):
    """Two readers on the entries that both decided; ``table[i][j]``: the first said i, the second j."""

    a: str
    b: str
    entries: int
    agreed: float
    kappa: Measure
    table: list[list[int]]


class Agreement(msgspec.Struct, frozen=True):
    """Of all readers on all entries that two or more of them decided."""

    categories: list[str]
    entries: int
    readers: int
    alpha: Measure
    pairs: list[Pairwise]


def kappa(table: Floats) -> Floats:
    """Cohen's kappa of tables of counts (the last two axes); nan where chance agreement is complete."""
    total = table.sum((-2, -1))
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = np.trace(table, axis1=-2, axis2=-1) / total
        chance = (table.sum(-1) * table.sum(-2)).sum(-1) / total**2
        found: Floats = (observed - chance) / (1 - chance)
    return np.where(np.isclose(chance, 1), np.nan, found)


def alpha(kinds: Floats, times: Floats) -> Floats:
    """Krippendorff's alpha: ``kinds[k, c]`` readers gave category c, ``times[..., k]`` such entries."""
    sizes = kinds.sum(1)
    use = sizes > 1
    kinds, times, sizes = kinds[use], times[..., use], sizes[use]
    # Pairs of unequal values within entries, each entry weighing as many values as it has.
    unequal = (sizes**2 - (kinds**2).sum(1)) / (sizes - 1)
    totals = times @ kinds
    n = totals.sum(-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = (times @ unequal) / n
        expected = (n**2 - (totals**2).sum(-1)) / (n * (n - 1))
        found: Floats = 1 - observed / expected
    return np.where(expected > 0, found, np.nan)


def agreement_of(
    names: Sequence[str],
    codes: NDArray[np.int8],
    categories: Sequence[str] = ("accept", "reject"),
    *,
    resamples: int = 2000,
    seed: int = 0,
) -> Agreement:
    """Agreement of readers: a row a reader, a column an entry, in it the number of the category (-1: none)."""
    counts = np.column_stack([(codes == code).sum(0) for code in range(len(categories))])
    several = counts[counts.sum(1) > 1]
    # One number for each row of counts: much faster to sort than rows.
    base = (len(names) + 1) ** np.arange(len(categories))
    _, first, times = np.unique(several @ base, return_index=True, return_counts=True)
    table = several[first].astype(np.float64).reshape(-1, len(categories))
    measured = _measure(lambda drawn: alpha(table, drawn), times.astype(np.float64), resamples, seed)
    pairs = [
        _pair(names[i], names[j], codes[i], codes[j], len(categories), resamples, seed)
        for i, j in combinations(range(len(names)), 2)
    ]
    return Agreement(list(categories), len(several), len(names), measured, [pair for pair in pairs if pair.entries])


def _pair(
    a: str, b: str, first: NDArray[np.int8], second: NDArray[np.int8], size: int, resamples: int, seed: int
) -> Pairwise:
    both = (first >= 0) & (second >= 0)
    cells = first[both].astype(np.int64) * size + second[both]
    table = np.bincount(cells, minlength=size * size).astype(np.float64).reshape(size, size)
    total = int(table.sum())
    agreed = float(np.trace(table)) / total if total else math.nan

    def measure(drawn: Floats) -> Floats:
        return kappa(drawn.reshape(*drawn.shape[:-1], size, size))

    found = _measure(measure, table.reshape(-1), resamples, seed)
    return Pairwise(a, b, total, agreed, found, table.astype(int).tolist())


def _measure(function: Callable[[Floats], Floats], times: Floats, resamples: int, seed: int) -> Measure:
    """The value for these counts of kinds, and the percentiles of its bootstrap over entries."""
    total = int(times.sum())
    value = float(function(times)) if total else math.nan
    if math.isnan(value):
        return Measure(None, None, None)
    drawn = np.random.default_rng(seed).multinomial(total, times / total, size=resamples).astype(np.float64)
    found = function(drawn)
    # A resample with one category has nothing to disagree on: it agrees, as perfectly as it can.
    found = np.where(np.isnan(found), 1.0, found)
    low, high = np.quantile(found, [0.025, 0.975])
    return Measure(value, float(low), float(high))
