"""Subject and verb: the verb gets the other number; with *sie* that tells *she* from *they*."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.errors.de.grammar import (
    IMPERATIVES,
    clause_around,
    finite_code,
    finite_verbs,
    form_features,
    is_ambiguous_sie,
    other_form,
    subject_of,
)
from kontrast.building.errors.spec import Candidate, candidate, doubts, flags
from kontrast.building.errors.text import opens_sentence, replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import noun_readings, readings, usual_readings
from kontrast.language.lexicons.german_words import DETERMINERS
from kontrast.language.words import lists_of

_SWAP = {"s": "p", "p": "s"}
_QUANTITIES = tuple(lists_of("de")["quantities"])
EITHER_CASE = frozenset("es sie das die dies diese was alles alle etwas nichts welche welches keine eine".split())
"""Pronouns that are an accusative as well as a nominative."""


def subj_verb_agreement(sentence: Sentence) -> Iterator[Candidate]:
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


_YOU = re.compile(r"\b(?:you|your)\b")
_SEVERAL = frozenset(lists_of("de")["several"])


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
            features=(*_sie_features(sentence, i, subject, code), *form_features(sentence, i)),
        )


def _sie_features(sentence: Sentence, verb: int, subject: int, code: str) -> tuple[str, ...]:
    """Whether *sie* may be an object, mean another noun, or be told by something that stays."""
    tokens = sentence.tokens
    nouns = [t for t in tokens[:subject] if t.pos == "NOUN"]
    first, last = sorted((subject, verb))
    being = any(r.lemma in ("sein", "werden", "bleiben") for r in readings(tokens[verb].text.lower()) if r.pos == "V")
    others = [t for k, t in enumerate(tokens) if k != subject]
    said = (
        *number_features(sentence, verb, subject, _SWAP[code[2]]),
        *flags(
            verb_first=subject == verb + 1 and (verb == 0 or tokens[verb - 1].pos in ("PUNCT", "CCONJ")),
            apart=any(t.pos == "PUNCT" for t in tokens[first:last]),
            another_sie=any(t.text in ("sie", "Sie") for t in others),
            polite_form=any(t.text in ("Ihnen", "Ihr", "Ihre", "Ihren", "Ihrem", "Ihrer") for t in others),
            plural_noun_before=any(t.morph.get("Number") == "Plur" for t in nouns),
            feminine_noun_before=any("Fem" in t.morph.get("Gender", "") for t in nouns),
            no_noun_before=not nouns,
            predicate_noun=being and any(tokens[k].pos == "NOUN" for k in clause_around(sentence, verb)),
            joined=tokens[subject + 1 : subject + 2] != () and tokens[subject + 1].pos == "CCONJ",
            opens=opens_sentence(sentence, subject),
            one_woman=any(
                tokens[k].pos == "NOUN" and tokens[k].text.endswith("in") for k in clause_around(sentence, verb)
            ),
            you_in_source=_YOU.search(sentence.source.lower()) is not None,
            own_noun_before=any(t.morph.get("Number") == ("Sing" if code[2] == "s" else "Plur") for t in nouns),
        ),
    )
    said += doubts(
        of_several=any(t.text.lower() in _SEVERAL for t in tokens[max(subject - 1, 0) : last + 3]),
        request="verb_first" in said and verb == 0 and "?" not in sentence.text,
    )
    against = {"verb_first", "apart", "another_sie", "polite_form", "predicate_noun", "joined"}
    other = "feminine_noun_before" if code[2] == "p" else "plural_noun_before"
    return (*said, *flags(clear=not {*against, other, "rival_and_object"} & set(said)))


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
