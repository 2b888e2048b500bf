"""Adequacy of the subject: with *sie* the verb's number tells *she* from *they*; the other is another meaning."""

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
from kontrast.building.errors.de.subj_verb_agreement import number_features
from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate, doubts, flags
from kontrast.building.errors.text import opens_sentence, replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import readings
from kontrast.language.words import lists_of

_SWAP = {"s": "p", "p": "s"}
_YOU = re.compile(r"\b(?:you|your)\b")
_SEVERAL = frozenset(lists_of("de")["several"])


def _other_number(sentence: Sentence) -> Iterator[Candidate]:
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


perturbation = Perturbation(
    name="subj_adequacy",
    language="de",
    summary="with the subject sie (or Sie at a sentence's start) the verb's number becomes the other: she or they",
    conditions=(
        "The subject is sie, or Sie where its capital may be that of the sentence's start.",
        "All verbs of the subject change: Sie kam und ging, Sie kamen und gingen; where one is not known, none.",
        "`build errors` looks in an English source for she, they or you, and leaves out what the source says.",
        "The distance is counted in words from subject to verb; the frequency is the verb's.",
    ),
    examples=(
        Example("Sie lacht.", "Sie lachen."),
        Example("Er weiß, dass sie kommen.", "Er weiß, dass sie kommt."),
        Example("Die Frau lacht.", None),
    ),
    function=_other_number,
)
