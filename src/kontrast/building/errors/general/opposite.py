"""A word becomes its opposite: *groß*, *klein*; *öffnen*, *schließen*; *Anfang*, *Ende*."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from kontrast.building.checks.english import said_in
from kontrast.building.errors.general.other_word import in_place
from kontrast.building.errors.spec import Candidate, Maker, candidate
from kontrast.language import lexicons
from kontrast.language.annotation import Sentence
from kontrast.language.words import declared

_ENDINGS = ("", "s", "es", "d", "ed", "ing", "r", "er", "st", "est", "ly")


class Opposite(NamedTuple):
    """The other word, and the English words of both."""

    word: str
    english: frozenset[str]
    of_other: frozenset[str]


def opposite(language: str) -> Maker:
    pairs = _pairs(language)
    if not pairs or language not in lexicons.DEFAULTS:
        return lambda _: iter(())
    lexicon = lexicons.lexicon(language)

    def changed(sentence: Sentence) -> Iterator[Candidate]:
        said = _english(sentence.source)
        lemmas = [token.lemma for token in sentence.tokens]
        for i, token in enumerate(sentence.tokens) if said else ():
            found = pairs.get((token.lemma, token.pos))
            if found is None or found.word in lemmas or lemmas.count(token.lemma) > 1:
                continue
            if not said & found.english or said & found.of_other:
                continue
            edits = in_place(sentence, i, found.word, lexicon)
            if edits is not None:
                yield candidate("opposite", sentence, edits, words=(token.text,))

    return changed


@lru_cache
def _pairs(language: str) -> dict[tuple[str, str], Opposite]:
    """By word and class; each row has a class, two words and the English of either."""
    found = {}
    for kind, one, other, *english in declared(language).get("opposites", {}).get("rows", ()):
        of_one, of_other = (frozenset(words.split()) for words in english)
        found[one, kind] = Opposite(other, of_one, of_other)
        found[other, kind] = Opposite(one, of_other, of_one)
    return found


@lru_cache(maxsize=1000)
def _english(source: str) -> frozenset[str]:
    """The words of a source, as they stand and without what may be an ending."""
    words = said_in(source)
    bare = {word.removesuffix(ending) for word in words for ending in _ENDINGS}
    return frozenset(
        bare | {f"{word[:-3]}e" for word in words if word.endswith("ing")} | {f"{w[:-2]}e" for w in words}
    )
