"""Which source word each word of a translation stands for, by a dictionary."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from kontrast.language.annotation import Sentence
from kontrast.language.bilingual_words import BilingualWords, lemmas

__all__ = ["translated_words"]

_SHORTEST = 3


def translated_words(sentence: Sentence, source: str, translations: BilingualWords) -> Iterator[tuple[int, str, str]]:
    """Words with what they translate: index, the source's word as it stands, its entry in the dictionary.

    Left out are names of the source, words that stand there twice, and those that another word may translate too.
    """
    stands: dict[str, list[str]] = {}
    for word in _plain_words(sentence.source):
        for lemma in lemmas(word, source):
            stands.setdefault(lemma, []).append(word)
    found = []
    for i, token in enumerate(sentence.tokens):
        meant = translations.means(token.lemma, stands) if len(token.text) >= _SHORTEST else None
        if meant is not None and len(stands[meant]) == 1 and token.text.lower() != meant:
            found.append((i, stands[meant][0], meant))
    often = Counter(word for _, word, _ in found)
    yield from (each for each in found if often[each[1]] == 1)


def _plain_words(source: str) -> Iterator[str]:
    """The words of a source but for names: those with a capital that open no sentence."""
    for found in re.finditer(r"\w+", source):
        opens = not re.search(r"\w", re.split(r"[.!?:“\"]", source[: found.start()])[-1])
        if found[0].islower() or opens:
            yield found[0]
