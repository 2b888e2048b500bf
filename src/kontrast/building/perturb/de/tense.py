"""Tense: a finite verb in the present becomes past, or the reverse."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.de.grammar import (
    finite_code,
    finite_verbs,
    is_of_two_verbs,
    is_polite_request,
    other_form,
    subject_of,
)
from kontrast.building.perturb.de.speech import SAYING
from kontrast.building.perturb.de.tense_doubts import is_in_label, may_be_past, may_be_present
from kontrast.building.perturb.de.verb_uses import (
    LEFT,
    continues_a_line,
    has_second_verb,
    is_request,
    may_be_infinitive,
    may_be_participle,
)
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import adjective_lemma, readings

_OTHER = {"p": "t", "t": "p"}
_UNREAL = frozenset(
    "wenn falls würde würden hätte hätten wäre wären könnte könnten sollte sollten ob sei seien".split()
)
_TWO_PASTS = tuple(  # bereitete and beritt, hängte and hing: the sense tells which
    "bereiten hängen schaffen bewegen schleifen wiegen erschrecken weichen quellen schwellen schmelzen".split()
)
_WISHED = frozenset("verdienen brauchen wünschen".split())
"""Verbs whose past is read as a subjunctive: *sie verdienten es, zitiert zu werden*."""


def _shifted(sentence: Sentence) -> Iterator[Candidate]:
    for i in finite_verbs(sentence):
        token = sentence.tokens[i]
        code = finite_code(token)
        lemmas = {r.lemma for r in readings(token.text.lower()) if r.pos == "V"}
        if code is None or code[0] not in _OTHER or lemmas & LEFT:
            continue
        subject = subject_of(sentence, i)
        if subject is None or is_polite_request(sentence, i, subject) or is_request(sentence, i):
            continue
        if may_be_infinitive(sentence, i) or may_be_participle(sentence, i) or is_in_label(sentence, i):
            continue
        if token.text == "weiß" and has_second_verb(sentence, i):
            continue
        if sentence.text[: token.start].endswith(")"):
            continue  # (de)aktivieren
        if abs(subject - i) > 1 and token.text.endswith("ten") and adjective_lemma(token.text.lower()):
            continue  # alle vom Benutzer installierten
        new = other_form(token.text, code, _OTHER[code[0]] + code[1:])
        if new is not None and new != token.text.lower():
            weak = _is_perfect(sentence, i) or _may_be_subjunctive(sentence, i) or _reports(sentence, i)
            weak = weak or bool(lemmas & _WISHED) or continues_a_line(sentence, i, subject) or not readings(new)
            weak = weak or (code[0] == "p" and any(lemma.endswith(_TWO_PASTS) for lemma in lemmas))
            weak = weak or (may_be_past(sentence, i, subject) if code[0] == "p" else may_be_present(sentence, i))
            weak = weak or is_of_two_verbs(token.text, code, _OTHER[code[0]] + code[1:])
            yield candidate("tense", sentence, [replaced_word(token, new)], words=(token.text,), weak=weak)


def _reports(sentence: Sentence, i: int) -> bool:
    """*…, sagte Putin*: after what was said both tenses are used."""
    before = sentence.tokens[i - 1].text if i else ""
    said = any(r.lemma in SAYING for r in readings(sentence.tokens[i].text.lower()) if r.pos == "V")
    return said and before in (",", "“", "”", "«", '"')


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
        "Not a form that may be an infinitive beside another verb, or a participle. Weak, so never chosen: perfects "
        "(hat gesehen, hatte gesehen), verbs that report speech after it, and sentences with wenn, falls or a "
        "subjunctive, where a preterite may be one too; forms of two verbs that part in the other tense; "
        "verbs with two pasts (bereiten, hängen).",
        "A present is chosen only beside another verb in the present (a joined one, or one with weil, damit …; none "
        "of a relative clause or behind a colon) or with a time, in a definition (ist ein), or "
        "in what is said of a thing described (Dieses Paket enthält); not beside a past, with gerade, negated, in a "
        "question, in a relative clause, in a condition with the verb first, where a joke begins with it, of saying, "
        "or in the report of a check. Where old times are told (a year, Jahrhundert, antik, König …) only beside "
        "another verb of its subject. A past, not war, only with gestern, damals and the like, "
        "or beside another main clause in the past.",
        "Not werden and the modals, whose past forms have other meanings, and no imperatives (Beachten Sie …).",
    ),
    examples=(
        Example("Die Frau lacht.", "Die Frau lachte."),
        Example("Er ging nach Hause.", "Er geht nach Hause."),
        Example("Sie wird kommen.", None),
    ),
    function=_shifted,
)
