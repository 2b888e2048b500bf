"""What is usual in a set of ratings: how many errors each system makes, and how often each word is marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from kontrast.building.marked.difference import tokens
from kontrast.building.marked.ratings import RatedSegment

SHORT = 3
"""Words of a mark that blames each of them."""


class RatingHabits(msgspec.Struct, frozen=True):
    """How many severe errors each system has beside the mean of all; how often each word stands and is marked."""

    systems: dict[str, float]
    words: dict[str, int]
    marked: dict[str, int]

    def blame(self, word: str) -> float:
        """How often a word is marked by itself or with few others, wherever it stands."""
        return (self.marked.get(word, 0) + 0.1) / (self.words.get(word, 0) + 1)


def habits_of(segments: Sequence[RatedSegment]) -> RatingHabits:
    """The habits of all systems and words of some segments."""
    words: Counter[str] = Counter()
    short: Counter[str] = Counter()
    severe: Counter[str] = Counter()
    rated: Counter[str] = Counter()
    for output in (output for segment in segments for output in segment.outputs.values()):
        rated[output.system] += 1
        severe[output.system] += sum(mark.is_severe for mark in output.marks)
        cut = tokens(output.text)
        words.update({word.lower() for word in cut.words})
        spans = [cut.covering(mark.start, mark.end or 0) for mark in output.marks if mark.start is not None]
        short.update({cut.words[i].lower() for a, b in spans if b - a <= SHORT for i in range(a, b)})
    rates = {system: severe[system] / count for system, count in rated.items()}
    mean = sum(rates.values()) / max(len(rates), 1) or 1.0
    return RatingHabits({system: rate / mean for system, rate in rates.items()}, words, short)
