"""A person or place gives way to another of the document: *Angela* for *Maria*, *Berlin* for *Paris*."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from kontrast.building.checks.english import SOURCE, has_person
from kontrast.building.errors.spec import Candidate, Maker, candidate
from kontrast.building.errors.text import opens_sentence
from kontrast.language import annotators
from kontrast.language.annotation import Sentence
from kontrast.language.english_words import is_ordinary
from kontrast.language.words import declared

_WHERE = ("in", "near", "around", "outside")
_EITHER = (
    *_WHERE,
    "from",
    "to",
    "and",
    "the",
    "of",
    "at",
    "through",
    "past",
    "into",
    "across",
    "on",
    "for",
    "via",
    "between",
)
"""Behind the first a name is taken for a place, behind none of all for a person; the pipeline has to agree."""
_ODD = ("PROPN", "X", "NUM")
"""Beside these a name is part of another."""
_NAME = re.compile(r"\b[A-ZÀ-Ý][a-zà-ÿ]{2,}\b")


def name_swap(language: str) -> Maker:
    # à Cuba, but en France and au Texas: the other place has to stand behind the same word.
    by_preposition = bool(declared(language).get("agreement", {}).get("contracting"))

    def swapped(sentence: Sentence) -> Iterator[Candidate]:
        """The nearest name of the same kind that neither the sentence nor its source has."""
        tokens, source = sentence.tokens, sentence.source
        own = names_in(source, sentence.text) if source and sentence.nearby else {}
        for i, token in enumerate(tokens):
            kind = own.get(token.text)
            if kind is None or (i and tokens[i - 1].pos == "DET"):  # die Schweiz
                continue
            if any(_is_odd(sentence, k) for k in (i - 1, i + 1) if 0 <= k < len(tokens)):
                continue
            fixed = tokens[i - 1].text if i and kind == "GPE" and by_preposition else ""
            others = (
                name
                for pair in sentence.nearby
                for name, other in names_in(*pair).items()
                if other == kind
                and (not fixed or f"{fixed} {name}" in pair[1])
                and (kind == "GPE" or has_person(pair[0]))  # programs and firms are taken for persons too
            )
            new = next((name for name in others if name not in source and name not in sentence.text), None)
            if new is not None:
                yield candidate("name_swap", sentence, [(token.start, token.end, new)])

    return swapped


def _is_odd(sentence: Sentence, k: int) -> bool:
    token = sentence.tokens[k]
    named = (
        token.text[:1].isupper()
        and token.pos not in ("ADP", "VERB", "AUX", "NOUN")
        and not opens_sentence(sentence, k)
    )
    return token.pos in _ODD or named or token.text in ("-", "'", "’", "/")


@lru_cache(maxsize=10_000)
def names_in(source: str, text: str) -> dict[str, str]:
    """Names of one word that a text and its English source have once each, with their kind.

    None where nothing reads English here.
    """
    both = {word for word in _NAME.findall(source) if source.count(word) == text.count(word) == 1}
    if all(map(is_ordinary, both)) or not annotators.available(SOURCE):
        return {}
    tokens = next(iter(annotators.get(SOURCE, entities=True).annotate([source]))).tokens
    found = {}
    for i, token in enumerate(tokens):
        beside = [tokens[k].entity for k in (i - 1, i + 1) if 0 <= k < len(tokens)]
        if token.text not in both or token.entity in beside or is_ordinary(token.text):
            continue
        before = tokens[i - 1].text.lower() if i else ""
        kind = "GPE" if before in _WHERE else "" if before in _EITHER else "PERSON"
        if token.entity == kind:
            found[token.text] = token.entity
    return found
