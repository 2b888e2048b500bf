"""An error against its source: contradicted by it, allowed by it too, or what it says; English sources.

A foil must be wrong given the source. What the source says itself (the reference was free) is left out; what the
source allows as well as the reference (*you*: du or Sie; *it* without an antecedent) is
wrong in its document only, so it needs the context.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from kontrast.building.checks.nouns_before import is_decided, opens_both
from kontrast.building.checks.source_match import is_another, lacks_part
from kontrast.building.checks.source_parts import NEGATIONS, OMISSIONS, missing
from kontrast.building.checks.source_tense import contradicted
from kontrast.building.errors.spec import Candidate
from kontrast.language.annotation import Sentence
from kontrast.language.words import declared, ordered

__all__ = ["DECIDED", "weighed"]

DECIDED = (
    "number",
    "date",
    "tense",
    "formality",
    "pronoun_gender",
    "subj_adequacy",
    "transliteration",
    "subjunctive",
    *OMISSIONS,
    *NEGATIONS,
)
"""Errors that an English source tells something of."""

_COMPARED = ("de", "fr")
"""Languages that share enough words and names with English to tell a source of another sentence."""
_COGNATES = ("fr",)
"""Those of them that share so many that a part of a sentence can be told to be missing."""
_SAID = ("tense", "negation")
_FIGURES = re.compile(r"\d+(?:[.,\u00a0\u202f ]\d+)*")
_BELOW_TWO = {"en": ("zero", "one"), "de": ("null", "ein"), "fr": ("zéro", "un")}
_HE, _SHE = frozenset("he him his himself".split()), frozenset("she her hers herself".split())
_IT, _THEY = frozenset("it its itself".split()), frozenset("they them their theirs themselves".split())
_YOU = frozenset("you your yours yourself yourselves ya".split())
_REPORTED = re.compile(
    r"\bthey (?:(?:also|then|later|further|\w+ly) )?(?:added|said|stated|told|explained|continued|claimed|wrote|"
    r"noted|concluded|insisted|replied|admitted|recalled|tweeted|posted|commented|remarked|joked|warned)\b"
)
"""English verbs of reported speech, behind which *they* is often one speaker."""
_SEVERAL_FIRST = re.compile(r"\W*(?:they|these|those)\b")
_POLITE = frozenset("sir madam mr mrs ms doctor professor majesty highness lord officer captain".split())
_TO_FAMILIAR = re.compile(r"(?i:du|dir|dich|deine?[mnrs]?|tu|te|toi|ton|ta|tes)\b|t['’]")
_FAMILIAR = frozenset("honey darling sweetie mom mum dad mommy daddy buddy dude kid pal babe bro".split())
_UNREAL = frozenset("would wouldn could couldn should might were had wish if d unless lest".split())
"""What English says of what is not so."""
_UNTOLD = "nothing before the pronoun tells its gender"
_GENDERS = {
    **dict.fromkeys("er ihn ihm il lui le".split(), "m"), **dict.fromkeys("sie ihr elle la".split(), "f"),
    "es": "n", "ils": "m", "eux": "m", "elles": "f",
}  # fmt: skip


def weighed(found: Sequence[Candidate], sentence: Sentence, language: str, left: Counter[str]) -> list[Candidate]:
    """The candidates that the source does not speak for, marked where it does not speak against them either.

    ``left`` counts those that are left out, by reason.
    """
    if found and language in _COMPARED and is_another(sentence.source, sentence.text):
        left["the source is another sentence"] += len(found)
        return []
    if found and _is_copy(sentence):
        left["the source is not translated"] += len(found)
        return []
    kept = []
    for candidate in found:
        if candidate.type not in DECIDED or not sentence.source.strip():
            address = candidate.type == "formality"  # which a sentence alone does not tell
            kept.append(msgspec.structs.replace(candidate, needs_context=True) if address else candidate)
            continue
        verdict = _verdict(candidate, sentence, language)
        if isinstance(verdict, str):
            left[verdict] += 1
        else:
            kept.append(msgspec.structs.replace(candidate, needs_context=candidate.needs_context or verdict))
    return kept


def _is_copy(sentence: Sentence) -> bool:
    """A title or a quotation in a third language: text and source are the same words, three or more."""
    own, theirs = (re.findall(r"\w+", text.lower()) for text in (sentence.text, sentence.source))
    return len(own) > 2 and own == theirs


def _verdict(candidate: Candidate, sentence: Sentence, language: str) -> bool | str | None:
    """Does it need the context (None: not known), or why is it left out?"""
    compared = candidate.type in _SAID and language in _COGNATES
    if compared and lacks_part(sentence.source, sentence.text, candidate.edits[0].start):
        return "the source lacks this part of the text"
    if candidate.type == "number":
        return _number(candidate, sentence, language)
    said = frozenset(re.findall(r"\w+", re.sub("ma['’]am", "madam", sentence.source.lower())))
    if candidate.type == "date":
        return _date(candidate, said, language)
    if candidate.type == "tense":
        return contradicted(candidate, sentence)
    if candidate.type == "formality":
        return _formality(candidate, sentence, said)
    if candidate.type == "transliteration":
        return _name(candidate, sentence)
    if candidate.type in OMISSIONS or candidate.type in NEGATIONS:
        return missing(candidate, sentence, language)
    if candidate.type == "subjunctive":
        told = language != "de" or candidate.edits[0].old.lower().startswith("würd") or bool(said & _UNREAL)
        return None if told else "the source says it as a fact"
    if candidate.type == "subj_adequacy":
        return _number_of_sie(candidate, sentence, said)
    return _gender(candidate, sentence, said, language)


def _number(candidate: Candidate, sentence: Sentence, language: str) -> bool | str:
    there = _values(sentence.source, "en")
    for edit in candidate.edits:
        old, new = _values(edit.old, language), _values(edit.new, language)
        if new <= there and not old <= there:
            return "the source has the foil's number"
        if not old <= there:
            return "the source has no such number"
    return False


@lru_cache(maxsize=64)
def _values(text: str, language: str) -> frozenset[str]:
    """The numbers of a text, in figures without separators: 1,000 and 1.000 are one, eight is 8."""
    found = frozenset(re.sub(r"\D", "", number) for number in _FIGURES.findall(text))
    row = (*_BELOW_TWO[language], *ordered(language, "numbers")) if language in _BELOW_TWO else ()
    return found.union(str(row.index(word)) for word in re.findall(r"\w+", text.lower()) if word in row)


def _date(candidate: Candidate, said: frozenset[str], language: str) -> bool | str:
    dates = declared(language).get("dates", {})
    for edit in candidate.edits:
        for row, english in (
            (dates.get("months", []), ordered("en", "months")),
            (dates.get("days", []), ordered("en", "days")),
        ):
            old, new = (w.strip(" .").lower() for w in (edit.old, edit.new))
            if old in row and new in row:
                if english[row.index(old)].lower() not in said:
                    return "the source has no such date"
                return False
        if edit.old.strip(" .").isdigit() and not any(w.startswith(edit.old.strip(" .")) for w in said):
            return "the source has no such date"
    return False


def _formality(candidate: Candidate, sentence: Sentence, said: frozenset[str]) -> bool | str:
    """English has one *you*: only how one is addressed tells, or the lines around."""
    to_familiar = any(_TO_FAMILIAR.match(edit.new.strip()) for edit in candidate.edits)
    speaks = (said & _POLITE, said & _FAMILIAR)
    if speaks[1 if to_familiar else 0] and not speaks[0 if to_familiar else 1]:
        return "the source has the foil's address"
    if speaks[0 if to_familiar else 1]:
        return False
    if "doubt.other_nearby" in candidate.features:
        return "the lines around have the other address"
    if sentence.nearby and "told_nearby" not in candidate.features:
        return "no line around has the address"
    return True


def _name(candidate: Candidate, sentence: Sentence) -> bool | str:
    """A name of the reference is one of the source too, but for a genitive's s."""
    old = candidate.edits[0].old
    there = {old, old.removesuffix("s")} & set(re.findall(r"\w+", sentence.source))
    return False if there else "the source has no such name"


def _number_of_sie(candidate: Candidate, sentence: Sentence, said: frozenset[str]) -> bool | str:
    """*she* or *they*, *you*: which of them the source has."""
    start = candidate.edits[0].start
    familiar = any(t.text.lower() in ("du", "dir", "dich") for t in sentence.tokens)  # you is not sie then
    you = bool(said & _YOU) and not familiar
    many, one = you or bool(said & _THEY), bool(said & (_SHE | _IT))
    if (not many or one) and not said & _SHE and _open_several(sentence, start):
        many, one = True, False
    verb = next((t for t in sentence.tokens if t.start == start), None)
    several = verb is None or verb.morph.get("Number") != "Sing"
    if many != one and several != many:
        return "the source has the foil's subject"
    if not many and not one:
        return "the source has no such subject"
    if you and said & _THEY:
        return "the source has you and they"
    return many and _may_be_one_speaker(sentence, start)


def _open_several(sentence: Sentence, start: int) -> bool:
    """*These are from a shop*, *Wohl stammt sie aus einem Laden*: is they or these the first word of the source, and
    *sie* beside the verb the first noun or pronoun of the text?"""
    before = [t for t in sentence.tokens if t.start < start and t.pos in ("NOUN", "PROPN", "PRON")]
    return _SEVERAL_FIRST.match(sentence.source.lower()) is not None and all(t.text.lower() == "sie" for t in before)


def _may_be_one_speaker(sentence: Sentence, start: int) -> bool:
    """*They added that …*: may be one person who is not named, where no plural stands before the verb."""
    before = (t for t in sentence.tokens if t.start < start)
    several = any(t.pos == "NOUN" and t.morph.get("Number") == "Plur" for t in before)
    return not several and _REPORTED.search(sentence.source.lower()) is not None


def _gender(candidate: Candidate, sentence: Sentence, said: frozenset[str], language: str) -> bool | str:
    """A person's *he* or *she* tells; *it* and *they* do where only one noun before the pronoun would go with it."""
    edit = candidate.edits[0]
    old, new = (_GENDERS.get(text.strip().lower().rstrip("'")) for text in (edit.old, edit.new))
    person = said & (_HE | _SHE) and not (said & (_IT | _THEY))  # else one of them may be the other
    if person and said & _HE and not said & _SHE and new in ("m", "f"):
        return False if new == "f" else "the source has the foil's gender"
    if person and said & _SHE and not said & _HE and new in ("m", "f"):
        return False if new == "m" else "the source has the foil's gender"
    if person:
        return False
    if edit.old.strip().lower() == "sie" and said & _THEY and not said & (_SHE | _IT):
        return "the source has a plural"
    if language == "de" and edit.new.strip().lower() == "sie" and said & _THEY and not said & _IT:
        return "the source has the foil's number"
    told = bool({"decided", "clear"} & set(candidate.features))
    if opens_both(sentence, edit.start):
        return True if told else _UNTOLD
    if told:
        return False  # the sentence or the source decides
    if not any(t.pos in ("NOUN", "PROPN") for t in sentence.tokens if t.end <= edit.start):
        return _UNTOLD
    number = "Plur" if edit.old.strip().lower() in ("ils", "elles", "eux", "les") else "Sing"
    genders = {old} if old else set(), {new} if new else set()
    return not is_decided(sentence, edit.start, *genders, language, number=number)
