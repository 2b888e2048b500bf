"""A word that is left in the language of the source."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.general.source_words import translated_words
from kontrast.building.errors.spec import Candidate, Perturbation, candidate, doubts
from kontrast.language.annotation import Sentence
from kontrast.language.bilingual_words import BilingualWords
from kontrast.language.lexicon import Lexicon

_CLASSES = ("NOUN", "VERB", "ADJ")
_SHORT = 3


def perturbation(language: str, source: str, lexicon: Lexicon, translations: BilingualWords) -> Perturbation:
    def copied(sentence: Sentence) -> Iterator[Candidate]:
        for i, word, _ in translated_words(sentence, source, translations):
            token = sentence.tokens[i]
            if token.pos not in _CLASSES or not token.text.isalpha() or len(word) <= _SHORT:
                continue
            known = bool(lexicon.analyse(word) or lexicon.analyse(word.capitalize()))
            new = word.capitalize() if i == 0 else word
            yield candidate(
                "untranslated", sentence, [(token.start, token.end, new)], features=doubts(known_word=known)
            )

    return Perturbation(
        name="untranslated",
        language=language,
        summary="a word is left in the language of the source",
        conditions=(
            "A noun, verb or adjective that translates one word of the source by the dictionary.",
            "Not where the source's word is one of the target language too (Computer, Band).",
        ),
        examples=(),
        function=copied,
    )
