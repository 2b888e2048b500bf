"""Do the lines of two texts belong together? Names, numbers, cognates, question marks and lengths tell, in any pair.

A text whose lines have moved (one line lost in a file of its language) looks right to everything that counts lines
only. Each line is compared with the one beside it and with those some lines further; a run of lines in which the
others fit better by a good deal is a shift. Where own lines fit no better than strange ones, the text is another one.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterable, Sequence

from kontrast.building.corpus import Document
from kontrast.errors import KontrastError

_WORD = re.compile(r"\d+|[^\W\d_]{4,}")
_LETTERS = 5
"""Cognates share their first letters."""
_SHARED = 1.5
_MOST_SHARED = 2
_ASKED = 1.0
_LENGTH = 1.5
_SHIFTS = (1, -1, 2, -2, 3, -3)
_GAIN = 12.0
"""A run of lines is shifted where the other lines fit better by this in all."""
_LINES = 6
_ENOUGH = 25
"""Fewer lines do not tell whether a text is of another one."""
_STRANGE = 1.5
"""Own lines must fit better than strange ones by so many standard errors."""


class _Line:
    """What is compared of a line."""

    __slots__ = ("asks", "length", "words")

    def __init__(self, text: str) -> None:
        self.words = frozenset(word.lower()[:_LETTERS] for word in _WORD.findall(text))
        self.asks = "?" in text[-4:]
        self.length = math.log(len(text) + 10)


def refuse_misaligned(documents: Iterable[Document]) -> None:
    """An error that names the first misaligned document; documents too short to tell alone are looked at together."""
    wrong: list[tuple[str, str]] = []
    short: list[Document] = []
    for document in documents:
        if why := why_misaligned(document):
            wrong.append((document.name, why))
        elif len(document.source) < _ENOUGH:
            short.append(document)
    if wrong:
        name, why = wrong[0]
        more = f" (and {len(wrong) - 1} more documents are misaligned)" if len(wrong) > 1 else ""
        raise KontrastError(f"document {name}: {why}{more}; correct it, or add it to --leave-out")
    joined = Document(
        "", tuple(line for d in short for line in d.source), tuple(line for d in short for line in d.target)
    )
    if why := why_misaligned(joined):
        count = sum(1 for line in joined.source if line)
        raise KontrastError(f"{len(short)} short documents, checked together ({count} lines): {why}")


def why_misaligned(document: Document) -> str | None:
    """What is wrong with the pairs of a document, None where nothing is found.

    >>> ours = ("Anna lives in Bonn.", "She was born in 1980.", "Does Karl know Anna?", "They met at Tempelhof.") * 3
    >>> theirs = ("Anna wohnt in Bonn.", "Sie ist 1980 geboren.", "Kennt Karl Anna?", "Sie trafen sich in Bonn.") * 3
    >>> why_misaligned(Document("a", ours, theirs))
    >>> why_misaligned(Document("a", ours, ("Ein Titel.", *theirs[:-1])))
    'from line 1 on its lines match those 1 line later'
    """
    kept = [i for i, pair in enumerate(zip(document.source, document.target, strict=True)) if all(pair)]
    source = [_Line(document.source[i]) for i in kept]
    target = [_Line(document.target[i]) for i in kept]
    if len(kept) < _LINES:
        return None
    usual = sum(b.length - a.length for a, b in zip(source, target, strict=True)) / len(kept)
    own = [_fit(a, b, usual) for a, b in zip(source, target, strict=True)]
    for shift in _SHIFTS:
        gains = [
            _fit(a, target[i + shift], usual) - own[i] for i, a in enumerate(source) if 0 <= i + shift < len(target)
        ]
        gain, first, length = _best_run(gains)
        if gain > _GAIN and length >= _LINES:
            where = kept[first + max(-shift, 0)] + 1
            lines = f"{abs(shift)} line{'s' if abs(shift) > 1 else ''} {'later' if shift > 0 else 'earlier'}"
            return f"from line {where} on its lines match those {lines}"
    if len(kept) >= _ENOUGH and _is_strange(source, target, own, usual):
        return "its lines do not fit better than lines of another text"
    return None


def _fit(a: _Line, b: _Line, usual: float) -> float:
    shared = min(len(a.words & b.words), _MOST_SHARED)
    asked = (a.asks and b.asks) - (a.asks != b.asks)
    return _SHARED * shared + _ASKED * asked - _LENGTH * abs(b.length - a.length - usual)


def _best_run(gains: Sequence[float]) -> tuple[float, int, int]:
    """The largest sum of neighbouring numbers, where they begin, and how many they are."""
    best, start, length = 0.0, 0, 0
    total, first = 0.0, 0
    for i, gain in enumerate(gains):
        if total <= 0:
            total, first = 0.0, i
        total += gain
        if total > best:
            best, start, length = total, first, i + 1 - first
    return best, start, length


def _is_strange(source: Sequence[_Line], target: Sequence[_Line], own: Sequence[float], usual: float) -> bool:
    """Do own lines fit no better than those drawn from elsewhere in the text?"""
    others = random.Random(0).sample(range(len(target)), len(target))
    differences = [own[i] - _fit(a, target[others[i]], usual) for i, a in enumerate(source) if others[i] != i]
    mean = sum(differences) / len(differences)
    spread = math.sqrt(sum((d - mean) ** 2 for d in differences) / len(differences))
    return mean < _STRANGE * spread / math.sqrt(len(differences))
