"""Elision before a French word that has changed: *s'est*, but *se sont*; *ne sont*, but *n'est*."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kontrast.building.errors.text import like
from kontrast.language.annotation import Sentence
from kontrast.language.french_words import FrenchWord

_FULL = {"s": "se", "n": "ne", "j": "je", "m": "me", "t": "te", "l": "le", "d": "de", "c": "ce", "qu": "que"}
_LOST = re.compile(
    r"\b(?:(?:ne|de|je|me|te|se|que|jusque|lorsque|puisque) |l[ea] (?!une?\b))(?=[aeiouâàéèêëîïôùûœæ])(?!oui|onz)",
    re.I,
)
_LEFT = re.compile(r"\b(?:[ldjmtsnc]|qu)['’] ?(?=[bcdfgjklmnpqrstvwxz])", re.I)
VOWELS = "aeiouyâàéèêëîïôùûœæh"


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
        vowel = new[0].lower() in VOWELS
        if text.endswith("'") and text[:-1] in _FULL and not vowel and before.end == token.start:
            return [(before.start, token.end, f"{like(before.text[0], _FULL[text[:-1]])} {new}")]
        short = next((key for key, full in _FULL.items() if full == text), None)
        if short is not None and vowel and text not in ("ce",):
            return [(before.start, token.end, f"{like(before.text, short)}'{new}")]
    return [(token.start, token.end, new)]


Edit = tuple[int, int, str]
_FULL_FORMS = {"n'": "ne", "j'": "je", "qu'": "que", "c'": "ce", "d'": "de", "m'": "me", "t'": "te", "s'": "se"}
_SHORT = {full: short for short, full in _FULL_FORMS.items() if full != "ce"}


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
    vowel = new[:1].lower() in VOWELS and not (word.low[:1] == new[:1] == "h" and before.low in _SHORT)
    if before.low in ("l'", "l’") and not vowel:
        return None
    if before.low in _FULL_FORMS and not vowel:
        old = text[before.start : before.end]
        edits.insert(
            0, (before.start, before.end, like(old[0] if old[0].islower() else "Xx", _FULL_FORMS[before.low]) + " ")
        )
    elif before.low in _SHORT and vowel and text[before.end : word.start] == " ":
        old = text[before.start : before.end]
        edits.insert(0, (before.start, word.start, like(old, _SHORT[before.low])))
    elif before.low in ("le", "la", "ma", "ta", "sa", "ce") and vowel:
        return None
    return edits
