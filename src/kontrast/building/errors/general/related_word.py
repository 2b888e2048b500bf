"""A noun becomes another of the same kind, as a thesaurus has kinds: *Tisch*, *Stuhl*; *Abend*, *Morgen*."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.general.other_word import in_place
from kontrast.building.errors.general.source_words import translated_words
from kontrast.building.errors.spec import Candidate, Maker, candidate
from kontrast.language.annotation import Sentence
from kontrast.language.bilingual_words import BilingualWords
from kontrast.language.lexicon import Lexicon
from kontrast.language.words import lists_of

_MOST = 3
"""Others of a word that are made, those of the smallest kind and the commonest."""


def related_word(language: str, source: str, lexicon: Lexicon, translations: BilingualWords) -> Maker:
    vague = frozenset(lists_of(language).get("related_vague", ()))

    def changed(sentence: Sentence) -> Iterator[Candidate]:
        present = {token.lemma for token in sentence.tokens}
        for i, lemma, _, meant in translated_words(sentence, source, lexicon, translations):
            token, made = sentence.tokens[i], 0
            if token.pos != "NOUN" or token.lemma != lemma or lemma in vague:
                continue
            for other in translations.same_kind(lemma):
                told = {meant, *translations.back[lemma]} & set(translations.back[other])
                edits = None if told or other in present | vague else in_place(sentence, i, other, lexicon)
                if edits is not None and made < _MOST:
                    made += 1
                    yield candidate("related_word", sentence, edits, words=(token.text,))

    return changed
