"""Tense: a finite verb in the present becomes past, or the reverse."""

from __future__ import annotations

import re
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
from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate, doubts, flags
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import readings
from kontrast.language.words import lists_of

_LISTS = {name: frozenset(words) for name, words in lists_of("de").items()}
_YEAR = re.compile(r"\b1[0-9]{3}\b|\b20[0-2][0-9]\b")
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
    small = {t.text.lower() for t in tokens}
    said += flags(
        now=bool(small & _LISTS["now"]),
        then=bool(small & _LISTS["then"]),
        year=_YEAR.search(sentence.text) is not None,
        no_source=not sentence.source.strip(),
        subordinate=any(tokens[k].tag in ("KOUS", "PRELS", "PRELAT", "PWAV", "PWS") for k in clause if k < verb),
        is_copula=any(r.lemma in ("sein", "haben") for r in readings(tokens[verb].text.lower()) if r.pos == "V"),
        doubtful_past=_two_pasts(tokens[verb].text),
    )
    says = bool({r.lemma for r in readings(tokens[verb].text.lower()) if r.pos == "V"} & _LISTS["said"])
    return (now, *(f"{now}.{name}" for name in said), *doubts(reports=says and not from_present))


def _two_pasts(word: str) -> bool:
    """*hängt*: *hing* and *hängte* are of two verbs with one present."""
    lemmas = {r.lemma for r in readings(word.lower()) if r.pos == "V"}
    return len(lemmas) > 1 or bool(lemmas & _LISTS["two_pasts"])


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
