"""A French sentence as plain words: ``qu'`` and ``elle`` apart, ``sont``, ``-`` and ``ils`` apart; closed classes."""

from collections.abc import Iterator

import msgspec

from kontrast.io.words import spans
from kontrast.language.annotation import Sentence
from kontrast.language.words import lists_of, word_set

CLITICS = word_set("fr", "words_clitics")
"""What stands between a subject and its verb; *la* and *les* are mostly articles."""
ALL_CLITICS = CLITICS | {"la", "les"}
ETRE, AVOIR = word_set("fr", "etre"), word_set("fr", "avoir")
PERSONS = {"je": "1", "j'": "1", "tu": "2"}
"""Of the subjects that are not in the third person."""
COPULAS = tuple(lists_of("fr")["agreement_copulas"])
"""Beginnings of the finite forms of verbs whose predicate agrees with the subject."""
FILLERS = word_set("fr", "agreement_fillers")
"""Adverbs that do not end in -ment and may stand between a verb and its predicate."""
RENDERING = tuple(lists_of("fr")["agreement_rendering"])
"""Beginnings of verbs that take an adjective of their object (je la trouve belle)."""


class FrenchWord(msgspec.Struct, frozen=True, gc=False):
    """``low`` is the word in lower case with a straight apostrophe; ``pos`` what the annotator thinks of it."""

    low: str
    start: int
    end: int
    pos: str = ""


def words_of(sentence: Sentence) -> list[FrenchWord]:
    """The words of a sentence, with the annotator's part of speech where it has one."""
    parts = _parts(sentence)
    current = next(parts, None)
    words = []
    for word in spans(sentence.text, "fr", signs=True):
        while current is not None and current[1] <= word.start:
            current = next(parts, None)
        pos = current[2] if current is not None and current[0] < word.end else ""
        words.append(FrenchWord(word.text, word.start, word.end, pos))
    return words


def _parts(sentence: Sentence) -> Iterator[tuple[int, int, str]]:
    for token in sentence.tokens:
        # A pronoun that the annotator left on its hyphen ("-il") begins behind it.
        lead = len(token.text) - len(token.text.lstrip("-"))
        yield token.start + (lead if lead < len(token.text) else 0), token.end, token.pos
