"""How many n-grams translations share with references, for many segments at once.

Every n-gram of a segment gets a number, made from that of its first n-1 symbols and that of its last; what is left to
do is to count numbers. References and variants of a segment are counted together, each once. The results are whole
numbers, so nothing is lost by it. chrF is 6.3 times as fast as sacreBLEU's sentence_score in a loop, chrF++ 4.2:
`python benchmarks/metrics.py --pairs 1000 --repeats 5`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

MANY = 1 << 18
"""Symbols that are counted at a time: enough for speed, little for memory."""
MOST = 500_000
"""Words whose cuts are kept."""


def characters(texts: Sequence[str]) -> tuple[Ints, Ints]:
    """All symbols one after the other, and how many each text has.

    >>> [part.tolist() for part in characters(["ab", "", "b"])]
    [[97, 98, 98], [2, 0, 1]]
    """
    joined = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return joined.astype(np.int64), np.array([len(text) for text in texts], dtype=np.int64)


def words(texts: Sequence[Sequence[str]]) -> tuple[Ints, Ints]:
    """The same for texts cut into words: each word has a number."""
    numbers: dict[str, int] = {}
    symbols = [numbers.setdefault(word, len(numbers)) for text in texts for word in text]
    return np.array(symbols, dtype=np.int64), np.array([len(text) for text in texts], dtype=np.int64)


def overlaps(
    symbols: Ints, lengths: Ints, references: int, hypotheses: int, order: int
) -> Iterator[tuple[list[list[list[int]]], list[int], list[int]]]:
    """For each segment: clipped matches ``[hypothesis][reference][order]``, lengths of hypotheses, of references.

    The texts are segment after segment, first its references, then its hypotheses, as many in each.

    >>> [found] = overlaps(*characters(["abab", "abc", "abd"]), 1, 2, 2)
    >>> found
    ([[[2, 1]], [[2, 1]]], [3, 3], [4])
    """
    size = references + hypotheses
    totals = lengths.reshape(-1, size).sum(1)
    ends = np.concatenate(([0], np.cumsum(totals)))
    start = 0
    while start < len(totals):
        stop = max(start + 1, int(np.searchsorted(ends, ends[start] + MANY, "right")) - 1)
        own = lengths[start * size : stop * size]
        part = symbols[ends[start] : ends[stop]]
        found = _matches(part, own, references, hypotheses, order)
        for by_text, each in zip(found.tolist(), own.reshape(-1, size).tolist(), strict=True):
            yield by_text, each[references:], each[:references]
        start = stop


def _matches(symbols: Ints, lengths: Ints, references: int, hypotheses: int, order: int) -> Ints:
    size = references + hypotheses
    segments = len(lengths) // size
    text = np.repeat(np.arange(len(lengths)), lengths)
    segment, place = text // size, text % size
    left = np.cumsum(lengths)[text] - np.arange(len(symbols))
    ones = _numbered((segment << 32) | symbols)
    found = np.zeros((segments, hypotheses, references, order), dtype=np.int64)
    at, grams = np.arange(len(symbols)), ones
    many = int(ones.max(initial=0)) + 1
    for n in range(order):
        if n:
            long = left[at] > n
            at = at[long]
            grams = _numbered(grams[long] * many + ones[at + n])
        if not len(at):
            break
        kinds = int(grams.max()) + 1
        counts = np.bincount(grams * size + place[at], minlength=kinds * size).reshape(kinds, size)
        owner = np.empty(kinds, dtype=np.int64)
        owner[grams] = segment[at]
        for i in range(hypotheses):
            for j in range(references):
                shared = np.minimum(counts[:, references + i], counts[:, j])
                found[:, i, j, n] = np.bincount(owner, weights=shared, minlength=segments)
    return found


def _numbered(keys: Ints) -> Ints:
    """Equal keys get equal numbers, from 0 on without gaps."""
    order = np.argsort(keys)
    ordered = keys[order]
    numbers = np.empty(len(keys), dtype=np.int64)
    new = np.empty(len(keys), dtype=np.int64)
    new[:1] = 0
    new[1:] = ordered[1:] != ordered[:-1]
    numbers[order] = np.cumsum(new)
    return numbers


class ByWord:
    """A tokeniser that looks at nothing beyond the blanks around a word, with a memory.

    >>> cut = ByWord(lambda word: word.replace(",", " ,").split())
    >>> cut("yes, yes, no")
    ('yes', ',', 'yes', ',', 'no')
    """

    def __init__(self, cut: Callable[[str], Iterable[str]]) -> None:
        self.cut = cut
        self.known: dict[str, tuple[str, ...]] = {}

    def __call__(self, text: str) -> tuple[str, ...]:
        known = self.known
        tokens: list[str] = []
        if len(known) > MOST:
            known.clear()
        for word in text.split():
            cut = known.get(word)
            if cut is None:
                cut = known[word] = tuple(self.cut(word))
            tokens += cut
        return tuple(tokens)
