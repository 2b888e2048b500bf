"""Other nominatives of a German clause: what else than a pronoun may be its subject."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kontrast.language.german.plain import (
    SUBJECTS,
    PlainWord,
    is_adjective,
    is_participle,
    is_subject_word,
    persons,
    polite,
)
from kontrast.language.german.times import time_words
from kontrast.language.lexicons.german import usual_readings
from kontrast.language.lexicons.german_words import CLOSED, DETERMINERS

__all__ = ["has_nominative", "is_subject"]

_STANDING_ALONE = frozenset(
    "das dies dieser diese dieses jener jene jenes der die alles nichts etwas wer was welcher welche welches einer "
    "eine ein eines keine kein viele beide alle beides manche mancher einige andere wenige mein dein sein ihr unser "
    "meine deine seine ihre unsere es sie".split()
)
"""Words that may be, or begin, a nominative."""
_OBLIQUE = frozenset(("den", "dem", "des", "denen"))
_BEFORE_NOUNS = frozenset(DETERMINERS) | {"deren", "dessen"}
"""Between a preposition and its noun: *mit diesem Namen*."""


def has_nominative(words: Sequence[PlainWord], start: int, end: int, i: int) -> bool:
    """May a word from ``start`` on and before ``end``, but for the one at ``i``, be the subject?

    >>> from kontrast.language.german.plain import split
    >>> [has_nominative(split(text), 0, 5, 2) for text in ("Dann geht es um viel", "Dann holt es ein Hund")]
    [False, True]
    """
    return next(_nominatives(words, start, end, i), None) is not None


def _nominatives(words: Sequence[PlainWord], start: int, end: int, i: int) -> Iterator[int]:
    """Words before ``end`` that may be another nominative: pronouns, and nouns that nothing governs."""
    governed = False
    times = time_words(words, start, end - 1)
    for j in range(start, end):
        word, tags = words[j], CLOSED.get(words[j].low, frozenset())
        if j == i or j in times or not word.low[0].isalpha():
            continue
        if tags & {"APPR", "APPRART"} and word.low not in ("als", "wie"):
            governed = True
        elif word.low in SUBJECTS or polite(words, j):
            if polite(words, j) or is_subject_word(words, j):
                yield j
            else:
                governed = True  # zu keiner Zeit, jeder Seele
        elif word.text[0].isupper() and not (j == start and _is_no_noun(word)):
            if not governed:
                yield j
            governed = False
        elif word.low in _OBLIQUE or (tags and word.low.endswith(("inen", "inem", "ines", "eden"))):
            governed = True
        elif word.low in _STANDING_ALONE:
            if not governed:
                yield j
        elif not (is_adjective(word.low) or tags & {"CARD", "PIAT", "ADV"} or word.low in _BEFORE_NOUNS):
            governed = False


def _is_no_noun(word: PlainWord) -> bool:
    """*Spannender*, *Dabei*, *Letztendlich*: a capital at the beginning only."""
    if word.low in CLOSED or persons(word.low) or is_participle(word.low):
        return True
    noun = any(r.pos == "N" for r in usual_readings(word.text))
    return word.low.endswith(("dings", "erweise", "dlich", "otrotz")) or (is_adjective(word.low) and not noun)


def is_subject(words: Sequence[PlainWord], j: int) -> bool:
    """*der Bauer*: surely a nominative; not *die Felder der Bauern*."""
    if words[j].low not in ("der", "dieser", "jeder") or words[j - 1].text[0].isupper():
        return False
    nouns = [r for r in usual_readings(words[j + 1].text) if r.pos == "N"]
    return any(r.feature == "m" and "ns" in r.codes for r in nouns) and not any(r.feature == "f" for r in nouns)
