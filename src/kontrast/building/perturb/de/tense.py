"""Tense: a finite verb in the present becomes past, or the reverse."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.de.grammar import finite_code, finite_verbs, is_polite_request, other_form, subject_of
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import readings

_OTHER = {"p": "t", "t": "p"}
_LEFT = frozenset(("werden", "sollen", "wollen", "mögen", "dürfen", "können", "müssen"))


def _shifted(sentence: Sentence) -> Iterator[Candidate]:
    for i in finite_verbs(sentence):
        token = sentence.tokens[i]
        code = finite_code(token)
        lemmas = {r.lemma for r in readings(token.text.lower()) if r.pos == "V"}
        if code is None or code[0] not in _OTHER or lemmas & _LEFT:
            continue
        subject = subject_of(sentence, i)
        if subject is None or is_polite_request(sentence, i, subject):
            continue
        new = other_form(token.text, code, _OTHER[code[0]] + code[1:])
        if new is not None and new != token.text.lower():
            yield candidate("tense", sentence, [replaced_word(token, new)], words=(token.text,))


perturbation = Perturbation(
    name="tense",
    language="de",
    summary="a verb in the present becomes past, or the reverse",
    conditions=(
        "A finite verb in the indicative, with a subject, whose two tenses differ; person and number stay.",
        "Not werden and the modals, whose past forms have other meanings, and no imperatives (Beachten Sie …).",
    ),
    examples=(
        Example("Die Frau lacht.", "Die Frau lachte."),
        Example("Er ging nach Hause.", "Er geht nach Hause."),
        Example("Sie wird kommen.", None),
    ),
    function=_shifted,
)
