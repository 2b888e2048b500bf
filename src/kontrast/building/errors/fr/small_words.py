"""Small words before another: elided where it has changed (*s'est*, *se sont*), in the wrong order, not joined."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kontrast.building.errors.spec import Candidate, candidate, error
from kontrast.building.errors.text import Edit, like
from kontrast.language.annotation import Sentence
from kontrast.language.french_words import FrenchWord, words_of
from kontrast.language.words import lists_of, word_set

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


_FULL_FORMS = {"n'": "ne", "j'": "je", "qu'": "que", "c'": "ce", "d'": "de", "m'": "me", "t'": "te", "s'": "se"}
_SHORT = {full: short for short, full in _FULL_FORMS.items() if full != "ce"}


def replaced(text: str, words: Sequence[FrenchWord], i: int, new: str) -> list[Edit] | None:
    """The edits; None where the word before is *l'*, whose full form is not known, or letters are glued together.

    >>> replaced("C'est là.", words_of(Sentence("C'est là.", ())), 1, "sont")
    [(0, 2, 'Ce '), (2, 5, 'sont')]
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


def with_elision(sentence: Sentence, index: int, new: str) -> list[Edit] | None:
    """The same for a token of the sentence.

    >>> from kontrast.language.annotation import Token
    >>> s = Sentence("Il s'est vu.", (Token("Il", 0, 2), Token("s'", 3, 5), Token("est", 5, 8), Token("vu", 9, 11)))
    >>> with_elision(s, 2, "sont")
    [(3, 5, 'se '), (5, 8, 'sont')]
    """
    words = words_of(sentence)
    place = next((i for i, word in enumerate(words) if word.start == sentence.tokens[index].start), None)
    return replaced(sentence.text, words, place, new) if place is not None else None


_PAIRS = frozenset(tuple(pair.split()) for pair in lists_of("fr")["clitic_pairs"])


@error("grammar")
def clitic_order(sentence: Sentence) -> Iterator[Candidate]:
    """Two clitics before the verb change places.

    The pairs are me, te, se and le, la, les; le, la, les and lui, leur; ne and any clitic; lui, leur and en. The verb
    begins with a consonant, so there is no elision.

    - Elle le lui donne. → Elle lui le donne.
    - Il ne se lave pas. → Il se ne lave pas.
    """
    words = words_of(sentence)
    for i in range(len(words) - 2):
        one, other, verb = words[i : i + 3]
        if (one.low, other.low) not in _PAIRS or verb.pos not in ("VERB", "AUX") or verb.low[0] in VOWELS:
            continue
        old = sentence.text[one.start : one.end]
        edits = [(one.start, one.end, like(old, other.low)), (other.start, other.end, one.low)]
        yield candidate(sentence, edits)


_APART = {"du": "de le", "au": "à le", "aux": "à les"}
_FIXED = word_set("fr", "small_words_fixed")
"""*au delà*, *au moins*: one word in two, no article of a noun."""

_PREPOSITIONS = word_set("fr", "small_words_prepositions")


@error("grammar")
def preposition_article(sentence: Sentence) -> Iterator[Candidate]:
    """The contractions du, au, aux are written as two words (de le, à le, à les).

    The contraction is before a word and does not follow de, à or an article. au delà and au moins do not change.

    - Il vient du marché. → Il vient de le marché.
    - Elle parle aux enfants. → Elle parle à les enfants.
    """
    words = words_of(sentence)
    for i, word in enumerate(words[:-1]):
        behind = words[i + 1]
        if word.low not in _APART or not behind.low.isalpha() or behind.low in _FIXED:
            continue
        if i and words[i - 1].low in _PREPOSITIONS:
            continue  # l'icône de du périphérique: wrong already
        old = sentence.text[word.start : word.end]
        edit = (word.start, word.end, like(old, _APART[word.low]))
        yield candidate(sentence, [edit])
