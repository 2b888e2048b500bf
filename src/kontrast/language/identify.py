"""Is a text in the language that it should be in? By its commonest words; enough to refuse a wrong file early."""

from collections.abc import Iterable
from functools import lru_cache

from kontrast.io.words import words
from kontrast.language.words import lists_of

_LANGUAGES = ("de", "en", "es", "fr", "it")
_THREE = 3
_ENOUGH = 30
"""Fewer words tell nothing."""
_SURELY = 1.4
"""Another language's commonest words must be so many times as frequent as the right one's."""


def looks_like(language: str, lines: Iterable[str]) -> bool:
    """Does at least a twelfth of the words belong to the language's commonest? True where that cannot be told."""
    if language not in _LANGUAGES:
        return True
    found = [word for line in lines for word in words(line) if word.isalpha()]
    return len(found) < _ENOUGH or _share(language, found) * 12 >= 1


def other_language(language: str, lines: Iterable[str]) -> str | None:
    """The language that a text is rather in, None where it is the one named or that cannot be told."""
    found = [word for line in lines for word in words(line) if word.isalpha()]
    if language not in _LANGUAGES or len(found) < _ENOUGH:
        return None
    shares = {code: _share(code, found) for code in _LANGUAGES}
    best = max(shares, key=lambda code: shares[code])
    return best if shares[best] * 12 >= 1 and shares[best] > _SURELY * shares[language] else None


def is_foreign(language: str, line: str) -> bool:
    """Has a line three of the commonest words of another language, and none of its own? False where that is not told.

    >>> is_foreign("de", "Read the manual page, for details see Abschnitt 7 on the left.")
    True
    >>> is_foreign("de", "Was will man an Bord?"), is_foreign("de", "Der Film heißt To be or not to be.")
    (False, False)
    """
    if language not in _LANGUAGES:
        return False
    found = {word for word in words(line) if word.isalpha()} - _words(language, "commonest_elsewhere")
    if found & _words(language, "commonest"):
        return False
    others = (code for code in _LANGUAGES if code != language)
    return any(len(found & _words(code, "commonest")) >= _THREE for code in others)


def _share(language: str, found: list[str]) -> float:
    common = _words(language, "commonest")
    return sum(word in common for word in found) / len(found)


@lru_cache
def _words(language: str, name: str) -> frozenset[str]:
    return frozenset(lists_of(language).get(name, ()))
