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

_GOVERNING = _LEFT | {"lassen", "helfen", "lernen", "bleiben", "sehen", "hören", "gehen"}
_UNREAL = frozenset(
    "wenn falls würde würden hätte hätten wäre wären könnte könnten sollte sollten ob sei seien".split()
)


def _shifted(sentence: Sentence) -> Iterator[Candidate]:
    for i in finite_verbs(sentence):
        token = sentence.tokens[i]
        code = finite_code(token)
        lemmas = {r.lemma for r in readings(token.text.lower()) if r.pos == "V"}
        if code is None or code[0] not in _OTHER or lemmas & _LEFT:
            continue
        subject = subject_of(sentence, i)
        if subject is None or is_polite_request(sentence, i, subject) or _may_be_infinitive(sentence, i):
            continue
        new = other_form(token.text, code, _OTHER[code[0]] + code[1:])
        if new is not None and new != token.text.lower():
            weak = _is_perfect(sentence, i) or _may_be_subjunctive(sentence, i)
            yield candidate("tense", sentence, [replaced_word(token, new)], words=(token.text,), weak=weak)


def _may_be_infinitive(sentence: Sentence, i: int) -> bool:
    """A form that is an infinitive too, in a part of the sentence with a modal or *werden*: *wird … haben*."""
    tokens = sentence.tokens
    if not any("i" in r.codes for r in readings(tokens[i].text.lower()) if r.pos == "V"):
        return False
    first, last = i, i
    while first > 0 and tokens[first - 1].pos != "PUNCT":
        first -= 1
    while last + 1 < len(tokens) and tokens[last + 1].pos != "PUNCT":
        last += 1
    others = [tokens[k].text.lower() for k in range(first, last + 1) if k != i]
    if tokens[i - 1 : i] and tokens[i - 1].text == "zu":
        return True
    return any(r.lemma in _GOVERNING for low in others for r in readings(low) if r.pos == "V")


def _is_perfect(sentence: Sentence, i: int) -> bool:
    """*ist gekommen* → *war gekommen*: a pluperfect fits almost wherever a perfect does."""
    token = sentence.tokens[i]
    auxiliary = any(r.lemma in ("haben", "sein") for r in readings(token.text.lower()) if r.pos == "V")
    participles = (t for t in sentence.tokens if t.tag in ("VVPP", "VAPP", "VMPP"))
    return auxiliary and (token.relation.startswith("aux") or next(participles, None) is not None)


def _may_be_subjunctive(sentence: Sentence, i: int) -> bool:
    """A preterite that is a subjunctive too, beside *wenn*, *als ob* or another subjunctive."""
    words = {t.text.lower() for t in sentence.tokens}
    return bool(words & _UNREAL)


perturbation = Perturbation(
    name="tense",
    language="de",
    summary="a verb in the present becomes past, or the reverse",
    conditions=(
        "A finite verb in the indicative, with a subject, whose two tenses differ; person and number stay.",
        "Not a form that may be an infinitive beside a modal. Weak, so never chosen: perfects (hat gesehen, hatte "
        "gesehen), and sentences with wenn, falls or a subjunctive, where a preterite may be one too.",
        "Not werden and the modals, whose past forms have other meanings, and no imperatives (Beachten Sie …).",
    ),
    examples=(
        Example("Die Frau lacht.", "Die Frau lachte."),
        Example("Er ging nach Hause.", "Er geht nach Hause."),
        Example("Sie wird kommen.", None),
    ),
    function=_shifted,
)
