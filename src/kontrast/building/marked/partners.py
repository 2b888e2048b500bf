"""The nearest text without the error: other outputs of the segment, unmarked where they differ from this one.

The difference at the mark is put into the output, bounded by words that both texts share; where the two differ
nowhere else, that is the other output itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

import msgspec

from kontrast.building.marked.difference import DiffBlock, TokenisedText, blocks, tokens
from kontrast.building.marked.kinds import is_mixed_address
from kontrast.building.marked.ratings import MarkedError, RatedOutput, RatedSegment, errors_of

LONGEST = 12
"""Words of a difference: beyond, two texts rather say it in different ways."""
BEYOND = 10
"""Words beside the mark that may change with it: an article, a verb, the rest of the clause."""
BRIDGE = 2
"""Equal words over which a neighbouring difference may be taken in, as an article is with its noun; and words that
may change with a wrong form."""
COVERED = 0.5
"""Share of the marked words that a difference must have."""
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
    features: dict[str, float] = {}
    confidence: float = 0.0

    @property
    def is_whole(self) -> bool:
        """Is it what the partner wrote?"""
        return self.partner.text == self.text


class SideBySide:
    """The outputs of one segment side by side; ``language`` is theirs."""

    def __init__(self, segment: RatedSegment, language: str = "") -> None:
        self.segment, self.language = segment, language
        self.outputs = [output for output in segment.outputs.values() if output.text.strip()]
        self._blocks: dict[tuple[str, str], list[DiffBlock]] = {}

    def errors(self) -> Iterator[MarkedError]:
        """What is marked in the outputs."""
        return (error for output in self.outputs for error in errors_of(output))

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
    def unmarked(self) -> dict[str, float]:
        """Of each word, the share of the outputs that have it and are not marked at it."""
        have: Counter[str] = Counter()
        for output in self.outputs:
            cut = [word.lower() for word in tokens(output.text).words]
            spans = [(start, end) for start, end, _ in self.marked[output.system] if end - start <= LONGEST]
            have.update(set(cut) - {cut[i] for start, end in spans for i in range(start, end)})
        return {word: count / len(self.outputs) for word, count in have.items()}

    def blocks(self, one: RatedOutput, other: RatedOutput) -> list[DiffBlock]:
        key = one.text, other.text
        if key not in self._blocks:
            self._blocks[key] = blocks(tokens(one.text).compared, tokens(other.text).compared)
        return self._blocks[key]

    def place(self, one: RatedOutput, block: DiffBlock, other: RatedOutput) -> DiffBlock:
        """What stands in another output where a block of ``one`` does; both sides widened to where they differ."""
        between = self.blocks(one, other) if one is not other else []
        shift = sum((b.d - b.c) - (b.b - b.a) for b in between if b.b < block.a)
        touching = [b for b in between if b.a <= block.b and block.a <= b.b]
        if not touching:
            return DiffBlock(block.a, block.b, block.a + shift, block.b + shift)
        low, high = min(touching[0].a, block.a), max(touching[-1].b, block.b)
        start, end = touching[0].c - (touching[0].a - low), touching[-1].d + (high - touching[-1].b)
        return DiffBlock(low, high, start, end)

    def candidates(self, error: MarkedError) -> tuple[list[RepairCandidate], Counter[str]]:
        """The candidates of an error by what they say, and why other outputs gave none."""
        output, mark = error.output, error.mark
        own = tokens(output.text)
        first, behind = own.covering(mark.start or 0, mark.end or 0)
        found: dict[str, RepairCandidate] = {}
        why: Counter[str] = Counter()
        beyond = BRIDGE if "grammar" in mark.category.lower() else BEYOND
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
            for block in _regions(own, between, touching):
                size = max(block.b - block.a, block.d - block.c)
                inside = max(0, min(block.b, behind) - max(block.a, first))
                if size > LONGEST + behind - first or block.b - block.a - inside > beyond:
                    why["the difference is too wide"] += 1
                    continue
                if self.marking(other, block.c, block.d):
                    why["marked at the place"] += 1
                    continue
                covered = 1.0 if error.is_placeless else inside / max(behind - first, 1)
                reason = _unfit(own, theirs, between, block, mark.category.lower())
                if reason or covered < COVERED:
                    why[reason or "only a small part of the mark differs"] += 1
                    continue
                text = _put(own, theirs, block)
                if is_mixed_address([text], self.language) and not is_mixed_address([own.text], self.language):
                    why["the text would mix two forms of address"] += 1
                    continue
                known = found.get(text)
                if known is None:
                    old, new = own.words[block.a : block.b], theirs.words[block.c : block.d]
                    known = found[text] = RepairCandidate(text, block, old, new, other, [])
                known.supporters.append(other)
                if other.text == text:
                    known.partner = other
        return list(found.values()), why

    def marking(self, output: RatedOutput, first: int, behind: int) -> set[str]:
        """Who marked something at these tokens of an output, or a place without a word that touches them.

        Where there are none, at one beside the place.
        """
        if first == behind:
            first, behind = first - 1, behind + 1
        spans = ((start - (start == end), end + (start == end), r) for start, end, r in self.marked[output.system])
        return {rater for start, end, rater in spans if start < behind and first < end}


def _touches(block: DiffBlock, first: int, behind: int) -> bool:
    if block.a == block.b:
        return first <= block.a <= behind
    return block.a < behind and first < block.b


def _regions(own: TokenisedText, between: list[DiffBlock], touching: list[int]) -> Iterator[DiffBlock]:
    """Each touching block; all of them; with a neighbour that stands near, on either side and both; and with all
    others up to where a clause ends.
    """
    low, high = touching[0], touching[-1]
    lows, highs = [low], [high]
    if low > 0 and between[low].a - between[low - 1].b <= BRIDGE:
        lows.append(low - 1)
    if high + 1 < len(between) and between[high + 1].a - between[high].b <= BRIDGE:
        highs.append(high + 1)
    while low > 0 and _SIGNS.isdisjoint(own.words[between[low - 1].b : between[low].a]):
        low -= 1
    while high + 1 < len(between) and _SIGNS.isdisjoint(own.words[between[high].b : between[high + 1].a]):
        high += 1
    ranges = {(i, i) for i in touching} | {(i, j) for i in lows for j in highs} | {(low, high)}
    for i, j in sorted(ranges):
        yield DiffBlock(between[i].a, between[j].b, between[i].c, between[j].d)


def _put(own: TokenisedText, theirs: TokenisedText, block: DiffBlock) -> str:
    """The output with the words of the other in the block, and the blanks around them as there."""
    start, end = own.between(block.a, block.b)
    other_start, other_end = theirs.between(block.c, block.d)
    return own.text[:start] + theirs.text[other_start:other_end] + own.text[end:]


def _unfit(
    own: TokenisedText, theirs: TokenisedText, between: list[DiffBlock], block: DiffBlock, category: str
) -> str | None:
    """Why a difference does not repair what was marked, or would break the rest."""
    old, new = own.words[block.a : block.b], theirs.words[block.c : block.d]
    plain_old, plain_new = ([w.lower() for w in words if w[0].isalnum()] for words in (old, new))
    if plain_old == plain_new:
        same_case = [w for w in old if w[0].isalnum()] == [w for w in new if w[0].isalnum()]
        return "only signs differ" if same_case or block.a == 0 else None
    if not plain_new and "addition" not in category and len(between) > 1:
        return "words are only left out"
    if sorted(plain_old) == sorted(plain_new):
        return "only the order of words differs"
    if _signs(own.compared[block.a : block.b]) != _signs(theirs.compared[block.c : block.d]):
        return "other signs"
    if len(between) > 1 and _moves_a_word(own, theirs, block):
        return "a word would be missing or repeated"
    if len(between) > 1 and _is_open(own, between, block):
        return "the texts differ again in the clause"
    return None


def _signs(words: Sequence[str]) -> list[str]:
    """What ends a clause or stands in pairs; a comma may come or go."""
    return [word for word in words if word in _SIGNS and word != ","]


def _moves_a_word(own: TokenisedText, theirs: TokenisedText, block: DiffBlock) -> bool:
    """Would the output have a word twice, or lose one, because the other has it at another place?"""
    rest, others = (
        {word.lower() for word in (*words[:first], *words[behind:])}
        for words, first, behind in ((own.words, block.a, block.b), (theirs.words, block.c, block.d))
    )
    old = {word.lower() for word in own.words[block.a : block.b] if word[0].isalnum()}
    new = {word.lower() for word in theirs.words[block.c : block.d] if word[0].isalnum()}
    return bool(((new - old) & rest) - others or ((old - new) & others) - rest)


def _is_open(own: TokenisedText, between: list[DiffBlock], block: DiffBlock) -> bool:
    """Do the two texts differ again before the clause ends?"""
    first, behind = block.a, block.b
    while first and own.words[first - 1] not in _SIGNS:
        first -= 1
    while behind < len(own.words) and own.words[behind] not in _SIGNS:
        behind += 1
    return any(b.b >= first and b.a <= behind and not block.a <= b.a <= b.b <= block.b for b in between)
