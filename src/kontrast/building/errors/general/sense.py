"""A wrong sense or term: a word gives way to a translation of the same source word in another sense."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from kontrast.building.errors.general.other_word import in_place
from kontrast.building.errors.general.source_words import translated_words
from kontrast.building.errors.spec import Candidate, Perturbation, candidate
from kontrast.language.annotation import Sentence
from kontrast.language.bilingual_words import BilingualWords
from kontrast.language.lexicon import Lexicon

_MOST = 3
"""Senses of one word that are made, the commonest."""


def perturbation(language: str, source: str, lexicon: Lexicon, translations: BilingualWords) -> Perturbation:
    def changed(sentence: Sentence) -> Iterator[Candidate]:
        for i, _, meant in translated_words(sentence, source, translations):
            yield from islice(_others(sentence, i, meant), _MOST)

    def _others(sentence: Sentence, i: int, meant: str) -> Iterator[Candidate]:
        token = sentence.tokens[i]
        for other in translations.senses(meant, token.lemma):
            edits = None if other in sentence.text else in_place(sentence, i, other, lexicon)
            if edits is not None:
                yield candidate("sense", sentence, edits, words=(token.text,))

    return Perturbation(
        name="sense",
        language=language,
        summary="a word is replaced by a translation of the same source word in another sense",
        conditions=(
            "A noun, verb, adjective or adverb whose source word the dictionary has with both translations.",
            "The two share no other source word, directly or through their synonyms; the new one is a common word.",
            "It stands in the same form; a determiner and adjectives take its gender.",
        ),
        examples=(),
        function=changed,
    )
