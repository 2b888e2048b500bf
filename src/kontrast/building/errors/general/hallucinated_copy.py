"""A word of the source left untranslated in any language; only where the source is known (``build errors``)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from kontrast.building.errors.registry import language_of
from kontrast.building.errors.spec import Candidate, Maker, candidate
from kontrast.building.errors.text import unaccented
from kontrast.language.annotation import Sentence, Token

_SHORTEST = 5
_ALIKE = 4  # first letters that the counterpart shares: expensive, *expansivo*


def hallucinated_copy(language: str) -> Maker:
    own = language_of(language)
    is_word = own.is_word if own else None

    def copied(sentence: Sentence) -> Iterator[Candidate]:
        of_source = [word for word in sentence.source.split() if word.isalpha() and word.islower()]
        present = {t.text.lower() for t in sentence.tokens}
        places = [t for t in sentence.tokens if _fits(sentence, t)]
        for word in of_source:
            alike = [t for t in places if _alike(t.text, word) >= _ALIKE]
            if len(word) < _SHORTEST or word in present or len(alike) != 1 or (is_word and is_word(word)):
                continue
            [token] = alike
            nearest = max(of_source, key=lambda other: _alike(other, token.text))
            if nearest != word or unaccented(token.text) in (word, word + "s", word + "d"):
                continue  # intended beside intellectual: intellectuel; vidéos, video: only its accents and s
            yield candidate("hallucinated_copy", sentence, [(token.start, token.end, word)])

    return copied


def _fits(sentence: Sentence, token: Token) -> bool:
    """A whole word in small letters; not *l'argent*, whose article would show it."""
    around = sentence.text[max(0, token.start - 1) : token.start], sentence.text[token.end : token.end + 1]
    plain = token.text.isalpha() and token.text.islower() and len(token.text) >= _SHORTEST
    return plain and around[0] not in ("'", "’", "-") and around[1] != "-"


def _alike(one: str, other: str) -> int:
    """How many letters they begin with alike."""
    pairs = zip(unaccented(one.lower()), unaccented(other.lower()), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
