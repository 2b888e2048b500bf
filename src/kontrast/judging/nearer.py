"""The nearer variant: what decides where words cannot. The distance is Levenshtein's over words and signs.

Case and punctuation count, for they may be all that differs; an equal distance decides nothing.
"""

import unicodedata
from collections.abc import Sequence

from kontrast.io.words import differing, spans
from kontrast.suites.form_search import Outcome
from kontrast.suites.model import Item

DISTANCE = "Levenshtein over words and signs"


def nearer(item: Item, text: str, language: str | None = None) -> Outcome:
    """Is a text nearer to the correct variant, to another, or to neither?"""
    if not text.strip():
        return "neither"
    own = _tokens(text, language)
    away = [distance(own, _tokens(variant.text, language)) for variant in item.variants]
    right = away[item.correct]
    other = min(d for j, d in enumerate(away) if j != item.correct)
    return "neither" if right == other else ("right" if right < other else "wrong")


def distance(a: Sequence[str], b: Sequence[str]) -> int:
    """The fewest tokens to insert, delete or exchange."""
    a, b = differing(a, b)
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        corner, row[0] = row[0], i
        for j, y in enumerate(b, start=1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (x != y))
    return row[-1]


def _tokens(text: str, language: str | None) -> list[str]:
    text = unicodedata.normalize("NFC", text)
    return [text[word.start : word.end].replace("’", "'") for word in spans(text, language, signs=True)]
