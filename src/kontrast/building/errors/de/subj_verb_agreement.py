"""Agreement of subject and verb: the finite verb gets the other number (*Die Börse stürzt* → *… stürzen*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.de.grammar import (
    clause_around,
    finite_code,
    finite_verbs,
    form_features,
    is_ambiguous_sie,
    other_form,
    subject_of,
)
from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate, doubts, flags
from kontrast.building.errors.text import opens_sentence, replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import noun_readings, readings, usual_readings
from kontrast.language.lexicons.german_words import DETERMINERS
from kontrast.language.words import lists_of

__all__ = ["EITHER_CASE", "number_features", "perturbation"]

_SWAP = {"s": "p", "p": "s"}
_QUANTITIES = tuple(lists_of("de")["quantities"])
EITHER_CASE = frozenset("es sie das die dies diese was alles alle etwas nichts welche welches keine eine".split())
"""Pronouns that are an accusative as well as a nominative."""


def _disagreeing(sentence: Sentence) -> Iterator[Candidate]:
    for i in finite_verbs(sentence):
        own = subject_of(sentence, i)
        subject = own if own is not None else subject_of(sentence, i, shared=True)
        verb, code = sentence.tokens[i], finite_code(sentence.tokens[i])
        if subject is None or code is None or is_ambiguous_sie(sentence, subject):
            continue
        number = _SWAP[code[2]]
        said = (*number_features(sentence, i, subject, number), *form_features(sentence, i))
        said += flags(
            shared_subject=own is None,
            other_person=code[1] == "1" and sentence.tokens[subject].text.lower() not in ("ich", "wir"),
            reported=code[0] == "k",
            opens=opens_sentence(sentence, i),
            noun_too=verb.text[:1].isupper() and bool(noun_readings(verb.text)),
        )
        codes = [code[:2] + number] + ([code[0] + "3s"] if code[1:] == "1p" else [])  # wir hat
        forms = dict.fromkeys(other_form(verb.text, code, new) for new in codes)
        for new in (form for form in forms if form is not None and form != verb.text.lower()):
            yield candidate(
                "subj_verb_agreement",
                sentence,
                [replaced_word(verb, new)],
                distance=abs(subject - i),
                words=(sentence.tokens[subject].text, verb.text),
                features=(*said, *flags(unknown_foil=not readings(new))),
            )


def number_features(sentence: Sentence, verb: int, subject: int, number: str) -> tuple[str, ...]:
    """Whether the other number is right after all: with another subject, or with the same one taken otherwise."""
    tokens = sentence.tokens
    clause = [k for k in clause_around(sentence, verb) if k != subject]
    nouns = [k for k in clause if tokens[k].pos == "NOUN" and not _is_governed(sentence, k)]
    behind = tokens[subject + 1 : subject + 9] if subject > verb else tokens[subject + 1 : verb]
    noun = tokens[subject]
    either = doubts(
        quantity=any(t.text.endswith(_QUANTITIES) for t in tokens[max(0, subject - 6) : subject + 1]),
        either_or=any(t.text in ("oder", "entweder", "/") for t in tokens[max(0, subject - 3) : subject + 3]),
    )
    return either + flags(
        to_plural=number == "p",
        rival=any(number in _numbers(sentence, k) for k in nouns),
        rival_and_object=_may_be_object(sentence, subject) and any(number in _numbers(sentence, k) for k in nouns),
        both_numbers=noun.pos == "NOUN"
        and _start(sentence, subject) == subject
        and number in _numbers(sentence, subject),
        may_be_joined=number == "p" and any(t.text in ("und", "sowie") for t in behind),
        joined_singulars=number == "s" and any(t.text in ("und", "oder", "sowie") for t in tokens[:verb]),
        relative=noun.tag == "PRELS",
        unknown_subject=noun.pos == "NOUN" and not noun_readings(noun.text),
        announced=noun.text.lower() in ("es", "das"),
    )


def _may_be_object(sentence: Sentence, place: int) -> bool:
    token = sentence.tokens[place]
    if token.pos not in ("NOUN", "PROPN"):
        return token.text.lower() in EITHER_CASE
    return any(code[0] == "a" for r in usual_readings(token.text) for code in r.codes)


def _start(sentence: Sentence, noun: int) -> int:
    """Where the phrase of a noun begins: its determiner, numbers, adjectives."""
    first = noun
    while first and sentence.tokens[first - 1].pos in ("DET", "ADJ", "NUM"):
        first -= 1
    return first


def _is_governed(sentence: Sentence, noun: int) -> bool:
    """Is there a preposition before the phrase, or a noun or *und* that it may belong to?"""
    first = _start(sentence, noun)
    return first > 0 and sentence.tokens[first - 1].pos in ("ADP", "NOUN", "PROPN", "CCONJ")


def _numbers(sentence: Sentence, place: int) -> set[str]:
    """The numbers in which a noun may be a nominative, by its own form and its determiner's."""
    token = sentence.tokens[place]
    phrase = sentence.tokens[_start(sentence, place) : place]
    cells = next((DETERMINERS[t.text.lower()] for t in phrase if t.text.lower() in DETERMINERS), None)
    found = {(r.feature, c[:2]) for r in usual_readings(token.text) for c in r.codes if c[0] == "n"}
    if not found:
        return {"s", "p"} if cells is None else {cell[1] for _, cell in cells if cell[0] == "n"}
    return {cell[1] for gender, cell in found if cells is None or (gender, cell) in cells or ("x", cell) in cells}


perturbation = Perturbation(
    name="subj_verb_agreement",
    language="de",
    summary="the number of a finite verb is swapped",
    conditions=(
        "The verb is finite (full verb, auxiliary, modal; in any position; separable verbs included) and its clause "
        "has a subject, or has it in common with the verb before (er kam und ging).",
        "Person, tense and mood stay; the number becomes the other one (wir haben: habe, and also hat).",
        "Not with the subject sie, where the result is another meaning, not a mistake (subj_adequacy).",
        "The distance is counted in words from subject to verb; the frequency is the smaller of the two words'.",
    ),
    examples=(
        Example("Die Börse stürzt ins Minus.", "Die Börse stürzen ins Minus."),
        Example("Er weiß, dass die Gäste ankommen.", "Er weiß, dass die Gäste ankommt."),
        Example("Geh nach Hause!", None),
    ),
    function=_disagreeing,
)
