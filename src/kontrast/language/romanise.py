"""Cyrillic names in Latin letters, as far as it takes to find them in a source."""

from difflib import SequenceMatcher
from functools import lru_cache

from kontrast.language.lexicon import tag_tables

_LETTERS, _SOUNDS = tag_tables("romanised")["letters"], tag_tables("romanised")["sounds"]
_ALIKE = 0.6


def is_cyrillic(word: str) -> bool:
    """
    >>> is_cyrillic("Обама"), is_cyrillic("Obama")
    (True, False)
    """
    return word[:1].lower() in _LETTERS


def romanised(word: str) -> str:
    """
    >>> romanised("Джонсон"), romanised("Мэй")
    ('dzhonson', 'mei')
    """
    return "".join(_LETTERS.get(letter, letter) for letter in word.lower())


@lru_cache(maxsize=10_000)
def sounds_alike(cyrillic: str, latin: str) -> bool:
    """Whether a name may be the other in Latin letters."""
    one, other = _folded(romanised(cyrillic)), _folded(latin.lower())
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= _ALIKE


def _folded(word: str) -> str:
    """Spellings of one sound as one; double letters once."""
    for old, new in _SOUNDS.items():
        word = word.replace(old, new)
    return "".join(letter for i, letter in enumerate(word) if letter != word[i - 1 : i])
