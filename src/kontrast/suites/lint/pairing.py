"""Source–target pairs that fit a neighbour better than each other.

Knowledge comes from the suite itself: which words go together in the *other* pairs (Dice coefficient, the pair in
question left out), words and numbers that are the same on both sides, length, and the final question mark. Only a
pair that fits badly is compared with its neighbours: the sentences of its context and the items beside it.
"""

from __future__ import annotations

import itertools
from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from kontrast.io.words import words
from kontrast.suites.lint import Level, Looking, found, lint_check, words_of
from kontrast.suites.model import Item, Suite
from kontrast.suites.packed import fields_of, numbered_keys

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]

MARGIN = 0.3
"""By how much a neighbour must fit better; see docs/lint.md for what this finds and what it costs."""
USUAL = 0.02
"""The share of pairs that a well aligned set of free translations may have here: above it, a warning."""
_FEWEST = 50
_REACH = 2
_MOST = 300
"""A word in more texts than this tells pairs apart badly, and costs time."""
_SUSPECT = 0.2
"""The share of pairs, those of the worst fit, that are looked at."""
_CHUNK = 1_000_000
_AT_ONCE = 16_000_000
"""Combinations of words that are looked at, and counted, at once."""
_LOW = (1 << 24) - 1
"""The bits of a combination that tell at once that most are not known."""


class _Side:
    """One side's texts: how many words each has, whether it asks, and its distinct words as numbers."""

    def __init__(self) -> None:
        self._columns = [array("i") for _ in range(4)]

    def add(self, texts: list[str], own: list[list[str]], numbers: dict[str, int]) -> None:
        """Take texts and the words of each."""
        import numpy as np

        lengths = np.fromiter(map(len, own), "int32", len(own))
        flat = np.fromiter(map(numbers.__getitem__, itertools.chain.from_iterable(own)), "int64")
        pairs = np.sort(np.repeat(np.arange(len(own)), lengths) << 32 | flat)
        pairs = pairs[np.diff(pairs, prepend=-1) != 0]  # each word of a text once
        sizes = np.bincount(pairs >> 32, minlength=len(own)).astype("int32")
        asks = np.fromiter(map(_asks, texts), "int32", len(texts))
        for column, more in zip(self._columns, (asks, lengths, sizes, pairs.astype("int32")), strict=True):
            column.frombytes(more.tobytes())

    def end(self, beside: _Side | None = None) -> None:
        """All texts are there; those of ``beside`` come after them."""
        import numpy as np

        columns = zip(self._columns, *([beside._columns] if beside else []), strict=True)
        self.asks, self.length, self._size, self._word = map(np.concatenate, columns)
        self._columns.clear()
        if beside:
            beside._columns.clear()

    def count(self, words: int, texts: int) -> Ids:
        """How many of the first texts have each word."""
        import numpy as np

        return np.bincount(self._word[: self._size[:texts].sum()], minlength=words)

    def keep(self, kept: NDArray[np.bool_]) -> _Sets:
        """The words of each text among those that are kept."""
        import numpy as np

        chosen = kept[self._word]
        before = np.concatenate([np.zeros(1, "int64"), np.cumsum(chosen)])
        ends = np.concatenate([np.zeros(1, "int64"), np.cumsum(self._size)])
        return _Sets(self._word[chosen], before[ends])


def _asks(text: str) -> bool:
    return ("?" in text or "？" in text) and text.rstrip(" \"'”“»«").endswith(("?", "？"))


class _Sets(NamedTuple):
    """Sets of numbers, one behind the other, and where each begins."""

    flat: NDArray[np.int32]
    start: Ids

    def size(self, which: Ids) -> Ids:
        sizes: Ids = self.start[which + 1] - self.start[which]
        return sizes


def _cross(sources: _Sets, i: Ids, targets: _Sets, j: Ids) -> tuple[Ids, NDArray[np.int32], NDArray[np.int32]]:
    """Every word of the source with every word of the target, for pairs of texts: the pair, and both words."""
    import numpy as np

    words, partners = sources.size(i), targets.size(j)
    pair = np.repeat(np.arange(len(i)), words)
    source = sources.flat[np.arange(len(pair)) + np.repeat(sources.start[i] - np.cumsum(words) + words, words)]
    times = partners[pair]
    first = targets.start[j][pair] - np.cumsum(times) + times
    target = targets.flat[np.arange(times.sum()) + np.repeat(first, times)]
    return np.repeat(pair, times), np.repeat(source, times), target


class _Fit:
    """How well a source and a target fit, by what the suite's pairs have in common.

    Sources and targets have the same order; ``unique`` are the numbers of different pairs. Nothing is learnt from
    targets behind the last source. ``numbers`` are those of all words.
    """

    def __init__(self, source: _Side, target: _Side, numbers: dict[str, int], unique: Ids) -> None:
        import numpy as np

        self._source, self._target, count = source, target, len(source.length)
        self._source_df, self._target_df = (side.count(len(numbers), count) for side in (self._source, self._target))
        most = max(3, min(count // 20, _MOST))
        self._sources, self._targets = (
            side.keep((df >= 3) & (df <= most))
            for side, df in ((self._source, self._source_df), (self._target, self._target_df))
        )
        # A word or number that stands on both sides tells much.
        telling = np.fromiter((len(word) > 3 or word.isdigit() for word in numbers), "bool", len(numbers))
        anywhere = self._target.count(len(numbers), len(self._target.length))
        both = telling & (self._source_df > 0) & (anywhere > 0)
        self._source_telling, self._target_telling = self._source.keep(both), self._target.keep(both)
        self._width = len(numbers)
        self._learn(unique)
        ratios = self._ratio(unique, unique)
        self._usual_ratio = float(ratios.mean())
        self._spread = max(0.2, float(ratios.std()))

    def _learn(self, pairs: Ids) -> None:
        """Which words go together in at least two of these pairs, and in how many.

        Combinations are counted for one part of the source words after another, so that memory stays bounded.
        """
        import numpy as np

        total = int((self._sources.size(pairs) * self._targets.size(pairs)).sum())
        parts = 1 + total // _AT_ONCE
        known, counts = [np.zeros(0, "int64")], [np.zeros(0, "int64")]
        for part in range(parts):
            found = []
            for some in (pairs[chunk] for chunk in self._chunks(pairs, pairs)):
                _, source, target = _cross(self._sources, some, self._targets, some)
                mine = source % parts == part
                found.append(source[mine] * np.int64(self._width) + target[mine])
            codes, times = np.unique(np.concatenate(found), return_counts=True)
            known.append(codes[times > 1])
            counts.append(times[times > 1])
        codes, times = np.concatenate(known), np.concatenate(counts)
        order = np.argsort(codes)
        self._known, self._counts = codes[order], times[order]
        self._may_be_known = np.zeros(_LOW + 1, "bool")
        self._may_be_known[self._known & _LOW] = True

    def _ratio(self, i: Ids, j: Ids) -> NDArray[np.float64]:
        import numpy as np

        ratios: NDArray[np.float64] = np.log((self._target.length[j] + 1) / (self._source.length[i] + 1))
        return ratios

    def __call__(self, i: Ids, j: Ids, *, own: bool = False) -> NDArray[np.float64]:
        """For each source ``i`` and target ``j``, between about -1 and 1; ``own`` leaves the pair itself out."""
        import numpy as np

        return np.concatenate([np.zeros(0), *(self._fits(i[some], j[some], own) for some in self._chunks(i, j))])

    def _chunks(self, i: Ids, j: Ids) -> Iterator[slice]:
        """Parts of these pairs with about as many combinations of words, so that memory stays bounded."""
        import numpy as np

        combined = np.cumsum(1 + self._sources.size(i) * self._targets.size(j)) // _CHUNK
        starts = np.flatnonzero(np.diff(combined, prepend=-1)).tolist()
        return map(slice, starts, [*starts[1:], len(i)])

    def _fits(self, i: Ids, j: Ids, own: bool) -> NDArray[np.float64]:
        import numpy as np

        pair, source, target = _cross(self._source_telling, i, self._target_telling, j)
        same = np.bincount(pair[source == target], minlength=len(i))
        total = 2.0 * same
        a, b = self._sources.size(i), self._targets.size(j)
        pair, source, target = _cross(self._sources, i, self._targets, j)
        if len(pair) and len(self._known):
            codes = source * np.int64(self._width) + target
            few = np.flatnonzero(self._may_be_known[codes & _LOW])
            codes, pair, source, target = codes[few], pair[few], source[few], target[few]
            at = np.minimum(np.searchsorted(self._known, codes), len(self._known) - 1)
            hit = (self._known[at] == codes) & (self._counts[at] - own > 1)
            pair, source, target = pair[hit], source[hit], target[hit]
            dice = 2 * (self._counts[at[hit]] - own) / (self._source_df[source] + self._target_df[target])
            for key in (source, target):  # the best partner of each word
                where = pair * self._width + key
                order = np.lexsort((dice, where))
                last = np.diff(where[order], append=-1) != 0
                total += np.bincount(pair[order][last], weights=dice[order][last], minlength=len(i))
        strange = np.minimum(3.0, np.abs(self._ratio(i, j) - self._usual_ratio) / self._spread)
        fit = total / np.maximum(4, a + b + 2 * same)
        asks = self._source.asks[i] != self._target.asks[j]
        fits: NDArray[np.float64] = fit - 0.05 * strange * strange - 0.1 * asks
        return fits


class _Text(msgspec.Struct, gc=False):
    text: str


class _Pair(msgspec.Struct, gc=False):
    """Of an item what is compared here."""

    source: str
    variants: tuple[_Text, ...]
    correct: int = 0


def _beside(item: Item) -> Iterator[str]:
    """The target sentences before and behind an item, where they are not its own."""
    best = item.best
    context = best.context if best.context is not None else item.target_context
    for text in ((context or ("",))[-1], (item.target_next or ("",))[0]):
        if text.strip() and text != best.text:
            yield text


class _Texts:
    """The sides of the items that were seen."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = defaultdict(itertools.count().__next__)
        self.source, self.target, self._beside = _Side(), _Side(), _Side()
        self.beside, self.sources, self.targets = (array("q") for _ in range(3))
        """The items that have the sentences beside, and the hashes of all sources and targets."""

    def add(self, some: Sequence[tuple[int, Item]]) -> None:
        for side, hashes, texts in (
            (self.source, self.sources, [item.source for _, item in some]),
            (self.target, self.targets, [item.best.text for _, item in some]),
        ):
            hashes.extend(map(hash, texts))
            side.add(texts, list(map(words_of, texts)), self.numbers)
        beside = [(i, text) for i, item in some for text in _beside(item)]
        self.beside.extend(i for i, _ in beside)
        around = [text for _, text in beside]
        self._beside.add(around, list(map(words, around)), self.numbers)

    def end(self) -> None:
        self.source.end()
        self.target.end(self._beside)


def misfits(suite: Suite, texts: _Texts | None = None) -> dict[int, float]:
    """The items whose source fits a neighbouring target better than its own, or the target a source, by how much.

    ``texts`` are those of the suite, where they have been taken already.
    """
    import numpy as np

    items = suite.items
    if texts is None:
        texts = _Texts()
        texts.add(list(enumerate(items)))
    count = len(items)
    if count < _FEWEST:
        return {}

    def sources() -> Iterator[str]:
        return (item.source for item in fields_of(items, _Pair))

    def targets() -> Iterator[str]:
        return (item.variants[item.correct].text for item in fields_of(items, _Pair))

    texts.end()
    source_of, target_of = numbered_keys(sources, texts.sources), numbered_keys(targets, texts.targets)
    beside = np.array(texts.beside, dtype=np.int64)
    unique = np.unique(source_of * count + target_of, return_index=True)[1]
    fit = _Fit(texts.source, texts.target, texts.numbers, unique)
    own = fit(np.arange(count), np.arange(count), own=True)
    suspect = own <= np.sort(own)[int(_SUSPECT * count)]
    (at,), (chosen,) = np.nonzero(suspect[beside]), np.nonzero(suspect)
    pairs = [(beside[at], beside[at], count + at)]
    for step in (*range(-_REACH, 0), *range(1, _REACH + 1)):
        i = chosen[(chosen + step >= 0) & (chosen + step < count)]
        i = i[(source_of[i] != source_of[i + step]) & (target_of[i] != target_of[i + step])]
        pairs += [(i, i, i + step), (i, i + step, i)]
    item_of, source, target = (np.concatenate(each) for each in zip(*pairs, strict=True))
    gain = np.zeros(count)
    np.maximum.at(gain, item_of, fit(source, target) - own[item_of])
    return {i: float(gain[i]) for i in np.flatnonzero(gain > MARGIN).tolist()}


@lint_check("misaligned-pair", usual=USUAL, fewest=_FEWEST)
def _misaligned(suite: Suite) -> Looking:
    texts = _Texts()
    while some := (yield None):
        texts.add(some)
    places = misfits(suite, texts)
    level: Level = "warning" if len(places) > USUAL * len(suite.items) else "note"
    message = "in {n} source or target fits a neighbouring item better than its own counterpart; check these items"
    yield from found("misaligned-pair", level, suite, places, message)


CHECKS = (_misaligned,)
