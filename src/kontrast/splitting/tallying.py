"""Compiled loops over whole matrices of counts: totals, rows and features kept, counts by side, connected units."""

from __future__ import annotations

from typing import Any

import numpy as np

from kontrast.splitting.compiled import compiled

__all__ = ["components", "fill_sides", "keep_features", "row_mass", "tally"]

Array = np.ndarray[Any, Any]
Arrays = tuple[Array, ...]
Number = Any
"""The compiler finds out which."""

_SIDES = 2


@compiled
def tally(indptr: Array, indices: Array, data: Array, rows: Array, features: Number) -> Arrays:
    """Of each feature, whether it is in none (0), one (1) or more (2) of these rows, and its total; of rows, mass."""
    occurs = np.zeros(features, np.uint8)
    totals = np.zeros(features, np.int64)
    mass = np.zeros(rows.size, np.int64)
    for i in range(rows.size):
        for j in range(indptr[rows[i]], indptr[rows[i] + 1]):
            feature = indices[j]
            if occurs[feature] < 2:
                occurs[feature] += 1
            totals[feature] += data[j]
            mass[i] += data[j]
    return occurs, totals, mass


@compiled
def keep_features(indptr: Array, indices: Array, data: Array, rows: Array, new: Array, kept: Number) -> Arrays:
    """The matrix of these rows without the features whose new number is negative, the others renumbered.

    ``kept`` is how many entries that leaves.
    """
    starts = np.zeros(rows.size + 1, np.int64)
    numbers = np.empty(kept, np.int32)
    counts = np.empty(kept, data.dtype)
    at = 0
    for i in range(rows.size):
        for j in range(indptr[rows[i]], indptr[rows[i] + 1]):
            number = new[indices[j]]
            if number >= 0:
                numbers[at] = number
                counts[at] = data[j]
                at += 1
        starts[i + 1] = at
    return starts, numbers, counts


@compiled
def row_mass(indptr: Array, data: Array) -> Array:
    """The sum of each row."""
    mass = np.zeros(indptr.size - 1, np.int64)
    for row in range(indptr.size - 1):
        for j in range(indptr[row], indptr[row + 1]):
            mass[row] += data[j]
    return mass


@compiled
def fill_sides(indptr: Array, indices: Array, data: Array, place: Array, sides: Array) -> None:
    """Add the counts of each feature in rows of place 0 and of place 1; other places are left out."""
    for row in range(indptr.size - 1):
        side = place[row]
        if side < _SIDES:
            for j in range(indptr[row], indptr[row + 1]):
                sides[indices[j], side] += data[j]


@compiled
def components(indptr: Array, indices: Array, features: Number) -> Array:
    """Rows that share features, directly or by way of others, have the same number."""
    parent = np.arange(indptr.size - 1).astype(np.int32)
    first = np.full(features, -1, np.int32)
    for row in range(indptr.size - 1):
        for j in range(indptr[row], indptr[row + 1]):
            feature = indices[j]
            if first[feature] < 0:
                first[feature] = row
                continue
            a, b = np.int64(first[feature]), np.int64(row)
            while parent[a] != a:
                parent[a] = parent[parent[a]]
                a = np.int64(parent[a])
            while parent[b] != b:
                parent[b] = parent[parent[b]]
                b = np.int64(parent[b])
            parent[max(a, b)] = min(a, b)
    for row in range(indptr.size - 1):
        parent[row] = parent[parent[row]]
    return parent
