"""Formality: the polite *Sie* becomes *du* with its verb and pronouns, or the reverse."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.de.grammar import finite_code, finite_verbs, other_form, subject_of
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import like, opens_sentence
from kontrast.language.annotation import Sentence

Edit = tuple[int, int, str]
_ENDINGS = ("", "e", "en", "em", "er", "es")
_FAMILIAR = {"ihnen": "dir", **{"ihr" + e: "dein" + e for e in _ENDINGS}}
_POLITE = {"dir": "Ihnen", "dich": "Sie", **{"dein" + e: "Ihr" + e for e in _ENDINGS}}


def _other_address(sentence: Sentence) -> Iterator[Candidate]:
    yield from _to_familiar(sentence)
    yield from _to_polite(sentence)


def _to_familiar(sentence: Sentence) -> Iterator[Candidate]:
    edits: list[Edit] = []
    subjects: list[int] = []
    for i in finite_verbs(sentence):
        verb, subject = sentence.tokens[i], subject_of(sentence, i)
        if subject is None or sentence.tokens[subject].text != "Sie":
            continue
        if opens_sentence(sentence, subject) or (
            opens_sentence(sentence, i) and not sentence.text.rstrip().endswith("?")
        ):
            return  # she or they, or an imperative
        code = finite_code(verb)
        new = other_form(verb.text, code, code[0] + "2s") if code in ("p3p", "t3p", "c3p") else None
        if new is None:
            return
        subjects.append(subject)
        pronoun = sentence.tokens[subject]
        edits += [(verb.start, verb.end, like(verb.text, new)), (pronoun.start, pronoun.end, "du")]
    if not edits:
        return
    for i, token in enumerate(sentence.tokens):
        if i in subjects or opens_sentence(sentence, i):
            continue
        if token.text == "Sie" or token.text == "sich":
            edits.append((token.start, token.end, "dich"))
        elif token.text[:1] == "I" and token.text.lower() in _FAMILIAR:
            edits.append((token.start, token.end, _FAMILIAR[token.text.lower()]))
    yield candidate("formality", sentence, edits, chain=len(edits) > 2)


def _to_polite(sentence: Sentence) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for i in finite_verbs(sentence):
        verb, subject = sentence.tokens[i], subject_of(sentence, i)
        if subject is None or sentence.tokens[subject].text.lower() != "du":
            continue
        code = finite_code(verb)
        new = other_form(verb.text, code, code[0] + "3p") if code in ("p2s", "t2s", "c2s") else None
        if new is None:
            return
        pronoun = sentence.tokens[subject]
        edits += [(verb.start, verb.end, like(verb.text, new)), (pronoun.start, pronoun.end, "Sie")]
    if not edits or len(edits) // 2 != sum(t.text.lower() == "du" for t in sentence.tokens):
        return
    for token in sentence.tokens:
        if token.text.lower() in _POLITE:
            edits.append((token.start, token.end, _POLITE[token.text.lower()]))
    yield candidate("formality", sentence, edits, chain=len(edits) > 2)


perturbation = Perturbation(
    name="formality",
    language="de",
    summary="the polite address becomes the familiar one, or the reverse",
    conditions=(
        "Sie within a sentence is the subject of a verb: it becomes du, the verb its second person singular, and all "
        "forms of Sie and Ihr follow; du becomes Sie in the same way.",
        "Not where Sie opens the sentence (she, they or you) and not in imperatives.",
    ),
    examples=(
        Example("Wissen Sie, was Ihnen fehlt?", "Weißt du, was dir fehlt?"),
        Example("Heute kommst du mit deinem Hund.", "Heute kommen Sie mit Ihrem Hund."),
        Example("Heute kommt sie.", None),
    ),
    function=_other_address,
)
