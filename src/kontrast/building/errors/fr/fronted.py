"""Participles beside a French clause that agree with its subject: *Une fois réparée, elle …*."""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.language.french import FILLERS
from kontrast.language.french_words import FrenchWord
from kontrast.language.lexicons.french import lemmas
from kontrast.language.words import word_set

_OPENERS: tuple[tuple[str, ...], ...] = (
    ("une", "fois"),
    ("sitôt",),
    ("aussitôt",),
    ("à", "peine"),
    ("a", "peine"),
    ("bien", "que"),
    ("bien", "qu'"),
    ("quoique",),
    ("quoiqu'",),
    ("même", "si"),
    ("même",),
    ("étant",),
    ("etant",),
    ("ayant", "été"),
    ("après", "avoir", "été"),
    ("après", "être"),
    ("après", "s'", "être"),
    ("avant", "d'", "être"),
    ("afin", "d'", "être"),
    ("pour", "être"),
    ("sans", "être"),
    ("pour", "avoir", "été"),
    ("sans", "avoir", "été"),
)
"""Words behind which a participle without a noun of its own belongs to the subject of the clause that follows."""
_ENDS = frozenset(';:.!?…«»()"')
SUBJECTS = word_set("fr", "fronted_subjects")
_SUBJECTS = SUBJECTS | {"qui"}
_JOINING = word_set("fr", "fronted_joining")


def before_subject(words: Sequence[FrenchWord], pronoun: int) -> tuple[int, int] | None:
    """Where a participle begins that stands before the clause of this subject, and where that clause begins.

    Not *Une fois la porte réparée, elle …*, where it has a subject of its own.
    """
    first = pronoun
    while first and words[first - 1].low not in _ENDS:
        first -= 1
    for i in range(first, pronoun):
        begins = i == first or words[i - 1].low in (",", "-") or words[i - 1].low in _JOINING
        start = _participle(words, i) if begins else None
        if start is None or start >= pronoun:
            continue
        closing = next((k for k in range(start, pronoun) if words[k].low == ","), pronoun)
        if not _has_verb(words, closing, pronoun):
            return start, closing
    return None


def behind_subject(words: Sequence[FrenchWord], pronoun: int) -> int | None:
    """Where a participle begins behind a subject and no other noun: *elle sert, une fois réparée*."""
    for i in range(pronoun + 1, len(words)):
        other = words[i].pos in ("NOUN", "PROPN") or words[i].low in _SUBJECTS
        opener = words[i].low in ("une", "sitôt", "aussitôt", "quoique", "quoiqu'", "bien")
        if opener and (start := _participle(words, i)) is not None:
            return start
        if words[i].low in _ENDS or (other and words[i - 1].low != "-"):
            return None
    return None


def _participle(words: Sequence[FrenchWord], i: int) -> int | None:
    """Where the words behind an opener begin, if they are a participle or an adjective but for adverbs."""
    opener = next((o for o in _OPENERS if tuple(w.low for w in words[i : i + len(o)]) == o), None)
    if opener is None:
        return None
    start = at = i + len(opener)
    while at < len(words) and (words[at].low in FILLERS or words[at].low.endswith("ment")):
        at += 1
    return start if at < len(words) and lemmas(words[at].low, "ka") else None


def _has_verb(words: Sequence[FrenchWord], first: int, last: int) -> bool:
    """Does a clause of its own stand between: *Une fois réparée, la porte s'ouvre et il …*?"""
    return any(w.pos in ("VERB", "AUX") and not lemmas(w.low, "k") for w in words[first:last])
