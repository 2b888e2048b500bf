"""Names whose gender the pronoun alone tells: *British Airways … sie*, where the source pronoun surely means them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kontrast.building.pronouns.candidates import NounCandidate
from kontrast.building.pronouns.opinion import word_of
from kontrast.building.pronouns.places import PronounPlace
from kontrast.language.annotation import Sentence

__all__ = ["GENDER_BY_PRONOUN", "with_names"]

GENDER_BY_PRONOUN = "the gender of {} is told by its pronoun alone"
_SURE = 0.6
"""From this share on a name is meant."""
_OTHER = 0.15
"""Not where a noun of the pronoun's gender has this share."""


def with_names(
    place: PronounPlace, sentences: Sequence[Sentence], found: Sequence[NounCandidate], said: dict[str, float]
) -> list[NounCandidate]:
    """The candidates; a name of unknown gender has the pronoun's where a second opinion (``said``) points at it.

    Of *British Airways*, two words of one source name, the last one counts.
    """
    ends = {(c.line, c.source): c.noun.index for c in found if _is_name(sentences, c)}
    found = [c for c in found if not (_is_name(sentences, c) and c.noun.index + 1 == ends[c.line, c.source])]
    fitting = max((said.get(word_of(sentences, c), 0.0) for c in found if c.fits), default=0.0)
    return [
        _told(c, place)
        if fitting < _OTHER and _is_name(sentences, c) and said.get(word_of(sentences, c), 0.0) >= _SURE
        else c
        for c in found
    ]


def _is_name(sentences: Sequence[Sentence], candidate: NounCandidate) -> bool:
    if candidate.fit != "unknown" or candidate.source is None:
        return False
    token = sentences[candidate.line].tokens[candidate.source]
    return token.pos == "PROPN" and (token.tag != "NNPS" or token.entity == "ORG")  # British Airways


def _told(candidate: NounCandidate, place: PronounPlace) -> NounCandidate:
    noun = msgspec.structs.replace(candidate.noun, genders=frozenset(place.target.gender))
    features = {**candidate.features, GENDER_BY_PRONOUN: 1.0}
    return msgspec.structs.replace(candidate, noun=noun, fit="either", features=features)
