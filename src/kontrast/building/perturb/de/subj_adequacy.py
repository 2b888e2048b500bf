"""Adequacy of the subject: with *sie* the verb's number tells *she* from *they*; the other is another meaning."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.de.grammar import finite_code, finite_verbs, is_ambiguous_sie, other_form, subject_of
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import replaced_word
from kontrast.language.annotation import Sentence

_SWAP = {"s": "p", "p": "s"}


def _other_number(sentence: Sentence) -> Iterator[Candidate]:
    for i in finite_verbs(sentence):
        verb = sentence.tokens[i]
        subject = subject_of(sentence, i)
        code = finite_code(verb)
        if subject is None or code is None or code[1] != "3" or not is_ambiguous_sie(sentence, subject):
            continue
        new = other_form(verb.text, code, code[:2] + _SWAP[code[2]])
        if new is not None and new != verb.text.lower():
            yield candidate(
                "subj_adequacy",
                sentence,
                [replaced_word(verb, new)],
                distance=abs(subject - i),
                words=(verb.text,),
            )


perturbation = Perturbation(
    name="subj_adequacy",
    language="de",
    summary="with the subject sie the verb's number is swapped: she becomes they, or the reverse",
    conditions=(
        "The subject of the clause is sie, or Sie at the start of a sentence, where it may be she, they or you.",
        "Within a sentence Sie with a capital is the polite address: there the other number breaks agreement.",
        "The distance is counted in words from sie to the verb.",
    ),
    examples=(
        Example("Er sagt, dass sie kommen.", "Er sagt, dass sie kommt."),
        Example("Sie hat gewonnen.", "Sie haben gewonnen."),
        Example("Wir sehen sie.", None),
    ),
    function=_other_number,
)
