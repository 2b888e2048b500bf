"""Clitics before the verb in the wrong order: lui le for le lui, le me for me le, se ne for ne se."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate
from kontrast.building.errors.text import like
from kontrast.language.annotation import Sentence
from kontrast.language.french_words import words_of

_PAIRS = frozenset(
    (one, other)
    for ones, others in (
        ("me te se", "le la les"),
        ("le la les", "lui leur"),
        ("ne", "me te se le la les lui leur"),
        ("lui leur", "en"),
    )
    for one in ones.split()
    for other in others.split()
)
_VOWELS = "aeiouyàâéèêëîïôûœh"


def _changed(sentence: Sentence) -> Iterator[Candidate]:
    words = words_of(sentence)
    for i in range(len(words) - 2):
        one, other, verb = words[i : i + 3]
        if (one.low, other.low) not in _PAIRS or verb.pos not in ("VERB", "AUX") or verb.low[0] in _VOWELS:
            continue
        if sentence.text[other.start].isupper():
            continue  # ne Le saisissent: of God
        old = sentence.text[one.start : one.end]
        edits = [(one.start, one.end, like(old, other.low)), (other.start, other.end, one.low)]
        yield candidate("clitic_order", sentence, edits)


perturbation = Perturbation(
    name="clitic_order",
    language="fr",
    summary="two clitics before the verb change places",
    conditions=(
        "me, te, se before le, la, les; le, la, les before lui, leur; ne before any; lui, leur before en.",
        "The verb begins with a consonant, so that nothing is elided.",
    ),
    examples=(
        Example("Elle le lui donne.", "Elle lui le donne."),
        Example("Il ne se lave pas.", "Il se ne lave pas."),
        Example("Elle lui donne un livre.", None),
    ),
    function=_changed,
)
