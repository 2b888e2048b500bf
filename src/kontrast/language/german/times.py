"""German accusatives of time: *ein Jahr später*, *jeden Tag*, *diese Woche*; nouns that are no subject."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kontrast.language.german.plain import PlainWord
from kontrast.language.lexicons.german_words import CLOSED, PREPOSITION_CASES

__all__ = ["time_words"]

_NOUN = re.compile(
    r"(jahr(zehnt|hundert|tausend)?|monat|tag|abend)e?|(woche|stunde|minute|sekunde|weile)n?|(vor|nach)?mittage?"
    r"|morgen|nacht|nächte|wochenenden?|sommer|winter|herbst|frühling|frühjahr|(halb|viertel)jahre?|male?"
    r"|(augenblick|moment)e?|(mon|diens|donners|frei|sams|sonn)tag(abend|morgen|nacht|(nach|vor)?mittag)?"
    r"|mittwoch(abend|morgen|nacht|(nach|vor)?mittag)?|sonnabend"
)
_LATER = frozenset("später früher zuvor danach darauf davor vorher nachher lang hindurch".split())
"""Behind these a noun of time is surely no subject."""
_WHEN = re.compile(
    r"(jed|dies|jen)(e|en|es)|(all|beid)e|(nächst|letzt|vergangen|kommend|vorig|folgend|ganz|erst|halb)(e|en|es)"
)
"""Which one: words before a noun of time that tell when."""
_ACCUSATIVE = frozenset(("den", "einen"))
_DAYS = frozenset("heute gestern morgen vorgestern übermorgen".split())
_ONE = frozenset(("ein", "eine", "einen"))
_LONGEST = 4


def time_words(words: Sequence[PlainWord], start: int, end: int) -> frozenset[int]:
    """The places from ``start`` to ``end`` of nouns that say when or how long, with the words that belong to them.

    >>> from kontrast.language.german.plain import split
    >>> [sorted(time_words(split(text), 0, 3)) for text in ("Ein Jahr später fiel es", "Ein Jahr hat es verändert")]
    [[0, 1, 2], []]
    """
    found: set[int] = set()
    for j in range(start, end + 1):
        if words[j].text[0].isupper() and _NOUN.fullmatch(words[j].low):
            found.update(_phrase(words, start, end, j))
    return frozenset(found)


def _phrase(words: Sequence[PlainWord], start: int, end: int, noun: int) -> range:
    """The words of one phrase; none where it may be a subject, or has a preposition."""
    first = noun
    while first > max(start, noun - _LONGEST) and _belongs(words[first - 1]):
        first -= 1
    if first > start and words[first - 1].low in PREPOSITION_CASES and words[first - 1].low not in ("als", "wie"):
        return range(0)
    before = [w.low for w in words[first:noun]]
    if noun < end and words[noun + 1].low in _LATER:
        return range(first, noun + 2)
    if noun < end and words[noun + 1].low in ("nach", "vor"):
        return range(first, noun + 1)  # ein Jahr nach der Wende
    told = any(low in _ACCUSATIVE or _WHEN.fullmatch(low) for low in before)
    told = told and ("das" not in before or words[noun].low == "mal")  # das letzte Jahr may be a subject
    day = first > start and words[first - 1].low in _DAYS
    several = bool(before) and any(_is_number(low) for low in before)
    # Zwei Monate blieb es zu: no subject of a verb in the singular, and with one in the plural es is none.
    return range(first, noun + 1) if told or day or several else range(0)


def _belongs(word: PlainWord) -> bool:
    """A determiner, a number, or what tells which one."""
    low = word.low
    return low in _ONE | _ACCUSATIVE | {"der", "die", "das"} or bool(_WHEN.fullmatch(low)) or _is_number(low)


def _is_number(low: str) -> bool:
    several = low in ("paar", "einige", "mehrere", "viele", "wenige")
    return low not in _ONE and (low.isdigit() or several or "CARD" in CLOSED.get(low, frozenset()))
