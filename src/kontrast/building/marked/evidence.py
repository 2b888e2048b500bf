"""What the ratings say for a candidate and against it: features with names, which a judge weighs.

Among them is what is usual in the ratings: how many errors each system makes and each rater marks, how often each
word is marked.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

import msgspec

from kontrast.building.checks.judge import ALWAYS
from kontrast.building.marked.difference import shared_letters, tokens
from kontrast.building.marked.partners import RepairCandidate, SideBySide
from kontrast.building.marked.ratings import MarkedError, RatedSegment

Closeness = Callable[[Sequence[str], Sequence[str]], list[float]]
"""How close in meaning each text is to some references, in the mean."""
CLOSER = 0.3
"""What is closer to the references than that is no surer."""
OFTEN = 3
"""Ratings that leave the marked words unmarked: rather the rater's opinion than an error."""
PREFERRED = 0.1
"""Share of outputs: if more have the new words than the old, they are no surer."""
BLAMED = 0.5
"""Words that are marked so often, wherever they stand."""
STEM = 4
"""Letters by which two words are forms of one."""
SHORT = 3
"""Words of a mark that blames each of them."""


def add_features(
    scene: SideBySide, error: MarkedError, candidates: Sequence[RepairCandidate], habits: RatingHabits
) -> None:
    """Gives each candidate of an error its features; the judge's weights have these names."""
    marked = tokens(error.output.text[error.mark.start or 0 : error.mark.end or 0].lower()).words
    strict = max(habits.strictness(mark.rater) for mark in error.marks)
    own = tokens(scene.segment.source).words
    for candidate in candidates:
        old, new = ({w.lower() for w in words if w[0].isalnum()} for words in (candidate.old, candidate.new))
        gone, come = old - new, new - old
        raters = {rater for each in candidate.supporters for rater in each.raters}
        capitals = {word for word in candidate.old if len(word) > 1 and word.isupper()}
        candidate.features = {
            ALWAYS: 1.0,
            "preferred": min(_mean_unmarked(scene, come) - _mean_unmarked(scene, gone), PREFERRED),
            "blamed_often": float(max((habits.blame(word) for word in gone), default=0.0) > BLAMED),
            "only_here": float(any(habits.words.get(word, 0) <= 1 for word in gone)),
            "rater_strict": strict,
            "partner_rater_strict": max(map(habits.strictness, raters), default=0.0),
            "partner_errors": min(habits.systems.get(each.system, 1.0) for each in candidate.supporters),
            "new_words": float(len(come)),
            "similar": _similar(" ".join(candidate.old), " ".join(candidate.new)),
            "capitals": float(not capitals.issubset((*own, *candidate.new))),
            "keeps_mark": float(_keeps(marked, candidate.text)),
            **_at_the_place(scene, error, candidate),
        }


def add_closeness(
    scene: SideBySide, error: MarkedError, candidates: Sequence[RepairCandidate], closeness: Closeness
) -> None:
    """Asks how much closer to the references each candidate is than the output."""
    human = [other.text for other in scene.outputs if other.is_human and other is not error.output]
    if candidates and human:
        before, *after = closeness([error.output.text, *(each.text for each in candidates)], human)
        for candidate, value in zip(candidates, after, strict=True):
            candidate.features["closer"] = min(value - before, CLOSER)


def _at_the_place(scene: SideBySide, error: MarkedError, candidate: RepairCandidate) -> dict[str, float]:
    """What the outputs have there; other raters than the first may have rated the output itself."""
    output, block = error.output, candidate.block
    first = {mark.rater for mark in error.marks}
    whole = tokens(output.text).words
    old, new = " ".join(candidate.old), " ".join(candidate.new)
    seen: Counter[str] = Counter()  # ratings of the old words; outputs with other words, and those that are marked
    resembling: list[float] = []
    for other in (each for each in scene.outputs if not each.is_unsure):
        low, high, start, end = scene.place(output, block, other)
        marking = scene.marking(other, start, end)
        theirs = tokens(other.text).words[start:end]
        if theirs == whole[low:high]:
            asked = set(other.raters) - (first if other is output else set())
            seen["marking"] += len(asked & marking)
            seen["passing"] += len(asked - marking)
        else:
            without = (*whole[low : block.a], *whole[block.b : high])
            is_new = _within(candidate.new, theirs) if candidate.new else theirs == without
            wording = "new" if is_new else "third"
            seen[wording] += 1
            seen[f"{wording} marked"] += bool(marking)
        if other is not output and not marking:
            there = " ".join(theirs)
            resembling.append(_similar(there, new) - _similar(there, old))
    return {
        "new_here": (seen["new"] - seen["new marked"]) / max(len(resembling), 1),
        "resembles": sum(resembling) / max(len(resembling), 1),
        "new_marked": seen["new marked"] / max(seen["new"], 1),
        "others_marked": seen["third marked"] / max(seen["third"], 1),
        "often_unmarked": float(seen["passing"] >= max(OFTEN, seen["marking"] + 1)),
    }


def _mean_unmarked(scene: SideBySide, words: set[str]) -> float:
    return sum(scene.unmarked.get(word, 0.0) for word in words) / max(len(words), 1)


def _within(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    return any(others[k : k + len(words)] == words for k in range(len(others) - len(words) + 1))


@lru_cache(maxsize=100_000)
def _similar(one: str, other: str) -> float:
    """The share of letters that two texts have in common, in order."""
    return 2 * shared_letters(one.lower(), other.lower()) / max(len(one) + len(other), 1)


def _keeps(marked: Sequence[str], text: str) -> bool:
    """Has a text still all the longer marked words, by their first letters?"""
    wanted = {word[:STEM] for word in marked if len(word) >= STEM}
    return bool(wanted) and wanted <= {word[:STEM] for word in tokens(text.lower()).words}


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
