"""German errors: which there are, and what German tells the checks of any language."""

from __future__ import annotations

from kontrast.building.checks.english import has
from kontrast.building.checks.nouns_before import of_pronoun
from kontrast.building.errors.spec import Asked, Candidate, ErrorLanguage, Verdict
from kontrast.language.annotation import Sentence, Token


def is_word(word: str) -> bool:
    from kontrast.language.lexicons.german import attested

    return attested(word) or attested(word.capitalize())


def noun_genders(token: Token) -> set[str]:
    """Those of a noun; a name is neuter (Apulien)."""
    from kontrast.language.lexicons.german import usual_readings

    if token.pos == "PROPN":
        return {"n"}
    return {r.feature for r in usual_readings(token.text) if r.pos == "N"} if token.pos == "NOUN" else set()


def _pronoun(candidate: Candidate, sentence: Sentence, language: str) -> Verdict:
    edit, source = candidate.edits[0], sentence.source
    if not has(source, "he", "she") or has(source, "it", "they"):
        if edit.old.strip().lower() == "sie" and has(source, "they") and not has(source, "she", "it"):
            return "the source has a plural"
        if edit.new.strip().lower() == "sie" and has(source, "they") and not has(source, "it"):
            return "the source has the foil's number"
    return of_pronoun(candidate, sentence, language)


def _mood(candidate: Candidate, sentence: Sentence, language: str) -> Verdict:
    """*could* alone may be an ability in the past, which the foil has too."""
    if not has(sentence.source, "unreal"):
        return "the source states a fact"
    could = candidate.edits[0].old.lower().startswith("könnt")
    return "the source's could may be konnte" if could and not has(sentence.source, "would") else None


def _number_of_sie(candidate: Candidate, sentence: Sentence, language: str) -> Verdict:
    """*she* or *they*, *you*: which of them the source has."""
    start, source = candidate.edits[0].start, sentence.source
    familiar = any(t.text.lower() in ("du", "dir", "dich") for t in sentence.tokens)  # you is not sie then
    you = has(source, "you") and not familiar
    many, one = you or has(source, "they"), has(source, "she", "it")
    verb = next((t for t in sentence.tokens if t.start == start), None)
    several = verb is None or verb.morph.get("Number") != "Sing"
    if many != one and several != many:
        return "the source has the foil's subject"
    if not many and not one:
        return "the source has no such subject"
    if you and has(source, "they"):
        return "the source has you and they"
    return False


ASKED: dict[str, Asked] = {"pronoun_gender": _pronoun, "subjunctive": _mood, "subj_adequacy": _number_of_sie}


LINGEVAL97 = (
    "np_agreement",
    "subj_verb_agreement",
    "subj_adequacy",
    "polarity_particle_nicht_del",
    "polarity_particle_kein_del",
    "polarity_affix_del",
    "polarity_particle_nicht_ins",
    "polarity_particle_kein_ins",
    "polarity_affix_ins",
    "auxiliary",
    "verb_particle",
    "compound",
    "transliteration",
)
"""The thirteen errors of LingEval97, in its order."""

_NAMED_ONLY = ("compound",)
"""Readers can still take too many of these for right."""

LANGUAGE = ErrorLanguage(
    "German",
    named_only=_NAMED_ONLY,
    default=tuple(name for name in LINGEVAL97 if name not in _NAMED_ONLY),
    without=("addition", "hallucinated_copy", "negation", "omission", "word_order"),
    style="lingeval97",
    published=LINGEVAL97,
    is_word=is_word,
    noun_genders=noun_genders,
    asked=ASKED,
)
