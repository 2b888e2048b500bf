"""German text without annotation: its words, the clause around a word, and the verbs in it.

Pronouns are found in subtitles and fragments as well as in sentences, so the words and the lexicon decide, no parse.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from kontrast.language.lexicons.german import adjective_lemma, readings
from kontrast.language.lexicons.german_words import CLOSED, DEFINITE, JOINING, SUBORDINATORS
from kontrast.language.words import word_set

SUBJECTS = word_set("de", "plain_subjects")
"""Pronouns that can only be subjects."""
BEING = word_set("de", "plain_being")
"""With these there is no accusative."""
OPENERS = JOINING | SUBORDINATORS - {"da"}
_BREAKS = frozenset(',;:.!?–—…-"„“”»«()')
_QUOTES = "\"„“”»«-–—…'‚‘"
_WORD = re.compile(r"\w+|[^\w\s]")


class PlainWord(msgspec.Struct, frozen=True, gc=False):
    """A word or a sign, where it stands and in small letters."""

    text: str
    low: str
    start: int
    end: int


def split(text: str) -> list[PlainWord]:
    """The words and signs of a text.

    >>> [word.low for word in split("Er kommt, sagt sie.")]
    ['er', 'kommt', ',', 'sagt', 'sie', '.']
    """
    return [PlainWord(m.group(), m.group().lower(), m.start(), m.end()) for m in _WORD.finditer(text)]


def opens(words: Sequence[PlainWord], i: int) -> bool:
    """Does the word stand at a sentence's beginning, but for quotes and dashes?"""
    before = [w.low for w in words[:i]]
    while before and before[-1] in _QUOTES:
        before.pop()
    return not before or before[-1] in ".!?:"


def polite(words: Sequence[PlainWord], i: int) -> bool:
    """*Sie*, *Ihr*, *Ihnen* with a capital that the sentence does not explain."""
    return words[i].text[0].isupper() and words[i].low in ("sie", "ihr", "ihnen") and not opens(words, i)


def in_capitals(words: Sequence[PlainWord], i: int) -> bool:
    """Is the sentence around a word written in capitals, which hide the nouns and the polite *Sie*?

    >>> in_capitals(split("SIE IST ALT. Das ist ES."), 0), in_capitals(split("SIE IST ALT. Das ist ES."), 6)
    (True, False)
    """
    first, last = i, i
    while first > 0 and words[first - 1].low not in ".!?":
        first -= 1
    while last + 1 < len(words) and words[last + 1].low not in ".!?":
        last += 1
    spelt = [w.text for w in words[first : last + 1] if w.text.isalpha()]
    return len(spelt) > 1 and all(map(str.isupper, spelt))


def clause(words: Sequence[PlainWord], i: int) -> tuple[int, int]:
    """The first and last word of the clause around a word: between signs, conjunctions and subordinators."""
    start, end = i, i
    while start > 0 and not _is_break(words, start - 1):
        start -= 1
        if words[start].low in OPENERS:
            break
    while end + 1 < len(words) and not _is_break(words, end + 1) and words[end + 1].low not in OPENERS:
        end += 1
    return start, end


def _is_break(words: Sequence[PlainWord], k: int) -> bool:
    """A sign between clauses; not the one in *DNS-Server* or *5,2*."""
    if words[k].low not in _BREAKS:
        return False
    if not 0 < k < len(words) - 1 or words[k - 1].end < words[k].start or words[k].end < words[k + 1].start:
        return True
    beside = words[k - 1].low[-1], words[k + 1].low[0]
    return not all(map(str.isalnum if words[k].low == "-" else str.isdigit, beside))


@lru_cache(maxsize=20_000)
def persons(low: str) -> frozenset[str]:
    """Persons and numbers of which this word may be a finite verb.

    >>> sorted(persons("kommt"))
    ['2p', '3s']
    """
    if low in CLOSED and not any(tag.startswith("V") for tag in CLOSED[low]):
        return frozenset()
    return frozenset(c[1:] for r in readings(low) if r.pos == "V" for c in r.codes if len(c) == 3)


@lru_cache(maxsize=20_000)
def lemmas(low: str) -> frozenset[str]:
    """The verbs of which this word may be a form."""
    if low in CLOSED and not any(tag.startswith("V") for tag in CLOSED[low]):
        return frozenset()
    return frozenset(r.lemma for r in readings(low) if r.pos == "V" and not r.rare)


@lru_cache(maxsize=20_000)
def is_participle(low: str) -> bool:
    """A past participle: *gebaut*, *eröffnet*."""
    return any(r.pos == "V" and "2" in r.codes for r in readings(low))


@lru_cache(maxsize=20_000)
def is_adjective(low: str) -> bool:
    return any(r.pos == "A" for r in readings(low)) or adjective_lemma(low) is not None


def may_be_verb(words: Sequence[PlainWord], j: int) -> bool:
    return bool(persons(words[j].low)) and (words[j].text[0].islower() or opens(words, j))


def finite_persons(words: Sequence[PlainWord], i: int) -> frozenset[str]:
    """Persons and numbers that the finite verb of the clause around a word may have; empty where none is found."""
    start, end = clause(words, i)
    # als Betrieb zahlt sie Löhne: the verb is not last
    final = words[start].low in SUBORDINATORS and (words[start].low != "als" or may_be_verb(words, end))
    if start and words[start - 1].low == ",":  # die Behörde, unter deren Befehl sie steht
        final = final or any(
            w.low in DEFINITE or w.low in ("denen", "deren", "dessen") for w in words[start : start + 2]
        )
    # Of two neighbours the second: … sagte sie seien da.
    beside = [i + 1, i - 1] if i < end and i > start and may_be_verb(words, i - 1) else [i - 1, i + 1]
    places = [*range(end, start, -1)] if final and i != end else [*beside, *range(start, end + 1)]
    found = next(
        (persons(words[j].low) for j in places if start <= j <= end and j != i and may_be_verb(words, j)), None
    )
    if found is None and final:
        # The verb stands behind a quotation or a clause within this one.
        found = next(
            (persons(w.low) for w in words[end + 1 : end + 15] if w.text[0].islower() and persons(w.low)), None
        )
    return found or frozenset()
