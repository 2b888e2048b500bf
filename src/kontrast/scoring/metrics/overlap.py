"""How many n-grams translations share with references: counted once per reference, and once per group of variants.

Variants of an item differ in a few places. The first is counted whole; of the others only the n-grams that touch the
difference are. The counts are whole numbers, so nothing is lost by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
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
    ones: list[Any] = [*units] if isinstance(units, str) else [(word,) for word in units]
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
        both = [(_touched(first, gone, n), _touched(text, come, n)) for n in range(1, order + 1)]
        found.append(
            [
                [
                    total + _gain(*changed, own, theirs)
                    for total, changed, own, theirs in zip(totals, both, mine, each, strict=True)
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
    start = _alike(lambda n: old[:n] == new[:n], shortest)
    end = _alike(lambda n: old[len(old) - n :] == new[len(new) - n :], shortest - start)
    return (start, len(old) - end), (start, len(new) - end)


def _alike(same: Callable[[int], bool], most: int) -> int:
    """The largest length up to which they are the same, by halving."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        if same(middle):
            least = middle
        else:
            most = middle - 1
    return least


def _touched(units: Units, stretch: tuple[int, int], n: int) -> list[Any]:
    """The n-grams that reach into the stretch, or across the seam where nothing is left of it."""
    start, end = stretch
    return [units[i : i + n] for i in range(max(0, start - n + 1), min(end, len(units) - n + 1))]


def _gain(gone: list[Any], come: list[Any], own: Counter[Any], theirs: Counter[Any]) -> int:
    """By how much the matches change when some n-grams go and others come."""
    change: dict[Any, int] = {}
    for grams, step in ((gone, -1), (come, 1)):
        for gram in filter(theirs.__contains__, grams):
            change[gram] = change.get(gram, 0) + step
    gain = 0
    for gram, by in change.items():
        if by:
            limit, before = theirs[gram], own[gram]
            gain += min(before + by, limit) - min(before, limit)
    return gain
