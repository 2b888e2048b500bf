"""Small words: two clitics in the wrong order, a preposition and an article that must be one word."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.fr.elision import VOWELS
from kontrast.building.errors.spec import Candidate, candidate
from kontrast.building.errors.text import like
from kontrast.language.annotation import Sentence
from kontrast.language.french_words import words_of
from kontrast.language.words import lists_of, word_set

_PAIRS = frozenset(tuple(pair.split()) for pair in lists_of("fr")["clitic_pairs"])


def clitic_order(sentence: Sentence) -> Iterator[Candidate]:
    words = words_of(sentence)
    for i in range(len(words) - 2):
        one, other, verb = words[i : i + 3]
        if (one.low, other.low) not in _PAIRS or verb.pos not in ("VERB", "AUX") or verb.low[0] in VOWELS:
            continue
        old = sentence.text[one.start : one.end]
        edits = [(one.start, one.end, like(old, other.low)), (other.start, other.end, one.low)]
        yield candidate("clitic_order", sentence, edits)


_APART = {"du": "de le", "au": "à le", "aux": "à les"}
_FIXED = word_set("fr", "small_words_fixed")
"""*au delà*, *au moins*: one word in two, no article of a noun."""

_PREPOSITIONS = word_set("fr", "small_words_prepositions")


def preposition_article(sentence: Sentence) -> Iterator[Candidate]:
    words = words_of(sentence)
    for i, word in enumerate(words[:-1]):
        behind = words[i + 1]
        if word.low not in _APART or not behind.low.isalpha() or behind.low in _FIXED:
            continue
        if i and words[i - 1].low in _PREPOSITIONS:
            continue  # l'icône de du périphérique: wrong already
        old = sentence.text[word.start : word.end]
        edit = (word.start, word.end, like(old, _APART[word.low]))
        yield candidate("preposition_article", sentence, [edit])
