"""German text without annotation: its words, the clause around a word, and the verbs in it.

Pronouns are found in subtitles and fragments as well as in sentences, so the words and the lexicon decide, no parse.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from kontrast.language.lexicons.german import adjective_lemma, readings
from kontrast.language.lexicons.german_words import CLOSED, JOINING, PREPOSITION_CASES, SUBORDINATORS
from kontrast.language.words import word_set

__all__ = [
    "BEING",
    "OPENERS",
    "SUBJECTS",
    "PlainWord",
    "clause",
    "finite_persons",
    "in_capitals",
    "is_adjective",
    "is_participle",
    "is_subject_word",
    "lemmas",
    "may_be_verb",
    "opens",
    "persons",
    "polite",
    "split",
    "subordinates",
]

SUBJECTS = word_set("de", "plain_subjects")
"""Pronouns that can only be subjects."""
BEING = word_set("de", "plain_being")
"""With these there is no accusative."""
OPENERS = JOINING | SUBORDINATORS - {"da"}
_PARTICLES = frozenset(("doch", "aber", "denn"))
"""Conjunctions that are also said within a clause."""
_COMPARED = word_set("de", "plain_compared")
"""Behind *wie* these make no clause: *so schnell wie möglich*."""
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


def is_subject_word(words: Sequence[PlainWord], j: int) -> bool:
    """A pronoun that can only be the subject; not *jeder* in *jeder Seele*, nor *jemand anderen*.

    >>> [is_subject_word(split(text), 2) for text in ("Das weiß jeder.", "Sie gibt jeder Seele Schutz.")]
    [True, False]
    """
    after = words[j + 1] if j + 1 < len(words) else None
    if words[j].low not in SUBJECTS or after is None:
        return words[j].low in SUBJECTS
    if words[j].low in ("keiner", "jeder"):
        return not after.text[0].isupper() and not after.low.endswith(("en", "er"))
    return not (words[j].low in ("jemand", "niemand") and after.low in ("anderen", "anderem", "andern"))


_ALSO_PREPOSITIONS = frozenset(("bis", "seit", "während"))
_BEHIND_PREPOSITIONS = word_set("de", "plain_behind_prepositions")


def clause(words: Sequence[PlainWord], i: int) -> tuple[int, int]:
    """The first and last word of the clause around a word: between signs, conjunctions and subordinators."""
    start, end = i, i
    while start > 0 and not _is_break(words, start - 1):
        start -= 1
        if _opens_clause(words, start):
            break
    while end + 1 < len(words) and not _is_break(words, end + 1) and not _opens_clause(words, end + 1):
        end += 1
    return start, end


def _opens_clause(words: Sequence[PlainWord], k: int) -> bool:
    """A conjunction; not the particle in *wobei es doch stimmt*, nor *so bald wie möglich*, *bis vor kurzem*."""
    if words[k].low in _ALSO_PREPOSITIONS and _governs(words, k):
        return False
    particle = words[k].low in _PARTICLES and k > 0 and words[k - 1].low[0].isalnum()
    compared = words[k].low == "wie" and k + 1 < len(words) and words[k + 1].low in _COMPARED
    return words[k].low in OPENERS and not particle and not compared


def subordinates(words: Sequence[PlainWord], k: int) -> bool:
    """Does a word open a clause with its verb last? Not *während* in *während des Sturms*."""
    low = words[k].low
    return low in SUBORDINATORS and not (low in _ALSO_PREPOSITIONS and _governs(words, k))


def _governs(words: Sequence[PlainWord], k: int) -> bool:
    """*bis zu seinem dritten Jahr*, *seit dem Krieg*, *lebte während der Reise*: a preposition, with no comma before
    it and no subject behind it."""
    after = words[k + 1].low if k + 1 < len(words) else ""
    if after in PREPOSITION_CASES or after in _BEHIND_PREPOSITIONS or after[:1].isdigit():
        return True
    inside = k > 0 and words[k - 1].low[0].isalnum() and words[k - 1].low not in JOINING
    return inside and after not in SUBJECTS and after not in ("sie", "es")


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


def _is_relative(words: Sequence[PlainWord], start: int) -> bool:
    """*…, die sie*, *…, in der sie zu gehen hat*, *…, unter deren Befehl sie*; not *…, in der Stadt sie*."""
    if not start or words[start - 1].low != ",":
        return False
    if words[start].low in ("der", "die", "das", "den", "dem"):
        return True
    if words[start].low not in PREPOSITION_CASES or start + 2 >= len(words):
        return False
    following = words[start + 2].text
    relative = words[start + 1].low in ("der", "die", "das", "den", "dem") and following[0].islower()
    return words[start + 1].low in ("deren", "dessen", "denen") or (relative and not is_adjective(following.lower()))


def finite_persons(words: Sequence[PlainWord], i: int) -> frozenset[str]:
    """Persons and numbers that the finite verb of the clause around a word may have; empty where none is found."""
    start, end = clause(words, i)
    opened = subordinates(words, start) and (words[start].low != "als" or may_be_verb(words, end))
    final = opened or _is_relative(words, start)  # als Betrieb zahlt sie Löhne: the verb is not last
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
