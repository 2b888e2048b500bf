"""The words before a noun: its determiner, and the role that a preposition or article gives it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from kontrast.language.alignment import Span
from kontrast.language.words import declared

_CLOSE = 5
"""So many words before a noun its determiner or preposition may stand."""


@lru_cache(maxsize=16)
def _phrases(language: str) -> dict[str, frozenset[str]]:
    """The words around a noun that a language declares."""
    return {name: frozenset(words) for name, words in declared(language).get("phrases", {}).items()}


def _kind(language: str, low: str) -> str:
    """Of a determiner; nothing for any other word."""
    lists = _phrases(language)
    kind = next((kind for kind in ("definite", "owned", "indefinite") if low in lists[kind]), "")
    stems = tuple(lists.get("owned_stems", ()))
    return kind or ("owned" if stems and low.startswith(stems) and len(low) < 7 else "")


def determiner(language: str, words: Sequence[Span], index: int) -> str:
    """The kind of determiner among the words before a noun."""
    if not _phrases(language):
        return "of_a_language_without_a_list"
    for word in reversed(words[max(index - _CLOSE, 0) : index]):
        low = word.text.lower()
        if kind := _kind(language, low):
            return kind
        if not low.replace("-", "").isalpha() and low not in "'’":
            break
    return "none"


def is_preposition(language: str, word: str) -> bool:
    """*en*, *de*: one that a noun or a stressed pronoun stands behind."""
    lists = _phrases(language)
    return any(word.lower() in lists.get(name, ()) for name in ("prepositions", "of"))


def phrase_role(language: str, words: Sequence[Span], index: int) -> str:
    """*oblique* behind a preposition, *of a noun* in a genitive, *predicate* behind *as*; else nothing.

    >>> from kontrast.language.alignment import spans
    >>> [phrase_role("de", spans(text), 3) for text in ("die Macht des Lichs", "er kam zur Burg", "er sah die Burg")]
    ['of_a_noun', 'oblique', '']
    """
    lists = _phrases(language)
    if not lists:
        return ""
    endings = tuple(lists.get("adjective_endings", ()))
    for j in range(index - 1, max(index - _CLOSE, -1), -1):
        low = words[j].text.lower()
        if low in lists["as"]:
            return "predicate"
        # where adjectives show their case, a genitive has an article that may be another case's: behind a noun only
        if low in lists["of"] and (not endings or (j and words[j - 1].text[0].isupper())):
            return "of_a_noun"
        if low in lists["prepositions"]:
            return "oblique"
        adjective = endings and low.endswith(endings) and words[j].text[0].islower()
        stems = tuple(lists.get("owned_stems", ()))
        if not (_kind(language, low) or low in "'’" or adjective or (stems and low.startswith(stems))):
            return ""
    return ""
