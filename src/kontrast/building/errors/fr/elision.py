"""Elision before a French word that has changed: *s'est*, but *se sont*; *ne sont*, but *n'est*."""

from __future__ import annotations

import re

from kontrast.building.errors.text import like
from kontrast.language.annotation import Sentence

__all__ = ["is_unelided", "with_elision"]

_FULL = {"s": "se", "n": "ne", "j": "je", "m": "me", "t": "te", "l": "le", "d": "de", "c": "ce", "qu": "que"}
_LOST = re.compile(
    r"\b(?:(?:ne|de|je|me|te|se|que|jusque|lorsque|puisque) |l[ea] (?!une?\b))(?=[aeiouâàéèêëîïôùûœæ])(?!oui|onz)",
    re.I,
)
_LEFT = re.compile(r"\b(?:[ldjmtsnc]|qu)['’] ?(?=[bcdfgjklmnpqrstvwxz])", re.I)
_VOWELS = "aeiouyâàéèêëîïôùûœæh"


def is_unelided(before: str, after: str) -> bool:
    """Does a changed text lack an elision, or have one too many, that it did not before?

    >>> is_unelided("Tu ne les utilises pas.", "Tu ne utilises les pas."), is_unelided("Il le a.", "Il le a vu.")
    (True, False)
    """
    return any(len(sign.findall(after)) > len(sign.findall(before)) for sign in (_LOST, _LEFT))


def with_elision(sentence: Sentence, index: int, new: str) -> list[tuple[int, int, str]]:
    """The edits that set a new word in a token's place and right the word before it.

    >>> from kontrast.language.annotation import Token
    >>> s = Sentence("Il s'est vu.", (Token("Il", 0, 2), Token("s'", 3, 5), Token("est", 5, 8), Token("vu", 9, 11)))
    >>> with_elision(s, 2, "sont")
    [(3, 8, 'se sont')]
    >>> with_elision(Sentence("C'est là.", (Token("C'", 0, 2), Token("est", 2, 5), Token("là", 6, 8))), 1, "sont")
    [(0, 5, 'Ce sont')]
    """
    token = sentence.tokens[index]
    new = like(token.text, new)
    before = sentence.tokens[index - 1] if index else None
    if before is not None:
        text = before.text.lower().replace("’", "'")
        vowel = new[0].lower() in _VOWELS
        if text.endswith("'") and text[:-1] in _FULL and not vowel and before.end == token.start:
            return [(before.start, token.end, f"{like(before.text[0], _FULL[text[:-1]])} {new}")]
        short = next((key for key, full in _FULL.items() if full == text), None)
        if short is not None and vowel and text not in ("ce",):
            return [(before.start, token.end, f"{like(before.text, short)}'{new}")]
    return [(token.start, token.end, new)]
