"""Is a source rather that of another sentence? Lengths, figures, names, cognates and question marks tell together.

One sign is a free translation; two are a line that has moved, or a paragraph that was cut otherwise in one language.
"""

from __future__ import annotations

import re
from functools import lru_cache

_LONG = 40
"""Characters of the longer one from which the two can be compared."""
_USUAL, _AT_ALL = (0.6, 1.6), (0.4, 2.4)
_FIGURES = re.compile(r"\d[\d.,\u00a0\u202f]*\d")
_NAMES = re.compile(r"\b(?:[A-Z]{3,}|[A-Z]?[a-z]+[A-Z]\w+)\b")
"""*GIMP*, *FreeCol*: the same in all languages."""
_WORD = re.compile(r"[^\W\d_]{4,}")
_CONTENT = re.compile(r"[^\W\d_]{5,}")
_ENOUGH, _LETTERS = 5, 4


@lru_cache(maxsize=1000)
def is_another(source: str, text: str) -> bool:
    """Are there two signs that the source does not belong to the text, or a very different length?

    >>> is_another("Is the background color appended to the map?", "Die Tabelle enthält weniger als 256 Farben.")
    True
    >>> is_another("The table has less than 256 colors, you see.", "Die Tabelle enthält weniger als 256 Farben.")
    False
    """
    if max(len(source), len(text)) < _LONG or not source.strip():
        return False
    ratio = len(source) / len(text)
    if not _AT_ALL[0] <= ratio <= _AT_ALL[1]:
        return True
    signs = (
        not _USUAL[0] <= ratio <= _USUAL[1],
        _differ(*({re.sub(r"\D", "", f) for f in _FIGURES.findall(side)} for side in (source, text))),
        _differ(*(set(_NAMES.findall(side)) for side in (source, text))),
        ("?" in source) != ("?" in text),
        _shares_no_word(source.lower(), text.lower()),
    )
    return sum(signs) >= 2


def _differ(one: set[str], other: set[str]) -> bool:
    """Has one side some, and are none of these on the other?"""
    return bool(one or other) and not one & other


def _shares_no_word(source: str, text: str) -> bool:
    """Do long words of both sides never begin alike, though both have several?"""
    ours, theirs = (set(_CONTENT.findall(side)) for side in (source, text))
    if len(ours) < _ENOUGH or len(theirs) < _ENOUGH:
        return False
    starts = {word[:_LETTERS] for word in _WORD.findall(source)}
    return not any(word.startswith(start) or start in word for word in theirs for start in starts)
