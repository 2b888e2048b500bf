"""Which German words the prefix *un-* turns into their opposite; by hand what only looks like it."""

from __future__ import annotations

from kontrast.building.perturb.de.negation import part_around
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import adjective_lemma, comparative_lemma, readings
from kontrast.language.lexicons.german_words import CLOSED, word_lists

__all__ = [
    "asks_whether",
    "comments",
    "has_opposite",
    "is_clear",
    "is_opposite",
    "is_predicate",
    "is_unclear",
    "is_word",
]

_LISTS = word_lists("de.lists.txt")
_STOP = frozenset(_LISTS["un_no_opposite"])
_NOUNS = frozenset(_LISTS["un_nouns"])
_UNCLEAR = frozenset(_LISTS["un_unclear"])
_NO_UN = frozenset(_LISTS["no_un"])
_COMMENT = frozenset(_LISTS["comment"])
_CLEAR = frozenset(_LISTS["un_clear"])
_OTHER_MEANING = ("heimlich", "bedingt", "weit", "lauter", "längst", "recht", "geachtet", "entschieden", "gefähr")
_COPULAS = frozenset(("sein", "bleiben", "scheinen"))
_NOUN_ENDINGS = ("heit", "keit", "heiten", "keiten")


def is_word(form: str) -> bool:
    """Is this an adjective, participle, noun or adverb in any of its forms?"""
    if readings(form) or adjective_lemma(form) or comparative_lemma(form):
        return True
    return bool(CLOSED.get(form, frozenset()) & {"ADV", "CARD"})


def is_opposite(word: str) -> bool:
    """Is the word its base with un-, and the opposite of it?

    >>> is_opposite("unabhängigen"), is_opposite("Unfall"), is_opposite("unter"), is_opposite("Unglück")
    (True, False, False, True)
    """
    low = word.lower()
    if not low.startswith("un") or len(low) < 6 or word[1:].isupper():
        return False
    base = low[2:]
    if CLOSED.get(low, frozenset()) - {"ADV"}:
        return False
    if any(base.startswith(stop) for stop in _STOP if len(stop) > 3) or base in _STOP:
        return False
    if word[0].isupper():
        return is_word(base.capitalize()) or is_word(base)
    return is_word(base)


def is_unclear(word: str) -> bool:
    """Is this word with un- the opposite of its base only in a rare meaning, or in none?

    >>> is_unclear("unbedingt"), is_unclear("ungewissen"), is_unclear("ungewiss"), is_unclear("unklar")
    (True, True, False, False)
    """
    base = word.lower()[2:]
    return base in _UNCLEAR or adjective_lemma(base) in _UNCLEAR or (base.startswith("gewiss") and base != "gewiss")


def is_clear(word: str) -> bool:
    """Is un- before this word its opposite in all its meanings?

    >>> is_clear("wichtigsten"), is_clear("Zufriedenheit"), is_clear("tragbares")
    (True, True, False)
    """
    low = word.lower()
    return low in _CLEAR or adjective_lemma(low) in _CLEAR or comparative_lemma(low) in _CLEAR


def comments(word: str) -> bool:
    """Is this an adjective that, as an adverb, says how sure or how much: *sicher*, *echt*, *genau*?"""
    return word.lower() in _COMMENT


def has_opposite(word: str, tag: str) -> bool:
    """Is there an opposite with un- of this adjective or noun?

    >>> has_opposite("sicher", "ADJD"), has_opposite("Fall", "NN"), has_opposite("groß", "ADJD")
    (True, False, False)
    """
    low = word.lower()
    if low in _STOP or low.startswith("un") or len(low) < 4:
        return False
    lemma = adjective_lemma(low) or comparative_lemma(low)
    if word in _NO_UN or low in _NO_UN or lemma in _NO_UN:
        return False
    if tag == "NN":
        noun = low.removesuffix("s")
        known = any(r.pos == "N" for r in readings("Un" + low))
        return known and (low.endswith(_NOUN_ENDINGS) or noun in _NOUNS)
    if (lemma or low) in _OTHER_MEANING:
        return False
    if tag == "ADJA":
        return adjective_lemma("un" + low) is not None
    return any(r.pos == "A" and "p" in r.codes for r in readings("un" + low))


def asks_whether(sentence: Sentence, i: int) -> bool:
    """*ob sie sicher sind* asks what *ob sie unsicher sind* asks."""
    return any(sentence.tokens[k].text.lower() == "ob" for k in part_around(sentence, i) if k < i)


def is_predicate(sentence: Sentence, i: int) -> bool:
    """Has the clause a copula, and does the adjective end it or stand before its verb?"""
    tokens = sentence.tokens
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    lemmas = {r.lemma for r in readings(after.text.lower()) if r.pos == "V"} if after is not None else set()
    if after is not None and after.pos not in ("PUNCT", "CCONJ", "SCONJ") and not lemmas & _COPULAS:
        return False
    for step in (-1, 1):
        k = i + step
        while 0 <= k < len(tokens) and abs(k - i) < 9 and tokens[k].pos not in ("PUNCT", "CCONJ", "SCONJ"):
            if any(r.pos == "V" and r.lemma in _COPULAS for r in readings(tokens[k].text.lower())):
                return True
            k += step
    return False
