"""What is usual in a set of ratings: how many errors each system makes and each rater marks, how often each word is
marked.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import msgspec

from kontrast.building.marked.difference import tokens
from kontrast.building.marked.ratings import RatedSegment

SHORT = 3
"""Words of a mark that blames each of them."""


class RatingHabits(msgspec.Struct, frozen=True):
    """How many severe errors each system makes and each rater marks in an output, beside the mean of all, and how
    often each word stands and is marked.
    """

    systems: dict[str, float]
    raters: dict[str, float]
    words: dict[str, int]
    marked: dict[str, int]

    def strictness(self, rater: str) -> float:
        """Above 0 for a rater who marks more severe errors than most, below for one who marks fewer."""
        return math.log(self.raters.get(rater, 1.0))

    def blame(self, word: str) -> float:
        """How often a word is marked by itself or with few others, wherever it stands."""
        return (self.marked.get(word, 0) + 0.1) / (self.words.get(word, 0) + 1)


def habits_of(segments: Sequence[RatedSegment]) -> RatingHabits:
    """The habits of all systems and words of some segments."""
    words: Counter[str] = Counter()
    short: Counter[str] = Counter()
    severe: dict[str, list[int]] = {}
    by_rater: dict[str, list[int]] = {}
    for output in (output for segment in segments for output in segment.outputs.values()):
        severe.setdefault(output.system, []).append(sum(mark.is_severe for mark in output.marks))
        for rater in output.raters:
            own = sum(mark.is_severe for mark in output.marks if mark.rater == rater)
            by_rater.setdefault(rater, []).append(own)
        cut = tokens(output.text)
        words.update({word.lower() for word in cut.words})
        spans = [cut.covering(mark.start, mark.end or 0) for mark in output.marks if mark.start is not None]
        short.update({cut.words[i].lower() for a, b in spans if b - a <= SHORT for i in range(a, b)})
    return RatingHabits(_beside_all(severe), _beside_all(by_rater), words, short)


def _beside_all(counts: dict[str, list[int]]) -> dict[str, float]:
    """The mean of each, beside the mean of all; one more is counted, so that none is 0."""
    every = [count for own in counts.values() for count in own]
    usual = (sum(every) + 1) / (len(every) + 1)
    return {name: (sum(own) + 1) / (len(own) + 1) / usual for name, own in counts.items()}
