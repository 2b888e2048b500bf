"""What is wrong in a French text before anything is changed: it does not agree with itself."""

from __future__ import annotations

from kontrast.building.errors.fr.agreement import verb_of, with_subject
from kontrast.building.errors.fr.pronoun_uses import is_subject
from kontrast.language.annotation import Sentence
from kontrast.language.french_words import words_of
from kontrast.language.lexicons.lefff import facts_of, lemmas_of

__all__ = ["flaws"]

_SUBJECTS = {"il": ("m", "s"), "elle": ("f", "s"), "on": ("", "s"), "ils": ("m", "p"), "elles": ("f", "p")}


def flaws(sentence: Sentence) -> tuple[str, ...]:
    """Is *tu* beside *votre*, or a verb beside a subject that it does not go with (*qu'il subissent*)?"""
    words = words_of(sentence)
    lows = {word.low for word in words}
    if "tu" in lows and lows & {"votre", "vos"}:
        return ("text.disagreeing",)  # tu … votre vision
    for i, word in enumerate(words):
        if word.low not in _SUBJECTS or not is_subject(words, i):
            continue
        gender, number = _SUBJECTS[word.low]
        at = verb_of(words, i)
        if at is None:
            continue
        form = words[at[0]].low
        codes = [
            c for lemma in lemmas_of(form) for group, c, made in facts_of(lemma) if group == "v" and made == form
        ]
        third = {c[2] for c in codes if len(c) == 3 and c[0] in "PIFJCST" and c[1] == "3"}
        finite = {c for c in codes if len(c) == 3 and c[0] in "PIFJCST"}
        if finite and number not in third:
            return ("text.disagreeing",)  # il subissent, il es
        if gender and any(new != words[k].low for k, new in with_subject(words, i, gender, number)):  # type: ignore[arg-type]
            return ("text.disagreeing",)
    return ()
