"""How many n-grams translations share with references: counted once per reference, and once per group of variants.

Variants of an item differ in a few places. The first is counted whole; of the others only the n-grams that touch the
difference are. The counts are whole numbers, so nothing is lost by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import add
from typing import Any

__all__ = ["Units", "count", "matches"]

Units = str | tuple[str, ...]
"""Characters or words; slices of either can be counted."""


def count(units: Units, order: int) -> list[Counter[Any]]:
    """The n-grams of each order from 1 on.

    >>> count("aba", 2)
    [Counter({'a': 2, 'b': 1}), Counter({'ab': 1, 'ba': 1})]
    """
    return [Counter(grams) for grams in _grams(units, order)]


def _grams(units: Units, order: int) -> list[list[Any]]:
    """All n-grams in their places; each order is made from the one before, which is faster than slicing."""
    ones = [units[i : i + 1] for i in range(len(units))]
    grams = [ones]
    for n in range(1, order):
        grams.append([*map(add, grams[-1], ones[n:])])
    return grams


def matches(texts: Sequence[Units], references: Sequence[Sequence[Counter[Any]]]) -> list[list[list[int]]]:
    """Clipped matches of every text with every reference, by order: ``[text][reference][order]``.

    >>> matches(["abc", "abd"], [count("abab", 2)])
    [[[2, 1]], [[2, 1]]]
    """
    order = len(references[0])
    first = texts[0]
    grams = _grams(first, order)
    # Only what the reference has can match, now or after a change.
    counts = [
        [Counter(filter(theirs.__contains__, own)) for own, theirs in zip(grams, each, strict=True)]
        for each in references
    ]
    base = [
        [_clipped(own, theirs) for own, theirs in zip(mine, each, strict=True)]
        for mine, each in zip(counts, references, strict=True)
    ]
    found = [base]
    for text in texts[1:]:
        gone, come = _changed(first, text)
        orders = [_difference(first, text, gone, come, n) for n in range(1, order + 1)]
        found.append(
            [
                [
                    total + _gain(difference, own, theirs)
                    for total, difference, own, theirs in zip(totals, orders, mine, each, strict=True)
                ]
                for totals, mine, each in zip(base, counts, references, strict=True)
            ]
        )
    return found


def _clipped(own: Counter[Any], theirs: Counter[Any]) -> int:
    return sum(map(min, own.values(), map(theirs.__getitem__, own)))


def _changed(old: Units, new: Units) -> tuple[tuple[int, int], tuple[int, int]]:
    """Where the two differ: a stretch of the old and one of the new, between a common beginning and end."""
    shortest = min(len(old), len(new))
    start = 0
    while start < shortest and old[start] == new[start]:
        start += 1
    end = 0
    while end < shortest - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return (start, len(old) - end), (start, len(new) - end)


def _difference(old: Units, new: Units, gone: tuple[int, int], come: tuple[int, int], n: int) -> dict[Any, int]:
    """By how much the count of each n-gram that touches the difference changes."""
    change: dict[Any, int] = {}
    for units, (start, end), step in ((old, gone, -1), (new, come, 1)):
        # Also where nothing is left between: the n-grams across the seam are new.
        for i in range(max(0, start - n + 1), min(end, len(units) - n + 1)):
            gram = units[i : i + n]
            change[gram] = change.get(gram, 0) + step
    return change


def _gain(difference: dict[Any, int], own: Counter[Any], theirs: Counter[Any]) -> int:
    gain = 0
    for gram, change in difference.items():
        limit = theirs.get(gram)
        if limit is not None and change:
            before = own.get(gram, 0)
            gain += min(before + change, limit) - min(before, limit)
    return gain
