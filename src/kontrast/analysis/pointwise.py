"""P-CXMI: how many bits a context adds to each token of a row, whatever the tokeniser did.

The bits of a token are log2 of its probability with context over that without. Where the two runs cut the text
differently, tokens are joined to the smallest pieces on which both agree. A language token is forced, not predicted:
it is left out.
"""

import math
import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from kontrast.judging.normalise import differing
from kontrast.suites.model import Suite, TokenScores

Kind = Literal["deciding", "other", "end"]
KINDS: tuple[Kind, ...] = ("deciding", "other", "end")

_END = frozenset(("</s>", "<eos>", "<end_of_turn>", "<|endoftext|>", "<|im_end|>", "<|eot_id|>", "<|end_of_text|>"))
_FORCED = re.compile(
    r">>\S+<<|__[a-z_]{2,12}__|[a-z]{3}_[A-Z][a-z]{3}|[a-z]{2}_[A-Z]{2}|<2\w+>|<s>|<pad>|\[[A-Z]{2}\]"
)


class Unequal(msgspec.Struct):
    """What was unequal: rows cut differently, tokens left out as forced, rows whose texts are not the same."""

    resegmented: int = 0
    forced: dict[str, int] = {}
    incomparable: list[int] = []


class Pointwise(msgspec.Struct, frozen=True):
    """One row: its pieces, the bits of context for each, and what kind of piece it is."""

    pieces: tuple[str, ...]
    bits: tuple[float, ...]
    kinds: tuple[Kind, ...]

    def total(self, kind: Kind | None = None) -> tuple[float, int]:
        """Sum of the bits and number of pieces, of one kind or of all."""
        chosen = [b for b, k in zip(self.bits, self.kinds, strict=True) if kind is None or k == kind]
        return math.fsum(chosen), len(chosen)


def pointwise(
    suite: Suite, without: Sequence[TokenScores], given: Sequence[TokenScores]
) -> tuple[list[Pointwise | None], Unequal]:
    """P-CXMI of every row; None for rows whose two texts are not the same."""
    unequal = Unequal()
    forced = _always_first(suite, without) | _always_first(suite, given)
    rows: list[Pointwise | None] = []
    for item in suite.items:
        start, size = len(rows), len(item.variants)
        pairs = [
            (_kept(without[r], forced, unequal), _kept(given[r], forced, unequal)) for r in range(start, start + size)
        ]
        ends = differing([tuple(t for t, _ in first) for first, _ in pairs]) if size > 1 else (0, 0)
        for number, (first, second) in enumerate(pairs, start=start):
            deciding = (ends[0], len(first) - ends[1]) if size > 1 else (0, 0)
            rows.append(_row(first, second, deciding, number, unequal))
    return rows, unequal


Tokens = list[tuple[str, float]]


def _always_first(suite: Suite, rows: Sequence[TokenScores]) -> set[str]:
    """The token with which all rows begin although their texts do not: put there by the engine, not predicted."""
    first = {row.tokens[0] for row in rows if row.tokens}
    starts = [row.variant.text.replace(" ", "").casefold() for row in suite.rows()]
    if len(first) != 1 or len(set(starts)) < 2:
        return set()
    letters = _letters(next(iter(first))).casefold()
    return first if letters and not any(text.startswith(letters) for text in starts) else set()


def _kept(row: TokenScores, forced: set[str], unequal: Unequal) -> Tokens:
    """Tokens without those that were forced at the beginning."""
    tokens = list(zip(row.tokens, row.logprobs, strict=True))
    while len(tokens) > 1 and (tokens[0][0] in forced or _FORCED.fullmatch(tokens[0][0].strip("\u2581\u0120 "))):
        name = tokens.pop(0)[0]
        unequal.forced[name] = unequal.forced.get(name, 0) + 1
    return tokens


def _row(first: Tokens, second: Tokens, deciding: tuple[int, int], row: int, unequal: Unequal) -> Pointwise | None:
    ended = [bool(side) and side[-1][0].strip() in _END for side in (first, second)]
    if ended[0] != ended[1]:
        unequal.incomparable.append(row)
        return None
    bodies = [side[:-1] if end else side for side, end in zip((first, second), ended, strict=True)]
    low, high = deciding
    if [t for t, _ in bodies[0]] == [t for t, _ in bodies[1]]:
        pieces = [(t, b - a, low <= i < high) for i, ((t, a), (_, b)) in enumerate(zip(*bodies, strict=True))]
    else:
        joined = _joined(bodies[0], bodies[1], low, high)
        if joined is None:
            unequal.incomparable.append(row)
            return None
        unequal.resegmented += 1
        pieces = joined
    kinds: list[Kind] = ["deciding" if decides else "other" for _, _, decides in pieces]
    texts, bits = [t for t, _, _ in pieces], [change / math.log(2) for _, change, _ in pieces]
    if ended[0]:
        # Where a variant merely ends earlier, its end is what decides.
        kinds.append("deciding" if low <= len(bodies[0]) < high else "end")
        texts.append(first[-1][0])
        bits.append((second[-1][1] - first[-1][1]) / math.log(2))
    return Pointwise(tuple(texts), tuple(bits), tuple(kinds))


def _joined(first: Tokens, second: Tokens, low: int, high: int) -> list[tuple[str, float, bool]] | None:
    """Pieces that end where a token ends on both sides; None where the texts differ."""
    sides = [[_letters(t) for t, _ in side] for side in (first, second)]
    if "".join(sides[0]) != "".join(sides[1]):
        return None
    pieces: list[tuple[str, float, bool]] = []
    i = j = 0
    while i < len(first) or j < len(second):
        start, a, b = i, i, j
        here = there = 0
        while True:
            if here <= there and a < len(first):
                here += len(sides[0][a])
                a += 1
            elif b < len(second):
                there += len(sides[1][b])
                b += 1
            else:
                here += len(sides[0][a])
                a += 1
            if here == there and ((a > i and b > j) or (a == len(first) and b == len(second))):
                break
        change = math.fsum(p for _, p in second[j:b]) - math.fsum(p for _, p in first[i:a])
        pieces.append(("".join(t for t, _ in first[i:a]), change, start < high and a > low))
        i, j = a, b
    return pieces


def _letters(token: str) -> str:
    """A token without the marks of word beginnings, to compare the texts of two tokenisations."""
    return re.sub(r"[\u2581\u0120\s]|^##|@@$", "", token)
