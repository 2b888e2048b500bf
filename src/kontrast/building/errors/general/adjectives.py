"""An adjective beside its noun is left out, or one that the source does not have is added."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from kontrast.building.checks.english import said_in
from kontrast.building.errors.spec import Candidate, Maker, candidate
from kontrast.building.errors.text import deletion, opens_sentence
from kontrast.language.annotation import Sentence
from kontrast.language.words import declared


def added_adjective(language: str) -> Maker:
    words = declared(language).get("additions", {})
    adjectives: list[list[str]] = words.get("adjectives", [])
    weak: dict[str, str] = dict(words.get("endings", ()))

    def added(sentence: Sentence) -> Iterator[Candidate]:
        tokens, said = sentence.tokens, said_in(sentence.source)
        for i in range(1, len(tokens)):
            noun, before = tokens[i], tokens[i - 1]
            cell = f"{before.text.lower()} {noun.morph.get('Number', '')}"
            ending = weak.get(cell) or weak.get(f"{cell} {noun.morph.get('Gender', '')}")
            named = i + 1 < len(tokens) and (tokens[i + 1].pos == "PROPN" or "-" in noun.text)
            if noun.pos != "NOUN" or before.pos != "DET" or ending is None or named or before.end + 1 != noun.start:
                continue
            for adjective, *english in _drawn(adjectives, noun.text):
                if not said & set(english) and adjective not in sentence.text.lower():
                    yield candidate("added_adjective", sentence, [(noun.start, noun.start, f"{adjective}{ending} ")])
                    break

    return added


def _drawn(adjectives: list[list[str]], noun: str) -> list[list[str]]:
    """The adjectives, beginning at another for each noun."""
    start = zlib.crc32(noun.encode()) % max(len(adjectives), 1)
    return [*adjectives[start:], *adjectives[:start]]


_BEFORE = ("DET", "ADP")
_SHORTEST = 4


def adjective_omission(language: str) -> Maker:
    needed = frozenset(declared(language).get("phrases", {}).get("needed_adjectives", ()))

    def shortened(sentence: Sentence) -> Iterator[Candidate]:
        tokens = sentence.tokens
        for i in range(1, len(tokens) - 1) if needed else ():
            token = tokens[i]
            plain = (
                token.pos == "ADJ" and token.text.isalpha() and token.text.islower() and len(token.text) >= _SHORTEST
            )
            if not plain or token.morph.get("Degree", "Pos") != "Pos" or token.morph.get("NumType"):
                continue
            between = tokens[i - 1].pos in _BEFORE and tokens[i + 1].pos == "NOUN" and "end" not in token.text[-5:]
            if not between or opens_sentence(sentence, i) or token.text.startswith(tuple(needed)):
                continue
            alone = [t.lemma for t in tokens].count(tokens[i + 1].lemma) == 1
            if alone and tokens[i - 1].end + 1 == token.start:
                yield candidate("adjective_omission", sentence, deletion(sentence, i))

    return shortened
