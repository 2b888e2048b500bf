"""Which German words the prefix *un-* turns into their opposite."""

from __future__ import annotations

from kontrast.language.lexicons.german import adjective_lemma, comparative_lemma, readings
from kontrast.language.lexicons.german_words import CLOSED
from kontrast.language.words import lists_of

__all__ = ["has_opposite", "is_clear", "is_opposite", "is_unclear"]

_LISTS = {name: frozenset(words) for name, words in lists_of("de").items()}
_NOUN_ENDINGS = ("heit", "keit", "heiten", "keiten")


def is_opposite(word: str) -> bool:
    """Is the word its base with un-, and the opposite of it?

    >>> is_opposite("unabhängigen"), is_opposite("Unfall"), is_opposite("unter"), is_opposite("Unglück")
    (True, False, False, True)
    """
    low = word.lower()
    if not low.startswith("un") or len(low) < 6 or word[1:].isupper():
        return False
    base, stop = low[2:], _LISTS["un_no_opposite"]
    if CLOSED.get(low, frozenset()) - {"ADV"} or base in stop:
        return False
    if any(base.startswith(beginning) for beginning in stop if len(beginning) > 3):
        return False
    return _is_word(base) or (word[0].isupper() and _is_word(base.capitalize()))


def _is_word(form: str) -> bool:
    """Is this an adjective, participle, noun or adverb in any of its forms?"""
    known = readings(form) or adjective_lemma(form) or comparative_lemma(form)
    return bool(known) or bool(CLOSED.get(form, frozenset()) & {"ADV", "CARD"})


def is_unclear(word: str) -> bool:
    """Is this word with un- the opposite of its base only in a rare meaning, or in none?

    >>> is_unclear("unbedingt"), is_unclear("unklar")
    (True, False)
    """
    base = word.lower()[2:]
    return base in _LISTS["un_unclear"] or adjective_lemma(base) in _LISTS["un_unclear"]


def is_clear(word: str) -> bool:
    """Is un- before this word its opposite in all its meanings?

    >>> is_clear("wichtigsten"), is_clear("Zufriedenheit"), is_clear("tragbares")
    (True, True, False)
    """
    low = word.lower()
    return bool({low, adjective_lemma(low), comparative_lemma(low)} & _LISTS["un_clear"])


def has_opposite(word: str, tag: str) -> bool:
    """Is there an opposite with un- of this adjective or noun?

    >>> has_opposite("sicher", "ADJD"), has_opposite("Fall", "NN"), has_opposite("groß", "ADJD")
    (True, False, False)
    """
    low = word.lower()
    lemma = adjective_lemma(low) or comparative_lemma(low) or low
    if low.startswith("un") or len(low) < 4 or {low, lemma} & (_LISTS["un_no_opposite"] | _LISTS["no_un"]):
        return False
    if tag == "NN":
        known = any(r.pos == "N" for r in readings("Un" + low))
        return known and (low.endswith(_NOUN_ENDINGS) or low.removesuffix("s") in _LISTS["un_nouns"])
    if tag == "ADJA":
        return adjective_lemma("un" + low) is not None
    return any(r.pos == "A" and "p" in r.codes for r in readings("un" + low))
