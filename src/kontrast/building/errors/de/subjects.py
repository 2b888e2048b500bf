"""Subject and verb: the verb gets the other number; with *sie* that tells *she* from *they*."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.de.grammar import (
    IMPERATIVES,
    LISTS,
    clause_around,
    finite_code,
    finite_verbs,
    is_ambiguous_sie,
    other_form,
    subject_of,
)
from kontrast.building.errors.spec import Candidate, candidate, doubts, flags
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import noun_readings, usual_readings
from kontrast.language.lexicons.german_words import DETERMINERS
from kontrast.language.words import word_set

_SWAP = {"s": "p", "p": "s"}
_QUANTITIES = tuple(LISTS["quantities"])
EITHER_CASE = word_set("de", "subjects_either_case")
"""Pronouns that are an accusative as well as a nominative."""


def subj_verb_agreement(sentence: Sentence) -> Iterator[Candidate]:
    for i in finite_verbs(sentence):
        own = subject_of(sentence, i)
        subject = own if own is not None else subject_of(sentence, i, shared=True)
        verb, code = sentence.tokens[i], finite_code(sentence.tokens[i])
        if subject is None or code is None or is_ambiguous_sie(sentence, subject):
            continue
        number = _SWAP[code[2]]
        said = _number_features(sentence, i, subject, number)
        said += flags(reported=code[0] == "k", noun_too=verb.text[:1].isupper() and bool(noun_readings(verb.text)))
        codes = [code[:2] + number] + ([code[0] + "3s"] if code[1:] == "1p" else [])  # wir hat
        forms = dict.fromkeys(other_form(verb.text, code, new) for new in codes)
        for new in (form for form in forms if form is not None and form != verb.text.lower()):
            yield candidate(
                "subj_verb_agreement",
                sentence,
                [replaced_word(verb, new)],
                distance=abs(subject - i),
                words=(sentence.tokens[subject].text, verb.text),
                features=said,
            )


def _number_features(sentence: Sentence, verb: int, subject: int, number: str) -> tuple[str, ...]:
    """Whether the other number is right after all: with another subject, or with the same one taken otherwise."""
    tokens = sentence.tokens
    nouns = [k for k in clause_around(sentence, verb) if k != subject and tokens[k].pos == "NOUN"]
    rival = any(number in _numbers(sentence, k) for k in nouns if not _is_governed(sentence, k))
    behind = tokens[subject + 1 : subject + 9] if subject > verb else tokens[subject + 1 : verb]
    return doubts(
        quantity=any(t.text.endswith(_QUANTITIES) for t in tokens[max(0, subject - 6) : subject + 1])
    ) + flags(
        rival_and_object=_may_be_object(sentence, subject) and rival,
        may_be_joined=number == "p" and any(t.text in ("und", "sowie") for t in behind),
        relative=tokens[subject].tag == "PRELS",
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


def subj_adequacy(sentence: Sentence) -> Iterator[Candidate]:
    tokens = sentence.tokens
    for i in finite_verbs(sentence):
        subject, code = subject_of(sentence, i), finite_code(tokens[i])
        if subject is None or code is None or code[1] != "3" or not is_ambiguous_sie(sentence, subject):
            continue
        if subject and tokens[subject - 1].text.lower() in IMPERATIVES:
            continue  # gib sie ein
        shared = _verbs_of(sentence, subject, i)
        edits = [_in_other_number(sentence, k) for k in shared]
        if not edits or not all(edits):
            continue
        yield candidate(
            "subj_adequacy",
            sentence,
            [edit for edit in edits if edit is not None],
            distance=abs(subject - i),
            words=(tokens[i].text,),
            features=_sie_features(sentence, i, subject),
        )


def _sie_features(sentence: Sentence, verb: int, subject: int) -> tuple[str, ...]:
    """Whether *sie* may mean another noun, or be told by something that stays."""
    tokens = sentence.tokens
    clause = [tokens[k] for k in clause_around(sentence, verb)]
    near = tokens[max(subject - 1, 0) : max(subject, verb) + 3]
    return doubts(of_several=any(t.text.lower() in LISTS["several"] for t in near)) + flags(
        another_sie=any(t.text in ("sie", "Sie") for k, t in enumerate(tokens) if k != subject),
        one_woman=any(t.pos == "NOUN" and t.text.endswith("in") for t in clause),
    )


def _verbs_of(sentence: Sentence, subject: int, verb: int) -> list[int]:
    """Every finite verb with this subject (*Sie kamen und gingen*); none where a joined verb's subject is not
    found, for all of them change or none."""
    tokens = sentence.tokens
    found = [verb]
    for k in finite_verbs(sentence):
        if any(t.text in ":.!?" for t in tokens[verb:k]):
            break
        if k <= verb:
            continue
        owner = subject_of(sentence, k, shared=True)
        if owner == subject:
            found.append(k)
        elif owner is None and any(t.text in ("und", "oder", "aber", ",") for t in tokens[verb:k]):
            return []
    clause = clause_around(sentence, verb)
    joined = any(tokens[k].pos == "CCONJ" for k in clause if k > verb)
    loose = any(tokens[k].tag == "VVINF" for k in clause if k > verb) and tokens[verb].tag == "VVFIN"
    return [] if joined and loose else found  # Sie treten unter und warten


def _in_other_number(sentence: Sentence, verb: int) -> tuple[int, int, str] | None:
    token, code = sentence.tokens[verb], finite_code(sentence.tokens[verb])
    if code is None or code[1] != "3":
        return None
    new = other_form(token.text, code, code[:2] + _SWAP[code[2]])
    return replaced_word(token, new) if new is not None and new != token.text.lower() else None
