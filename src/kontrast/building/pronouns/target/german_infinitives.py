"""Infinitives that a German clause ends with, or that stand behind it: their *es* and *sie* are no subject."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from kontrast.language.german.plain import PlainWord, clause, is_adjective, lemmas, may_be_verb, persons, subordinates
from kontrast.language.lexicons.german import readings
from kontrast.language.lexicons.german_words import AUXILIARIES, CLOSED, JOINING, MODALS

__all__ = ["has_to", "is_bare_infinitive", "is_before_joined_verb", "is_joined_infinitive", "is_to_infinitive"]


_QUOTES = frozenset("\"„“”»«'‚‘")


def is_bare_infinitive(words: Sequence[PlainWord], start: int, end: int, i: int) -> bool:
    """*und es als Beute zu beanspruchen*: an infinitive with *zu* behind what looks like another clause."""
    if words[start].low not in JOINING or i != start + 1 or end + 1 >= len(words):
        return False
    if words[end].low == "zu" and words[end + 1].low in _QUOTES:
        return True  # und es in neue Formen zu "programmieren"
    if end != i:
        return False
    rest = []
    for word in words[i + 1 :]:
        if not word.low[0].isalnum() or word.low in JOINING:
            break
        rest.append(word.low)
    return len(rest) > 2 and rest[0] in ("als", "wie") and rest[-2] == "zu" and rest[-1].endswith("n")


def is_to_infinitive(words: Sequence[PlainWord], i: int) -> bool:
    """*versucht, es auf die eine oder andere Weise zu ändern*: no verb but the infinitive up to the next sign."""
    if i < 2 or words[i - 1].low != ",":
        return False
    rest = []
    for word in words[i + 1 :]:
        if not word.low[0].isalnum():
            break
        rest.append(word.low)
    joined = any(low in ("und", "oder") for low in rest)
    if len(rest) < 3 or not joined or rest[-2] != "zu" or not rest[-1].endswith("n"):
        return False
    small = (w.low for w in words[i + 1 : i + len(rest) - 1] if w.text[0].islower() and w.low not in CLOSED)
    return not any("3s" in persons(low) and not is_adjective(low) for low in small)


def is_before_joined_verb(words: Sequence[PlainWord], start: int, end: int, i: int) -> bool:
    """*dass es Schaden anrichten und Gewebe zerreißen kann*: the finite verb stands behind the second infinitive."""
    if not subordinates(words, start) or i != start + 1 or end + 2 >= len(words):
        return False
    if words[end + 1].low not in ("und", "oder") or not any("i" in r.codes for r in readings(words[end].low)):
        return False
    _, last = clause(words, end + 2)
    return "3s" in persons(words[last].low) and bool(lemmas(words[last].low) & (MODALS | AUXILIARIES))


def is_joined_infinitive(words: Sequence[PlainWord], i: int) -> bool:
    """*soll die Datei lesen, sie aber nicht löschen*: an infinitive behind the modal of the clause before."""
    start, end = clause(words, i)
    if i != start or i == end or i < 2 or words[i - 1].low != ",":
        return False
    if any("3s" in persons(words[j].low) for j in range(i + 1, end + 1) if may_be_verb(words, j)):
        return False
    first, _ = clause(words, i - 2)
    infinitive = any(r.pos == "V" and "i" in r.codes for r in readings(words[end].low))
    return infinitive and any(lemmas(w.low) & MODALS for w in words[first:i])


def has_to(words: Sequence[PlainWord], i: int, end: int) -> bool:
    """*zu empfangen*, *mitzubringen* between these words."""
    lows = [w.low for w in words[i : end + 1]]
    apart = any(a == "zu" and b.endswith("n") for a, b in pairwise(lows))
    return apart or any(re.fullmatch(r"\w{2,}zu\w{2,}e?[lr]?n", low) for low in lows)
