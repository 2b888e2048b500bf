"""What is usual in a set of ratings: how strict each rater is, how rare a word is and how often it is marked."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import msgspec

from kontrast.building.marked.difference import tokens
from kontrast.building.marked.ratings import RatedSegment

SHORT = 3
"""Words of a mark that blames each of them."""
FIRST = 10
"""Outputs that a rater is taken to have rated as all others do."""


class RatingHabits(msgspec.Struct, frozen=True):
    """How many severe marks each rater makes beside the mean of all, and the share of severe ones among the rater's
    marks; how often each word stands and is marked.
    """

    raters: dict[str, float]
    severe: dict[str, float]
    words: dict[str, int]
    marked: dict[str, int]
    outputs: int

    def blame(self, word: str) -> float:
        """How often a word is marked by itself or with few others, wherever it stands."""
        return (self.marked.get(word, 0) + 0.1) / (self.words.get(word, 0) + 1)

    def rareness(self, word: str) -> float:
        """From 0, a word of every output, to 1, a word of one."""
        return 1 - math.log1p(self.words.get(word, 0)) / math.log1p(self.outputs)


def habits_of(segments: Sequence[RatedSegment]) -> RatingHabits:
    """The habits of all raters and words; raters are drawn towards the mean of all where there is little to go by."""
    rated: dict[str, list[int]] = {}
    words: Counter[str] = Counter()
    short: Counter[str] = Counter()
    marks: Counter[str] = Counter()
    severe: Counter[str] = Counter()
    outputs = [output for segment in segments for output in segment.outputs.values()]
    for output in outputs:
        marked = Counter(mark.rater for mark in output.marks if mark.is_severe)
        marks.update(mark.rater for mark in output.marks)
        severe.update(marked)
        for rater in output.raters:
            rated.setdefault(rater, []).append(marked[rater])
        cut = tokens(output.text)
        words.update({word.lower() for word in cut.words})
        spans = [cut.covering(mark.start, mark.end or 0) for mark in output.marks if mark.start is not None]
        short.update({cut.words[i].lower() for a, b in spans if b - a <= SHORT for i in range(a, b)})
    every = [count for counts in rated.values() for count in counts]
    usual = FIRST * sum(every) / max(len(every), 1)
    mean = max(usual / FIRST, 1e-9)
    raters = {rater: (sum(counts) + usual) / (len(counts) + FIRST) / mean for rater, counts in rated.items()}
    shares = {rater: (severe[rater] + 1) / (count + 4) for rater, count in marks.items()}
    return RatingHabits(raters, shares, words, short, len(outputs))
