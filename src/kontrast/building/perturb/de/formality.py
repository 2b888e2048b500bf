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
    tokens = sentence.tokens
    edits: list[Edit] = []
    converted: set[int] = set()
    for i in finite_verbs(sentence):
        verb, subject = tokens[i], subject_of(sentence, i)
        if subject is None or tokens[subject].text != "Sie":
            continue
        code = finite_code(verb)
        new = other_form(verb.text, code, code[0] + "2s") if code in ("p3p", "t3p", "c3p") else None
        if new is None or opens_sentence(sentence, subject) or _may_be_imperative(sentence, i, subject):
            return
        converted |= {i, subject}
        edits += [(verb.start, verb.end, like(verb.text, new)), (tokens[subject].start, tokens[subject].end, "du")]
    for i, token in enumerate(tokens):
        if token.text == "Sie" and i not in converted:
            return  # an object, or a subject whose verb was not found: all or nothing
        if token.text == "sich":
            if i - 1 not in converted:
                return
            edits.append((token.start, token.end, "dich"))
        elif token.text[:1] == "I" and token.text.lower() in _FAMILIAR and not opens_sentence(sentence, i):
            edits.append((token.start, token.end, _FAMILIAR[token.text.lower()]))
    if converted:
        yield candidate("formality", sentence, edits, chain=len(edits) > 2)


def _may_be_imperative(sentence: Sentence, verb: int, subject: int) -> bool:
    """*Beachten Sie …*: a full verb right before Sie with nothing of its clause before it."""
    if subject != verb + 1 or sentence.text.rstrip().endswith("?") or sentence.tokens[verb].pos == "AUX":
        return False
    before = sentence.tokens[verb - 1] if verb else None
    return before is None or before.pos in ("PUNCT", "CCONJ") or before.text.lower() == "bitte"


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
