"""Is a word of the text misspelt: unknown, and a known one but for a letter? Then an error is not its only one.

German: an umlaut or a consonant lost (*zugnglich*, *beötigen*), a letter three times, two swapped; other letters tell
nothing there, as new words are made freely. French: a letter too many or too few, two swapped, an accent lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from kontrast.language.annotation import Sentence

__all__ = ["has_english", "is_misspelt"]

_SHORTEST, _LONG = 6, 8
_WITHOUT_UMLAUT = frozenset("fr ber knnen knnte mssen drfen mchte wre wrde wrden hufig wrter".split())
_UMLAUTS = {"a": "ä", "o": "ö", "u": "ü"}
_THRICE = re.compile(r"(\w)\1\1")
_ACCENTS = {"e": "éèê", "a": "àâ", "i": "îï", "o": "ô", "u": "ûù", "c": "ç", "é": "eè", "è": "éê", "ê": "è", "ç": "c"}
_LETTERS = "abcdefghijlmnopqrstuvxyzé"
_ENGLISH = frozenset("the of is are this that which you your with read for see more been has was it be can".split())


def is_misspelt(sentence: Sentence, language: str) -> bool:
    """Is one of its words probably misspelt? Words of the source are names of something, not misspelt."""
    source = sentence.source.lower()
    words = [t for t in sentence.tokens if t.text.isalpha() and t.text.islower() and t.text not in source]
    if language == "de":
        return any(_is_misspelt_german(t.text, t.pos in ("VERB", "ADJ")) for t in words)
    told = (t.text for t in words if t.pos in ("VERB", "ADJ", "NOUN", "X") and len(t.text) >= _SHORTEST)
    return language == "fr" and any(map(_is_misspelt_french, told))


def has_english(sentence: Sentence) -> bool:
    """Is a part of the text English: *To discover more options, read the manual page, see Abschnitt 7*?"""
    words = [token.text.lower() for token in sentence.tokens]
    return "the" in words and sum(word in _ENGLISH for word in words) >= 3


@lru_cache(maxsize=50_000)
def _is_misspelt_german(word: str, inflected: bool) -> bool:
    from kontrast.language.lexicons.german import attested

    if word in _WITHOUT_UMLAUT:
        return True
    if len(word) < _SHORTEST or attested(word):
        return False
    return any(attested(other) for other in _german(word, inflected))


def _german(word: str, inflected: bool) -> Iterator[str]:
    """The word as it may have been meant."""
    for k in range(len(word)):
        if not set(word[max(0, k - 1) : k + 1]) & set("aeiouäöüy"):  # the umlaut stood between consonants
            yield from (word[:k] + umlaut + word[k:] for umlaut in "äöü")
        if word[k] in _UMLAUTS and "lich" in word[k:]:
            yield word[:k] + _UMLAUTS[word[k]] + word[k + 1 :]
    if _THRICE.search(word):
        yield _THRICE.sub(r"\1\1", word)
        yield _THRICE.sub(r"\1", word)
    if inflected:
        yield from (word[:k] + word[k + 1] + word[k] + word[k + 2 :] for k in range(1, len(word) - 2))
    if inflected and len(word) >= _LONG:
        for k in range(2, len(word) - 3):
            yield from (word[:k] + letter + word[k:] for letter in "bcdfghklmnprstz")


@lru_cache(maxsize=50_000)
def _is_misspelt_french(word: str) -> bool:
    if any(_is_french(word.replace(new, old)) for new, old in (("", ""), ("i", "î"), ("u", "û"), ("è", "é"))):
        return False  # chaine, évènement: right since 1990
    return any(_is_french(other) for other in _french(word))


@lru_cache(maxsize=100_000)
def _is_french(word: str) -> bool:
    from kontrast.language.lexicons.lefff import Lefff, lemmas_of

    return bool(lemmas_of(word) or Lefff().analyse(word))


def _french(word: str) -> Iterator[str]:
    """The word as it may have been meant; not without its ending, which may make a new feminine (*professeure*)."""
    for k in range(1, len(word) - 2):
        yield word[:k] + word[k + 1 :]
        yield word[:k] + word[k + 1] + word[k] + word[k + 2 :]
        yield from (word[:k] + letter + word[k:] for letter in _LETTERS)
    for k, letter in enumerate(word):
        yield from (word[:k] + accented + word[k + 1 :] for accented in _ACCENTS.get(letter, ""))
