"""Tense: a finite verb in the present becomes past, or the reverse."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.de.grammar import (
    clause_around,
    finite_code,
    finite_verbs,
    form_features,
    is_polite_request,
    other_form,
    subject_of,
)
from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate, flags
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import readings

_OTHER = {"p": "t", "t": "p"}
_MODAL = frozenset(("werden", "sollen", "wollen", "mögen", "dürfen", "können", "müssen"))
"""Verbs whose past forms have other meanings."""


def _shifted(sentence: Sentence) -> Iterator[Candidate]:
    for i in finite_verbs(sentence):
        token = sentence.tokens[i]
        code, subject = finite_code(token), subject_of(sentence, i)
        lemmas = {r.lemma for r in readings(token.text.lower()) if r.pos == "V"}
        if code is None or subject is None or code[0] not in _OTHER or lemmas & _MODAL:
            continue
        if is_polite_request(sentence, i, subject):
            continue
        new = other_form(token.text, code, _OTHER[code[0]] + code[1:])
        if new is not None and new != token.text.lower():
            edits = [replaced_word(token, new)]
            said = (*_time_features(sentence, i, code), *form_features(sentence, i))
            yield candidate("tense", sentence, edits, words=(token.text,), features=said)


def _time_features(sentence: Sentence, verb: int, code: str) -> tuple[str, ...]:
    """From which tense, beside which other verbs, and whether a perfect is made: *ist gekommen*, *war gekommen*."""
    tokens = sentence.tokens
    clause = clause_around(sentence, verb)
    from_present = code[0] == "p"
    now = "present" if from_present else "past"
    others = {tokens[k].morph.get("Tense", "") for k in finite_verbs(sentence) if k != verb}
    said = flags(
        perfect=any(tokens[k].tag in ("VVPP", "VAPP", "VMPP") for k in clause),
        same_tense_beside=("Pres" if from_present else "Past") in others,
        other_tense_beside=("Past" if from_present else "Pres") in others,
        alone=not others,
    )
    told = "same_tense_beside" in said and not {"other_tense_beside", "perfect"} & set(said)
    said += flags(told_by_verb=told and tokens[-1].text != "?")
    words = (f"{now}.word:{t.text.lower()}" for t in tokens if t.pos in ("ADV", "SCONJ", "PART", "CCONJ", "PUNCT"))
    nouns = (f"{now}.noun:{t.lemma.lower()}" for t in tokens if t.pos == "NOUN")
    return (now, *(f"{now}.{name}" for name in said), *dict.fromkeys((*words, *nouns)))


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
