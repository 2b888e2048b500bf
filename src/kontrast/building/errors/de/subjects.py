"""Subject and verb: the verb gets the other number; with *sie* that tells *she* from *they*."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.de.grammar import (
    LISTS,
    changed_verb,
    clause_around,
    finite_code,
    finite_verbs,
    is_ambiguous_sie,
    other_form,
    subject_of,
)
from kontrast.building.errors.spec import Candidate, candidate, doubts, error, flags
from kontrast.building.errors.text import all_or_none, replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import noun_readings

_SWAP = {"s": "p", "p": "s"}
_QUANTITIES = tuple(LISTS["quantities"])


@error("grammar")
def subj_verb_agreement(sentence: Sentence) -> Iterator[Candidate]:
    """The number of a finite verb is swapped.

    The verb is finite (full verb, auxiliary or modal, in any position, also separable). Its clause has a subject or
    shares the subject of the verb before it (er kam und ging). The number changes; person, tense and mood do not. wir
    haben becomes habe or hat. The subject sie is left out, because the result has another meaning and no grammar
    error (see subj_adequacy), unless the subject has another verb that stays (Sie kam und gingen).

    - Die Börse stürzt ins Minus. → Die Börse stürzen ins Minus.
    - Er weiß, dass die Gäste ankommen. → Er weiß, dass die Gäste ankommt.
    """
    for i in finite_verbs(sentence):
        subject = subject_of(sentence, i, shared=True)
        verb, code = sentence.tokens[i], finite_code(sentence.tokens[i])
        if subject is None or code is None:
            continue
        if is_ambiguous_sie(sentence, subject) and not _has_another_verb(sentence, subject, i):
            continue  # she or they: that is subj_adequacy's
        number = _SWAP[code[2]]
        said = _number_features(sentence, i, subject, number)
        said += flags(reported=code[0] == "k", noun_too=verb.text[:1].isupper() and bool(noun_readings(verb.text)))
        codes = [code[:2] + number] + ([code[0] + "3s"] if code[1:] == "1p" else [])  # wir hat
        forms = dict.fromkeys(other_form(verb.text, code, new) for new in codes)
        for new in (form for form in forms if form is not None and form != verb.text.lower()):
            edits, words = [replaced_word(verb, new)], (sentence.tokens[subject].text, verb.text)
            yield candidate(sentence, edits, distance=abs(subject - i), words=words, features=said)


def _has_another_verb(sentence: Sentence, subject: int, verb: int) -> bool:
    """*Sie kam und ging*: does another verb stay that tells the number of the same subject?"""
    return any(k != verb and subject_of(sentence, k, shared=True) == subject for k in finite_verbs(sentence))


def _number_features(sentence: Sentence, verb: int, subject: int, number: str) -> tuple[str, ...]:
    """Whether the other number is right after all, with the subject taken otherwise."""
    tokens = sentence.tokens
    behind = tokens[subject + 1 : subject + 9] if subject > verb else tokens[subject + 1 : verb]
    before = tokens[max(0, subject - 6) : subject + 1]
    joined = number == "p" and any(t.text in ("und", "sowie") for t in behind)
    said = flags(may_be_joined=joined, relative=tokens[subject].tag == "PRELS")
    return doubts(quantity=any(t.text.endswith(_QUANTITIES) for t in before)) + said


@error("sense")
def subj_adequacy(sentence: Sentence) -> Iterator[Candidate]:
    """The number of the verb of sie changes, so that she becomes they or the reverse.

    The subject is sie, or Sie at the start of a sentence. All verbs of the subject change: Sie kam und ging, Sie
    kamen und gingen. If a form of one verb is unknown, none changes. `build errors` searches an English source for
    she, they or you, and leaves out candidates that agree with the source.

    - Sie lacht. → Sie lachen.
    - Er weiß, dass sie kommen. → Er weiß, dass sie kommt.
    """
    tokens = sentence.tokens
    for i in finite_verbs(sentence):
        subject, code = subject_of(sentence, i), finite_code(tokens[i])
        if subject is None or code is None or code[1] != "3" or not is_ambiguous_sie(sentence, subject):
            continue
        shared = _verbs_of(sentence, subject, i)
        edits = all_or_none([changed_verb(tokens[k], lambda code: code[:2] + _SWAP[code[2]]) for k in shared])
        if not edits:
            continue
        said = flags(another_sie=any(t.text in ("sie", "Sie") for k, t in enumerate(tokens) if k != subject))
        yield candidate(sentence, edits, distance=abs(subject - i), words=(tokens[i].text,), features=said)


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
