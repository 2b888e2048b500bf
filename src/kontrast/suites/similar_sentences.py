"""Sentences that are the same, or nearly: exact after normalisation, else by the word pairs that they share.

Similarity is the share of common word pairs (Jaccard, the ends of the sentence included). A sentence can only reach
the threshold if one of its rarest pairs is among the rarest of the other, so an index over those few finds every
match and looks at almost nothing else; memory grows with what is searched for, not with what is searched.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

_WORD = re.compile(r"[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]|[^\W_\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]+")
"""A word, or one character of a script that does not part words."""

Pair = tuple[str, str]


class Match(NamedTuple):
    """What was found: its number among the sentences searched for, and how alike the two are (1: the same)."""

    number: int
    similarity: float


def normalise(text: str) -> tuple[str, ...]:
    """Words in compatibility form and lower case, without punctuation."""
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


class SimilarSentences:
    """Finds, for any sentence, the most similar of the given ones."""

    def __init__(self, sentences: Iterable[str], *, threshold: float = 0.6, shortest: int = 5) -> None:
        self.threshold, self.shortest = threshold, shortest
        self._exact: dict[tuple[str, ...], int] = {}
        for number, sentence in enumerate(sentences):
            if words := normalise(sentence):
                self._exact.setdefault(words, number)
        long = [(words, number) for words, number in self._exact.items() if len(words) >= shortest]
        self._pairs = {number: frozenset(_pairs(words)) for words, number in long}
        self._frequency = Counter(pair for pairs in self._pairs.values() for pair in pairs)
        self._index: dict[Pair, list[int]] = {}
        for number, pairs in self._pairs.items():
            for pair in self._rarest(pairs, self._few(len(pairs))):
                self._index.setdefault(pair, []).append(number)

    def find(self, words: tuple[str, ...]) -> Match | None:
        """The best match of a normalised sentence, if any; a short one must be the same."""
        same = self._exact.get(words)
        if same is not None:
            return Match(same, 1.0)
        if len(words) < self.shortest:
            return None
        pairs = set(_pairs(words))
        known = [pair for pair in pairs if pair in self._frequency]
        few = self._few(len(pairs)) - (len(pairs) - len(known))  # pairs that nothing has are the rarest of all
        if few <= 0:
            return None
        candidates = {number for pair in self._rarest(known, few) for number in self._index.get(pair, ())}
        best = None
        for number in sorted(candidates):
            other = self._pairs[number]
            common = len(pairs & other)
            similarity = common / (len(pairs) + len(other) - common)
            if similarity >= self.threshold and (best is None or similarity > best.similarity):
                best = Match(number, similarity)
        return best

    def _few(self, size: int) -> int:
        """How many of the rarest pairs must be looked at: if none of them is shared, too few are."""
        return size - math.ceil(self.threshold * size - 1e-9) + 1

    def _rarest(self, pairs: Iterable[Pair], few: int) -> list[Pair]:
        return sorted(pairs, key=lambda pair: (self._frequency[pair], pair))[:few]


def _pairs(words: tuple[str, ...]) -> Iterable[Pair]:
    return zip(("", *words), (*words, ""), strict=True)
