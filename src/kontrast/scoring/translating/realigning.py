"""A translated window cut into the translations of its sentences.

Where the answer has as many separators as the window, they decide. Otherwise the answer is cut into sentences, and
these are aligned with the sources by length: the cost of a pair is that of Gale and Church (1993), a sentence may
stand for none, one or two of the other side, and separators that were kept are never inside a piece.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import msgspec

_END = re.compile(r"(?<=[.!?…。！？])(?P<close>[\"'”’»«“)\]]*)(?:\s+|(?<=[。！？]))(?=\S)")
_NEVER = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Nr|bzw|usw|z\.\s?B|d\.\s?h|ca|M|Mme|etc|vs|p|S)|\b[A-ZÄÖÜ]|\b\d+)\.$"
)
VARIANCE = 6.8
"""Of the difference of lengths, per letter."""
PRIORS = {(1, 1): 0.89, (1, 0): 0.005, (0, 1): 0.005, (2, 1): 0.045, (1, 2): 0.045, (2, 2): 0.01}
"""How often a pair of so many sources and so many pieces is met."""

Bead = tuple[tuple[int, ...], str]


class Realigned(msgspec.Struct, frozen=True):
    """Pairs of source numbers and text, in order; ``how`` is "separator", "length" or "whole" (one sentence)."""

    beads: tuple[Bead, ...]
    how: str

    def text_of(self, number: int, *, whole: bool = False) -> str:
        """The translation of a sentence. Where two were rendered as one, the first has it, or each (``whole``)."""
        for numbers, text in self.beads:
            if number in numbers:
                return text if whole or number == numbers[0] else ""
        return ""

    @property
    def merged(self) -> int:
        """Sentences that share their translation with the one before."""
        return sum(max(0, len(numbers) - 1) for numbers, _ in self.beads)

    @property
    def empty(self) -> int:
        return sum(len(numbers) for numbers, text in self.beads if not text.strip())


def realign(sources: Sequence[str], text: str, mark: str = "") -> Realigned:
    """Cut the translation of several sentences apart.

    >>> realign(["It rains.", "We stay."], "Es regnet. <SEP> Wir bleiben.", "<SEP>").beads
    (((0,), 'Es regnet.'), ((1,), 'Wir bleiben.'))
    >>> realign(["It rains.", "We stay at home today."], "Es regnet. Wir bleiben heute zu Hause.").how
    'length'
    """
    if len(sources) < 2:
        return Realigned((((0,), text.replace(mark, " ") if mark else text),), "whole")
    parts = [part.strip() for part in text.split(mark)] if mark else [text]
    if len(parts) == len(sources):
        return Realigned(tuple(((n,), part) for n, part in enumerate(parts)), "separator")
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) == len(sources) and not (mark and mark in text):
        return Realigned(tuple(((n,), line.strip()) for n, line in enumerate(lines)), "lines")
    pieces = [piece for part in parts for piece in _pieces(part)]
    return Realigned(tuple(_aligned([len(source) for source in sources], pieces)), "length")


def _pieces(text: str) -> list[str]:
    """Sentences, cut after their marks of end."""
    found, start = [], 0
    for cut in _END.finditer(text):
        head = text[start : cut.start()]
        if not cut["close"] and _NEVER.search(head):
            continue
        found.append(text[start : cut.end("close")].strip())
        start = cut.end()
    return [piece for piece in (*found, text[start:].strip()) if piece]


def _aligned(lengths: Sequence[int], pieces: Sequence[str]) -> list[Bead]:
    """The cheapest pairs, by dynamic programming over numbers of sources and pieces."""
    rows, columns = len(lengths), len(pieces)
    sizes = [len(piece) for piece in pieces]
    ratio = max(sum(sizes), 1) / max(sum(lengths), 1)
    best: dict[tuple[int, int], tuple[float, tuple[int, int]]] = {(0, 0): (0.0, (0, 0))}
    for i in range(rows + 1):
        for j in range(columns + 1):
            for (a, b), prior in PRIORS.items():
                before = best.get((i - a, j - b))
                if before is None:
                    continue
                cost = before[0] + _cost(sum(lengths[i - a : i]) * ratio, sum(sizes[j - b : j])) - math.log(prior)
                if (i, j) not in best or cost < best[i, j][0]:
                    best[i, j] = cost, (a, b)
    beads: list[Bead] = []
    i, j = rows, columns
    while i or j:
        a, b = best[i, j][1]
        beads.append((tuple(range(i - a, i)), " ".join(pieces[j - b : j])))
        i, j = i - a, j - b
    return _attached(beads[::-1])


def _attached(beads: list[Bead]) -> list[Bead]:
    """Text without a source joins the sentence before it (or after it), so that no word is lost."""
    found: list[Bead] = []
    waiting = ""
    for numbers, text in beads:
        if numbers:
            found.append((numbers, f"{waiting} {text}".strip()))
            waiting = ""
        elif found:
            found[-1] = found[-1][0], f"{found[-1][1]} {text}".strip()
        else:
            waiting = f"{waiting} {text}".strip()
    return found


def _cost(expected: float, found: float) -> float:
    """Minus the logarithm of the chance of a difference at least as large."""
    if expected == 0 and found == 0:
        return 0.0
    deviation = abs(found - expected) / math.sqrt(VARIANCE * max((expected + found) / 2, 1.0))
    return -math.log(max(math.erfc(deviation / math.sqrt(2)), 1e-300))
