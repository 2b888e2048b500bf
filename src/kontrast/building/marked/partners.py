"""The nearest text without the error: other outputs of the segment, unmarked where they differ from this one.

The difference at the mark is put into the output, bounded by words that both texts share; where the two differ
nowhere else, that is the other output itself.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import takewhile

import msgspec

from kontrast.building.checks.judge import ALWAYS
from kontrast.building.marked.difference import DiffBlock, TokenisedText, blocks, tokens
from kontrast.building.marked.rating_habits import RatingHabits
from kontrast.building.marked.ratings import MarkedError, RatedOutput, RatedSegment

OFTEN = 3
"""Ratings that leave the marked words unmarked: rather the rater's opinion than an error."""
MANY = 5
"""Further ratings that mark the same words: no opinion of one rater."""
LONGEST = 12
"""Words of a difference: beyond, two texts rather say it in different ways."""
BEYOND = 3
"""Words beside the mark that may change with it: an article, a verb."""
BRIDGE = 2
"""Equal words over which a neighbouring difference may be taken in, as an article is with its noun."""
BESIDE = 5
"""Equal words beside a difference: more do not make it surer."""
_SIGNS = frozenset(',.;:!?…()[]"„“”«»–—、。，！？；：「」')
"""Where a clause may end."""


class RepairCandidate(msgspec.Struct):
    """A text without the error: how it differs from the output, who wrote it so, and what can be said of it."""

    text: str
    block: DiffBlock
    old: tuple[str, ...]
    new: tuple[str, ...]
    partner: RatedOutput
    supporters: list[RatedOutput]
    features: dict[str, float]
    confidence: float = 0.0


class SideBySide:
    """The outputs of one segment side by side."""

    def __init__(self, segment: RatedSegment, habits: RatingHabits) -> None:
        self.segment, self.habits = segment, habits
        self.outputs = [output for output in segment.outputs.values() if output.text.strip()]
        self._blocks: dict[tuple[str, str], list[DiffBlock]] = {}

    @cached_property
    def marked(self) -> dict[str, list[tuple[int, int, str]]]:
        """The tokens that are marked in each output, and by whom."""
        return {
            output.system: [
                (*tokens(output.text).covering(mark.start, mark.end or 0), mark.rater)
                for mark in output.marks
                if mark.start is not None
            ]
            for output in self.outputs
        }

    @cached_property
    def blame(self) -> dict[str, float]:
        """Of each word, the share of outputs with it that are marked at it."""
        have: Counter[str] = Counter()
        marked: Counter[str] = Counter()
        for output in self.outputs:
            words = tokens(output.text).words
            have.update({w.lower() for w in words})
            spans = [(start, end) for start, end, _ in self.marked[output.system] if end - start <= LONGEST]
            marked.update({words[i].lower() for start, end in spans for i in range(start, end)})
        return {word: (marked[word] + 0.3) / (count + 1) for word, count in have.items()}

    def blocks(self, one: RatedOutput, other: RatedOutput) -> list[DiffBlock]:
        key = one.text, other.text
        if key not in self._blocks:
            self._blocks[key] = blocks(tokens(one.text).words, tokens(other.text).words)
        return self._blocks[key]

    def candidates(self, error: MarkedError) -> tuple[list[RepairCandidate], Counter[str]]:
        """The candidates of an error by what they say, and why other outputs gave none."""
        output, mark = error.output, error.mark
        own = tokens(output.text)
        first, behind = own.covering(mark.start or 0, mark.end or 0)
        found: dict[str, RepairCandidate] = {}
        condemned: Counter[str] = Counter()
        why: Counter[str] = Counter()
        for other in self.outputs:
            if other is output or other.is_unsure:
                continue
            theirs = tokens(other.text)
            between = self.blocks(output, other)
            touching = [n for n, b in enumerate(between) if _touches(b, first, behind)]
            if error.is_placeless:  # another output has more at one place, and no other difference
                touching = [0] if len(between) == 1 and between[0].a == between[0].b else []
            if not touching:
                why["the same words in it"] += 1
                continue
            for block in _nested(between, touching):
                size = max(block.b - block.a, block.d - block.c)
                outside = block.b - block.a - max(0, min(block.b, behind) - max(block.a, first))
                if size > LONGEST + behind - first or outside > BEYOND:
                    why["the difference is too wide"] += 1
                    continue
                text = _put(own, theirs, block)
                if self._is_marked(other, block.c, block.d):
                    condemned[text] += 1
                    why["marked at the place"] += 1
                    continue
                if reason := _is_idle(own, theirs, block):
                    why[reason] += 1
                    continue
                known = found.get(text)
                if known is None:
                    old, new = own.words[block.a : block.b], theirs.words[block.c : block.d]
                    known = found[text] = RepairCandidate(text, block, old, new, other, [], {})
                known.supporters.append(other)
                open_sides = _open_sides(own, between, block)
                if other.text == text or open_sides < known.features.get("open_sides", 3):
                    known.partner = other
                    known.features = _by_itself(known, other.text == text, open_sides)
                    known.features |= _moved(own, theirs, block)
        for text, candidate in found.items():
            self._weigh(candidate, error, own.words[first:behind], condemned[text])
        return list(found.values()), why

    def _is_marked(self, output: RatedOutput, first: int, behind: int) -> bool:
        return bool(self._marking(output, first, behind))

    def _marking(self, output: RatedOutput, first: int, behind: int) -> set[str]:
        """Who marked something at these tokens, or a place without a word that touches them.

        Where there are none, at one beside the place.
        """
        if first == behind:
            first, behind = first - 1, behind + 1
        spans = ((start - (start == end), end + (start == end), r) for start, end, r in self.marked[output.system])
        return {rater for start, end, rater in spans if start < behind and first < end}

    def _is_strict(self, output: RatedOutput, asked: set[str], strictness: float) -> bool:
        """Was it rated by one who marked the error, or by one who marks as much?"""
        return any(r in asked or self.habits.raters.get(r, 0.0) >= strictness for r in output.raters)

    def _weigh(self, candidate: RepairCandidate, error: MarkedError, marked: Sequence[str], condemned: int) -> None:
        """Adds what the other outputs say for a candidate and against it; the judge's weights have these names."""
        features, supporters = candidate.features, candidate.supporters
        asked = {mark.rater for mark in error.marks}
        strictness = max(self.habits.raters.get(rater, 0.0) for rater in asked)
        checked = any(self._is_strict(each, asked, strictness) for each in supporters)
        first = {error.mark.rater}
        with_mark, without = self._same_words(error.output, candidate.block, first)
        old, new = ({w.lower() for w in words if w[0].isalnum()} for words in (candidate.old, candidate.new))
        kept = {w.lower() for w in marked if w[0].isalnum()} - old
        gone = old - new
        features |= {
            ALWAYS: 1.0,
            "supporters": min(math.log2(len(supporters)), 3.0),
            "single_repair": float(len(supporters) == 1 and not features["whole"]),
            "checked_whole": float(checked and features["whole"] > 0),
            "checked_word": float(checked and len(candidate.old) == len(candidate.new) == 1 and not kept),
            "often_unmarked": float(without >= OFTEN and without > with_mark),
            "condemned": math.log2(1 + condemned),
            "reference_supports": float(any(each.is_human for each in supporters)),
            "severe_rater": min(self.habits.severe.get(rater, 0.0) for rater in asked),
            "equal_beside": (beside := self._equal_beside(error.output, candidate)),
            "equal_beside_repair": beside * (1 - features["whole"]),
            "grammar": float("grammar" in error.mark.category.lower()),
            "blame_gone": max((self.blame[word] for word in gone), default=0.0),
            "much_confirmed": float(with_mark >= MANY),
            "picky_rater": min(3.0, strictness),
            "marks_one_word": float(len(marked) == 1),
            "usual_blame_gone": max((self.habits.blame(word) for word in gone), default=0.0),
            "rare_kept": max((self.habits.rareness(word) for word in kept), default=0.0),
        }

    def _equal_beside(self, output: RatedOutput, candidate: RepairCandidate) -> float:
        """How many words on either side, up to `BESIDE`, a supporter shares with the output before they differ."""
        most, block = 0, candidate.block
        for other in candidate.supporters:
            between = self.blocks(output, other)
            gaps = [block.a - b.b for b in between if b.b <= block.a and b.a < block.a]
            gaps += [b.a - block.b for b in between if b.a >= block.b and b.b > block.b]
            most = max(most, min([*gaps, BESIDE]))
        return float(most)

    def _same_words(self, output: RatedOutput, block: DiffBlock, first: set[str]) -> tuple[int, int]:
        """Further ratings of the words of the block at the place: how many mark them, and how many do not.

        They are those of the other outputs that have the words there, and of the output itself by other raters than
        the ``first``.
        """
        with_mark = without = 0
        for other in self.outputs:
            between = self.blocks(output, other) if other is not output else []
            if any(b.a <= block.b and block.a <= b.b for b in between):
                continue
            shift = sum((b.d - b.c) - (b.b - b.a) for b in between if b.b < block.a)
            marking = self._marking(other, block.a + shift, block.b + shift)
            asked = set(other.raters) - (first if other is output else set())
            with_mark, without = with_mark + len(asked & marking), without + len(asked - marking)
        return with_mark, without


def _touches(block: DiffBlock, first: int, behind: int) -> bool:
    if block.a == block.b:
        return first <= block.a <= behind
    return block.a < behind and first < block.b


def _nested(between: list[DiffBlock], touching: list[int]) -> Iterator[DiffBlock]:
    """From the first touching block to the last; with a neighbour that stands near, on either side and both; and each
    touching block by itself.
    """
    if len(touching) > 1:
        yield from (between[i] for i in touching)
    low, high = touching[0], touching[-1]
    lows = [low] + [low - 1] * (low > 0 and between[low].a - between[low - 1].b <= BRIDGE)
    highs = [high] + [high + 1] * (high + 1 < len(between) and between[high + 1].a - between[high].b <= BRIDGE)
    for i in lows:
        for j in highs:
            yield DiffBlock(between[i].a, between[j].b, between[i].c, between[j].d)


def _put(own: TokenisedText, theirs: TokenisedText, block: DiffBlock) -> str:
    """The output with the words of the other in the block, and the blanks around them as there."""
    start, end = own.between(block.a, block.b)
    other_start, other_end = theirs.between(block.c, block.d)
    return own.text[:start] + theirs.text[other_start:other_end] + own.text[end:]


def _is_idle(own: TokenisedText, theirs: TokenisedText, block: DiffBlock) -> str | None:
    """Why a difference is none to speak of."""
    old, new = own.words[block.a : block.b], theirs.words[block.c : block.d]
    plain_old, plain_new = ([w.lower() for w in words if w[0].isalnum()] for words in (old, new))
    if plain_old == plain_new:
        same_case = [w for w in old if w[0].isalnum()] == [w for w in new if w[0].isalnum()]
        return "only signs differ" if same_case or block.a == 0 else None
    moved, gone, come = _moved(own, theirs, block), set(plain_old) - set(plain_new), set(plain_new) - set(plain_old)
    if sorted(plain_old) == sorted(plain_new) or (moved["lost"], moved["twice"]) == (len(gone), len(come)):
        return "only the order of words differs"
    return None


def _by_itself(candidate: RepairCandidate, whole: bool, open_sides: int) -> dict[str, float]:
    """What can be said of a difference by itself; of a repair, how much of it there is to go wrong."""
    old, new = candidate.old, candidate.new
    one, other = ({word.lower() for word in words} for words in (old, new))
    repair = 0.0 if whole else 1.0
    return {
        "whole": 1 - repair,
        "open_sides": float(open_sides),
        "repair_open": repair * open_sides,
        "inserts": float(not old),
        "removes": float(not other - one),
        "longer": max(-3.0, min(3.0, float(len(new) - len(old)))),
        "size": math.log2(max(len(old), len(new))),
        "signs": float(any(not word[0].isalnum() for word in (*old, *new))),
        "kept_words": len(one & other) / max(len(one | other), 1),
    }


def _moved(own: TokenisedText, theirs: TokenisedText, block: DiffBlock) -> dict[str, float]:
    """Words that the output would have twice, or lose, because the other has them at another place."""
    old, new = own.words[block.a : block.b], theirs.words[block.c : block.d]
    rest = {word.lower() for word in (*own.words[: block.a], *own.words[block.b :])}
    others = {word.lower() for word in (*theirs.words[: block.c], *theirs.words[block.d :])}
    gone, come = (
        {w.lower() for w in a if w[0].isalnum()} - {w.lower() for w in b} for a, b in ((old, new), (new, old))
    )
    return {"twice": float(len((come & rest) - others)), "lost": float(len((gone & others) - rest))}


def _open_sides(own: TokenisedText, between: list[DiffBlock], block: DiffBlock) -> int:
    """On how many sides the two texts differ again before the clause ends."""
    return sum(
        any(_differs(between, i) for i in side)
        for side in (_up_to_sign(own, range(block.a - 1, -1, -1)), _up_to_sign(own, range(block.b, len(own.words))))
    )


def _up_to_sign(own: TokenisedText, places: range) -> list[int]:
    return list(takewhile(lambda i: own.words[i] not in _SIGNS, places))


def _differs(between: list[DiffBlock], i: int) -> bool:
    return any(b.a <= i < b.b or b.a == b.b == i for b in between)
