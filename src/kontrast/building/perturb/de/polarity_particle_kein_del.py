"""Polarity: *kein* becomes *ein* in the same form."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import replaced_word
from kontrast.language.annotation import Sentence

_FORMS = frozenset(("kein", "keine", "keinen", "keinem", "keiner", "keines"))


def _affirmed(sentence: Sentence) -> Iterator[Candidate]:
    for token in sentence.tokens:
        if token.text.lower() in _FORMS:
            edit = replaced_word(token, token.text[1:].lower())
            yield candidate("polarity_particle_kein_del", sentence, [edit])


perturbation = Perturbation(
    name="polarity_particle_kein_del",
    language="de",
    summary="the negative determiner kein becomes ein",
    conditions=(
        "Every form of kein loses its k, one at a time; its ending and its capital stay.",
        "keinerlei and keineswegs are left alone.",
    ),
    examples=(
        Example("Allerdings bedeutet dies noch keinen Sieg.", "Allerdings bedeutet dies noch einen Sieg."),
        Example("Keine andere Partei gewann.", "Eine andere Partei gewann."),
        Example("Das ist keineswegs sicher.", None),
    ),
    function=_affirmed,
)
