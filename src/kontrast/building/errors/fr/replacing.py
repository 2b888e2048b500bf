"""A French word set in another's place, with the elision of the word before it (n'est, ne sera; je suis, j'ai)."""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.building.errors.text import like
from kontrast.language.french_words import FrenchWord

__all__ = ["replaced"]

Edit = tuple[int, int, str]
_FULL = {"n'": "ne", "j'": "je", "qu'": "que", "c'": "ce", "d'": "de", "m'": "me", "t'": "te", "s'": "se"}
_SHORT = {full: short for short, full in _FULL.items() if full != "ce"}
_VOWELS = "aeiouyàâéèêëîïôûœh"


def replaced(text: str, words: Sequence[FrenchWord], i: int, new: str) -> list[Edit] | None:
    """The edits; None where the word before is *l'*, whose full form is not known, or letters are glued together.

    >>> from kontrast.language.annotation import Sentence
    >>> from kontrast.language.french_words import words_of
    >>> sentence = Sentence("Il n'est pas là.", ())
    >>> replaced(sentence.text, words_of(sentence), 1, "x") is None
    False
    """
    word = words[i]
    edits = [(word.start, word.end, like(text[word.start : word.end], new))]
    before = words[i - 1] if i else None
    if before is None:
        return edits
    # An h that is spoken stays so: je hais, je haïrai.
    vowel = new[:1].lower() in _VOWELS and not (word.low[:1] == new[:1] == "h" and before.low in _SHORT)
    if before.low in ("l'", "l’") and not vowel:
        return None
    if before.low in _FULL and not vowel:
        old = text[before.start : before.end]
        edits.insert(
            0, (before.start, before.end, like(old[0] if old[0].islower() else "Xx", _FULL[before.low]) + " ")
        )
    elif before.low in _SHORT and vowel and text[before.end : word.start] == " ":
        old = text[before.start : before.end]
        edits.insert(0, (before.start, word.start, like(old, _SHORT[before.low])))
    elif before.low in ("le", "la", "ma", "ta", "sa", "ce") and vowel:
        return None
    return edits
