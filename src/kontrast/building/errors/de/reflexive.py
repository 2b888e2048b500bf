"""Reflexive pronouns: one of another person than the subject's (*ich freue sich*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.de.grammar import clause_around
from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate, flags
from kontrast.building.errors.text import opens_sentence, replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.words import lists_of

_OWN = {"ich": ("mich", "mir"), "du": ("dich", "dir"), "wir": ("uns",), "ihr": ("euch",)}
_ALWAYS = frozenset(lists_of("de")["always_reflexive"])


def _changed(sentence: Sentence) -> Iterator[Candidate]:
    tokens = sentence.tokens
    for i, token in enumerate(tokens):
        if i and tokens[i - 1].pos == "ADP":
            continue
        subject = next((who for who, forms in _OWN.items() if token.text in forms), None)
        if subject is not None:
            place, new = _subject(sentence, i, subject), "sich"
        elif token.text == "sich":
            place, new = _verb(sentence, i), "uns"
        else:
            continue
        if place is not None:
            after = tokens[i + 1] if i + 1 < len(tokens) else token
            said = flags(opens=opens_sentence(sentence, place), third_person=after.morph.get("Person") == "3")
            edits = [replaced_word(token, new)]
            yield candidate("reflexive", sentence, edits, distance=abs(i - place), features=said)


def _subject(sentence: Sentence, i: int, subject: str) -> int | None:
    """The pronoun in the same clause, two words away at most, with its finite verb beside it."""
    tokens = sentence.tokens
    for k in (i - 1, i - 2, i + 1, i + 2):
        if not 0 <= k < len(tokens) or tokens[k].text.lower() != subject or tokens[k].pos != "PRON":
            continue
        between = tokens[min(i, k) + 1 : max(i, k)]
        if all(t.pos in ("VERB", "AUX", "ADV", "PART") for t in between):
            return k
    return None


def _verb(sentence: Sentence, i: int) -> int | None:
    """The only verb of the clause, if it is finite, always reflexive, and in the third person."""
    tokens = sentence.tokens
    verbs = [k for k in clause_around(sentence, i) if tokens[k].pos in ("VERB", "AUX")]
    if len(verbs) != 1 or tokens[verbs[0]].tag != "VVFIN" or tokens[verbs[0]].morph.get("Person") != "3":
        return None
    return verbs[0] if tokens[verbs[0]].lemma in _ALWAYS else None


perturbation = Perturbation(
    name="reflexive",
    language="de",
    summary="a reflexive pronoun is of another person than the subject",
    conditions=(
        "mich, mir, dich, dir, uns, euch within two words of ich, du, wir, ihr become sich.",
        "sich becomes uns with a verb that is always reflexive (befinden …), the only verb of its clause, in "
        "the third person.",
        "Not behind a preposition.",
        "The distance is counted in words from the pronoun to its subject or verb.",
    ),
    examples=(
        Example("Ich freue mich sehr.", "Ich freue sich sehr."),
        Example("Das Haus befindet sich in Berlin.", "Das Haus befindet uns in Berlin."),
        Example("Er sieht mich.", None),
    ),
    function=_changed,
)
