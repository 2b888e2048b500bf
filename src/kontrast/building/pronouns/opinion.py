"""A second opinion on the source side: what ``language.pointing`` holds the English pronoun to mean, as features.

The ranker weighs them beside its own. All mentions of one word count together; so do all nouns that none of the
fitting target nouns translates.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

import msgspec

from kontrast.building.pronouns.candidates import NounCandidate
from kontrast.language.annotation import Sentence
from kontrast.language.pointing import Pointed, is_named

__all__ = ["left_by_gender", "shares", "with_opinion", "word_of"]

_LEAST = 1e-3
_SURE = 0.6
"""From this share on a word is meant, and no noun that translates nothing known."""


def shares(pointed: Pointed, sentences: Sequence[Sentence]) -> dict[str, float]:
    """How likely each word is meant, all its mentions together."""
    found: dict[str, float] = defaultdict(float)
    for (line, token), share in pointed.nouns.items():
        found[_word(sentences[line], token)] += share
    return dict(found)


def with_opinion(
    pointed: Pointed | None, sentences: Sequence[Sentence], found: Sequence[NounCandidate]
) -> tuple[list[NounCandidate], dict[str, float]]:
    """The candidates with what is pointed at, and the features for *none of them*.

    Where a fitting noun is surely pointed at, those without a source noun are left out.
    """
    if pointed is None:
        return list(found), {"none, not asked": 1.0}
    said = shares(pointed, sentences)
    sure = any(c.fits and said.get(word_of(sentences, c), 0.0) >= _SURE for c in found)
    made, fitting = [], set()
    for c in found:
        word = word_of(sentences, c)
        if sure and c.fits and not word:
            continue
        share = said.get(word, 0.0) if word else None
        more = {"not pointed at": 1.0} if share is None else {"pointed at": _log(share)}
        if c.fits and word:
            fitting.add(word)
        made.append(msgspec.structs.replace(c, features={**c.features, **more}))
    others = sum(share for word, share in said.items() if word not in fitting)
    none = {
        "none, nothing is pointed at": _log(pointed.nothing),
        "none, an event is pointed at": _log(pointed.event),
        "none, it points elsewhere": _log(pointed.elsewhere),
        "none, another is pointed at": _log(others),
        "none, not pointed at": _log(pointed.nothing + pointed.event + pointed.elsewhere + others),
    }
    return made, none


def left_by_gender(
    pointed: Pointed, sentences: Sequence[Sentence], found: Sequence[NounCandidate], neutral: bool
) -> float:
    """How much is pointed at that the target pronoun may mean: no noun of another gender, and where its form is not
    ``neutral`` something that has a name.
    """
    said = shares(pointed, sentences)
    open_, other = ({word_of(sentences, c) for c in found if (c.fit == "other") is known} for known in (False, True))
    out = sum(said.get(word, 0.0) for word in other - open_)
    return 1 - out - (0.0 if neutral else pointed.nothing + pointed.event)


def word_of(sentences: Sequence[Sentence], candidate: NounCandidate) -> str:
    """The source word of a candidate, that of its head where it is part of a compound; empty where it has none."""
    if candidate.source is None:
        return ""
    sentence, token = sentences[candidate.line], candidate.source
    while not is_named(sentence.tokens[token]) and sentence.tokens[token].relation in ("compound", "flat"):
        token = sentence.tokens[token].head
    return _word(sentence, token)


def _word(sentence: Sentence, token: int) -> str:
    return (sentence.tokens[token].lemma or sentence.tokens[token].text).lower()


def _log(share: float) -> float:
    return math.log(max(share, _LEAST)) / 2
