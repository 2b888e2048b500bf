"""Compiled loops: numba where it is installed, kept between runs; and the loops over occurrences and counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from kontrast.errors import MissingExtraError

Array = np.ndarray[Any, Any]
Arrays = tuple[Array, ...]
Number = Any
"""The compiler finds out which."""
Function = TypeVar("Function", bound=Callable[..., Any])

_TAB, _NEWLINE = 9, 10
_SIDES = 2


def inlined(function: Function) -> Function:
    """Compile into its callers: for a part of a loop that takes many arrays, which are costly to pass."""
    return _compile(function, inline="always")


def compiled(function: Function) -> Function:
    """Compile at the first call, without the global lock, cached beside the module or in the user's cache folder."""
    return _compile(function)


def _compile(function: Function, **more: Any) -> Function:
    try:
        import numba
    except ImportError as error:
        raise MissingExtraError("split", "counting and splitting a corpus") from error
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", **more}
    try:
        return numba.njit(cache=True, **options)(function)  # type: ignore[no-any-return]
    except RuntimeError:  # no writable place for the cache: compile in every process
        return numba.njit(**options)(function)  # type: ignore[no-any-return]


def readonly(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A plain view that cannot be written, so that mapped files and arrays are one type to the compiler."""
    view = np.asarray(array).view()
    view.flags.writeable = False
    return view


@compiled
def intern_keys(keys: Array) -> tuple[Array, Array]:
    """Number the distinct keys in order of first sight: (number of each key, the distinct keys)."""
    numbers = np.empty(keys.size, np.int32)
    slots = np.full(1 << 16, -1, np.int32)
    distinct = np.empty(slots.size // 2, np.int64)
    count = 0
    for i in range(keys.size):
        slot = _slot(keys[i], slots, distinct)
        if slots[slot] >= 0:
            numbers[i] = slots[slot]
            continue
        slots[slot] = numbers[i] = count
        distinct[count] = keys[i]
        count += 1
        if 2 * count >= slots.size:
            slots = np.full(2 * slots.size, -1, np.int32)
            distinct = np.concatenate((distinct, np.empty_like(distinct)))
            for j in range(count):
                slots[_slot(distinct[j], slots, distinct)] = j
    return numbers, distinct[:count].copy()


@compiled
def _slot(key: Number, slots: Array, distinct: Array) -> Number:
    """Where the key stands, or where there is room for it."""
    value = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    slot = np.int64((value ^ (value >> np.uint64(32))) & np.uint64(slots.size - 1))
    while slots[slot] >= 0 and distinct[slots[slot]] != key:
        slot = (slot + 1) & (slots.size - 1)
    return slot


@compiled
def join_parts(parts: Array, arena: Array, starts: Array, ends: Array) -> tuple[Array, Array]:
    """Join strings of the arena by tabs, one line for each row of ``parts``: (bytes, where each line ends)."""
    lines = np.empty(parts.shape[0], np.int64)
    total = 0
    for i in range(parts.shape[0]):
        for j in range(parts.shape[1]):
            total += ends[parts[i, j]] - starts[parts[i, j]] + 1
        lines[i] = total
    blob = np.empty(total, np.uint8)
    at = 0
    for i in range(parts.shape[0]):
        for j in range(parts.shape[1]):
            if j:
                blob[at - 1] = _TAB
            for k in range(starts[parts[i, j]], ends[parts[i, j]]):
                blob[at] = arena[k]
                at += 1
            blob[at] = _NEWLINE
            at += 1
    return blob, lines


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
