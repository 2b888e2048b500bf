"""Adequacy of the subject: with *sie* the verb's number tells *she* from *they*; the other is another meaning."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.de.grammar import finite_code, finite_verbs, is_ambiguous_sie, other_form, subject_of
from kontrast.building.perturb.de.negation import part_around
from kontrast.building.perturb.de.speech import SAYING
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import readings

_SWAP = {"s": "p", "p": "s"}


def _other_number(sentence: Sentence) -> Iterator[Candidate]:
    for i in finite_verbs(sentence):
        verb = sentence.tokens[i]
        subject = subject_of(sentence, i)
        code = finite_code(verb)
        if subject is None or code is None or code[1] != "3" or not is_ambiguous_sie(sentence, subject):
            continue
        if subject == i + 1 and _is_object_or_imperative(sentence, i, code):
            continue
        if sentence.tokens[subject + 1 : subject + 2] and sentence.tokens[subject + 1].pos == "CCONJ":
            continue  # sie und ihr Mann
        shared = _verbs_of(sentence, subject, i)
        edits = [_in_other_number(sentence, k) for k in shared] if shared else [None]
        if all(edits):
            yield candidate(
                "subj_adequacy",
                sentence,
                [edit for edit in edits if edit is not None],
                distance=abs(subject - i),
                words=(verb.text,),
            )


def _verbs_of(sentence: Sentence, subject: int, verb: int) -> list[int]:
    """Every finite verb with this subject: *Sie kamen und gingen*; none where a verb's subject is not found."""
    tokens = sentence.tokens
    found = [verb]
    for k in finite_verbs(sentence):
        if k <= verb:
            continue
        owner = subject_of(sentence, k, shared=True)
        if owner == subject:
            found.append(k)
        elif owner is None and any(t.text in ("und", "oder", "aber", ",") for t in tokens[verb:k]):
            return []
    return found


def _in_other_number(sentence: Sentence, verb: int) -> tuple[int, int, str] | None:
    token = sentence.tokens[verb]
    code = finite_code(token)
    if code is None or code[1] != "3":
        return None
    new = other_form(token.text, code, code[:2] + _SWAP[code[2]])
    return replaced_word(token, new) if new is not None and new != token.text.lower() else None


def _is_object_or_imperative(sentence: Sentence, verb: int, code: str) -> bool:
    """*Er holt Creme, streicht sie in die Waffel*; *Nimm die Spalte - ersetze sie*: with the verb first, what follows
    is the subject only in a question, after a subordinate clause or where speech is reported."""
    tokens = sentence.tokens
    if code[0] == "k" and tokens[verb].pos == "VERB":
        return True  # so haue sie ab
    first = verb == 0 or tokens[verb - 1].pos in ("PUNCT", "CCONJ")
    part = part_around(sentence, verb)
    if not first or tokens[part[-1]].text == "?":
        return False
    if code[0] == "k" or (verb and tokens[verb - 1].text in ("und", "oder")):
        return True  # und nahm sie wahr
    earlier = [k for k in finite_verbs(sentence) if k in part and k < verb]
    speech = any(r.lemma in SAYING for r in readings(tokens[verb].text.lower()) if r.pos == "V")
    if speech or not earlier or tokens[verb - 1].text != ",":
        return False
    owner = subject_of(sentence, earlier[-1])
    # The clause before has the verb last: a subordinate one, on which this one follows.
    return owner is not None and earlier[-1] + 1 < verb - 1 and finite_code(tokens[earlier[-1]]) == code


perturbation = Perturbation(
    name="subj_adequacy",
    language="de",
    summary="with the subject sie the verb's number is swapped: she becomes they, or the reverse",
    conditions=(
        "The subject of the clause is sie, or Sie at the start of a sentence, where it may be she, they or you.",
        "Not with the verb first, where sie may be an object: he fetches it and puts it (streicht sie) somewhere.",
        "Within a sentence Sie with a capital is the polite address: there the other number breaks agreement.",
        "Every verb that shares the subject changes: sie kamen und gingen, sie kam und ging.",
        "The distance is counted in words from sie to the verb.",
    ),
    examples=(
        Example("Er sagt, dass sie kommen.", "Er sagt, dass sie kommt."),
        Example("Sie hat gewonnen.", "Sie haben gewonnen."),
        Example("Wir sehen sie.", None),
    ),
    function=_other_number,
)
