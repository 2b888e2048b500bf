"""Polarity: the particle *nicht* is taken out, which turns the sentence's meaning round."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import deletion
from kontrast.language.annotation import Sentence


def _deleted(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        if token.text in ("nicht", "Nicht", "NICHT"):
            yield candidate("polarity_particle_nicht_del", sentence, deletion(sentence, i))


perturbation = Perturbation(
    name="polarity_particle_nicht_del",
    language="de",
    summary="the negation particle nicht is deleted",
    conditions=(
        "Every nicht that is a word of its own is taken out, one at a time, with the blank before it.",
        "At the sentence start the next word gets the capital.",
    ),
    examples=(
        Example("Das Programm erfüllt seine Funktion nicht.", "Das Programm erfüllt seine Funktion."),
        Example("Nicht alle waren dafür.", "Alle waren dafür."),
        Example("Er sagt nichts.", None),
    ),
    function=_deleted,
)
