"""Addition in any language: a phrase is said twice, as a system in a loop does."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.spec import Candidate, Maker, candidate
from kontrast.language.annotation import Sentence
from kontrast.language.words import declared


def addition(language: str) -> Maker:
    openers = frozenset(declared(language).get("clauses", {}).get("function_words", ()))

    def repeated(sentence: Sentence) -> Iterator[Candidate]:
        tokens, text = sentence.tokens, sentence.text
        for i in range(len(tokens) - 1):
            one, other = tokens[i], tokens[i + 1]
            if one.text in openers and other.text.isalpha() and len(other.text) > 3 and one.end + 1 == other.start:
                phrase = text[one.start : other.end]
                if other.text.lower() not in openers and not text[other.end : other.end + 1].isalnum():
                    yield candidate("addition", sentence, [(other.end, other.end, f" {phrase}")])

    return repeated
