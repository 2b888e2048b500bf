"""A French sentence as plain words: ``qu'`` and ``elle`` apart, ``sont``, ``-`` and ``ils`` apart."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from kontrast.language.annotation import Sentence

__all__ = ["Word", "words_of"]

_WORD = re.compile(
    r"(?:(?:jus|lors|puis|quoi)?qu|[lLdDsSnNmMtTjJcC]|Qu|Jusqu|Lorsqu|Puisqu|Quoiqu)['’](?=\w)|aujourd['’]hui|peut-être"
    r"|\w+|[^\w\s]",
    re.IGNORECASE,
)


class Word(msgspec.Struct, frozen=True, gc=False):
    """``low`` is the word in lower case with a straight apostrophe; ``pos`` what the annotator thinks of it."""

    low: str
    start: int
    end: int
    pos: str = ""


def words_of(sentence: Sentence) -> list[Word]:
    """The words of a sentence, with the annotator's part of speech where it has one.

    >>> [word.low for word in words_of(Sentence("Qu’elles sont-elles !", ()))]
    ["qu'", 'elles', 'sont', '-', 'elles', '!']
    """
    spans = _parts(sentence)
    current = next(spans, None)
    words = []
    for match in _WORD.finditer(sentence.text):
        while current is not None and current[1] <= match.start():
            current = next(spans, None)
        pos = current[2] if current is not None and current[0] < match.end() else ""
        words.append(Word(match.group().lower().replace("’", "'"), match.start(), match.end(), pos))
    return words


def _parts(sentence: Sentence) -> Iterator[tuple[int, int, str]]:
    for token in sentence.tokens:
        # A pronoun that the annotator left on its hyphen ("-il") begins behind it.
        lead = len(token.text) - len(token.text.lstrip("-"))
        yield token.start + (lead if lead < len(token.text) else 0), token.end, token.pos
