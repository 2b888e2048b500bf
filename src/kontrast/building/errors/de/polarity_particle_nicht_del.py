"""Polarity: the particle *nicht* is taken out, which turns the sentence's meaning round."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.de.grammar import NEGATIVE, clause_around, companions, finite_verbs, sentence_around
from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate, doubts, flags
from kontrast.building.errors.text import deletion
from kontrast.language.annotation import Sentence
from kontrast.language.words import lists_of

_LISTS = {name: frozenset(words) for name, words in lists_of("de").items()}
_NEAR = 4
"""Words between a negation and what it goes badly with."""


def _deleted(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        if token.text not in ("nicht", "Nicht", "NICHT"):
            continue
        first, last = companions(sentence, i)
        said = negation_features(sentence, i)
        alone = (*said, "companion_left") if (first, last) != (i, i) else said
        yield candidate("polarity_particle_nicht_del", sentence, deletion(sentence, i), features=alone)
        if (first, last) != (i, i):
            yield candidate("polarity_particle_nicht_del", sentence, deletion(sentence, first, last), features=said)


def negation_features(sentence: Sentence, i: int) -> tuple[str, ...]:
    """What may keep a sentence from turning round without its negation: questions, fragments, a second negation."""
    tokens, finite = sentence.tokens, set(finite_verbs(sentence))
    clause, whole = clause_around(sentence, i), sentence_around(sentence, i)
    words = [k for k in whole if tokens[k].pos not in ("PUNCT", "CCONJ", "INTJ") and tokens[k].text[0].isalnum()]
    behind = {tokens[k].text.lower() for k in whole if k > i}
    near = {tokens[k].text.lower() for k in clause if abs(k - i) <= _NEAR and k != i}
    after = tokens[i + 1].text.lower() if i + 1 < len(tokens) else ""
    opener = tokens[clause[0]].text.lower()
    return doubts(corrected="sondern" in behind) + flags(
        asks_yes_or_no=tokens[whole[-1]].text == "?" and bool(words) and words[0] in finite,
        no_finite_verb=not any(k in finite for k in clause),
        no_verb=not any(tokens[k].pos in ("VERB", "AUX") for k in clause),
        verb_before=any(k in finite for k in clause if k < i),
        second_negation=any(tokens[k].text.lower() in NEGATIVE for k in clause if k != i),
        or_not="oder" in {t.text.lower() for t in tokens[max(0, i - 2) : i]},
        ends_clause=i == clause[-1],
        opens_clause=i == clause[0],
        bound=after in _LISTS["bound_to_nicht"],
        contrasted=i > 0 and tokens[i - 1].text.lower() in (",", "und", "aber", "jedoch", "oder", "–", "-"),
        resists=bool(near & _LISTS["resists_negation"]),
        bound_opener=opener in _LISTS["open_without_negation"] and opener not in ("was", "wer"),
        noch_before="noch" in near,
        fragment=len(words) <= 3 and not any(k in finite for k in whole),
    )


perturbation = Perturbation(
    name="polarity_particle_nicht_del",
    language="de",
    summary="the negation particle nicht is deleted",
    conditions=(
        "Every nicht that is a word of its own is taken out, one at a time, with the blank before it.",
        "What makes one negation with it goes too: gar nicht, noch nicht, nicht mehr, nicht einmal.",
        "At the sentence start the next word gets the capital.",
    ),
    examples=(
        Example("Das Programm erfüllt seine Funktion nicht.", "Das Programm erfüllt seine Funktion."),
        Example("Nicht alle waren dafür.", "Alle waren dafür."),
        Example("Die Spuren waren nicht mehr zu sehen.", "Die Spuren waren zu sehen."),
        Example("Er sagt nichts.", None),
    ),
    function=_deleted,
)
