"""Polarity: the article *ein* becomes *kein* in the same form."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import replaced_word
from kontrast.language.annotation import Sentence

_FORMS = frozenset(("ein", "eine", "einen", "einem", "einer", "eines"))
_FIXED_AFTER = frozenset(
    ("paar", "bisschen", "wenig", "gewisser", "gewisse", "gewissen", "jeder", "jedes", "solcher")
)
_FIXED_BEFORE = frozenset(("so", "für", "solch", "welch", "manch", "noch", "nicht", "was", "als", "nur"))
_MEASURES = re.compile(
    "(Sekunde|Minute|Stunde|Tag|Woche|Monat|Jahr|Jahrhundert|Mal|Drittel|Viertel|Großteil|Teil|Reihe|Menge|Vielzahl|Anzahl"
    "|Prozent|Million|Milliarde|Dutzend|Hälfte)[se]?n?$"
)


def _negated(sentence: Sentence) -> Iterator[Candidate]:
    tokens = sentence.tokens
    for i, token in enumerate(tokens):
        if token.text.lower() not in _FORMS or not token.relation.startswith("det") or token.head <= i:
            continue
        before = tokens[i - 1].text.lower() if i else ""
        what = tokens[i - 2].text.lower() if i > 1 else ""
        if tokens[i + 1].text.lower() in _FIXED_AFTER or (
            before in _FIXED_BEFORE and (before != "für" or what == "was")
        ):
            continue
        if _MEASURES.match(tokens[token.head].text):
            continue
        yield candidate("polarity_particle_kein_ins", sentence, [replaced_word(token, "k" + token.text.lower())])


perturbation = Perturbation(
    name="polarity_particle_kein_ins",
    language="de",
    summary="the indefinite article ein becomes kein",
    conditions=(
        "A form of ein that is the article of a noun; its ending and its capital stay.",
        "Not in fixed phrases (ein paar, ein bisschen, was für ein, so ein, noch ein), after nicht, als or nur, nor "
        "with measures (vor einer Woche, um ein Drittel).",
    ),
    examples=(
        Example("Das bedeutet einen Sieg.", "Das bedeutet keinen Sieg."),
        Example("Eine Partei gewann.", "Keine Partei gewann."),
        Example("Wir haben ein paar Fragen.", None),
    ),
    function=_negated,
)
