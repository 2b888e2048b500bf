"""An error against its source: contradicted by it, allowed by it too, or what it says; English sources.

A foil must be wrong given the source. What the source says itself (the reference was free) is left out; what the
source allows as well as the reference (*you*: du or Sie; *it* without an antecedent) is wrong in its document only,
so it needs the context. A language declares what a source says of errors that only it has (`ErrorLanguage.asked`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from kontrast.building.checks.english import SOURCE, has, is_negative, said_in
from kontrast.building.errors.registry import language_of
from kontrast.building.errors.spec import Asked, Candidate, Verdict
from kontrast.language import annotators
from kontrast.language.annotation import Sentence
from kontrast.language.words import declared, lists_of, ordered, word_set

_LINES = 2
"""Lines around that tell an address at least."""
_FIGURES = re.compile(r"\d+(?:[.,\u00a0\u202f ]\d+)*")
_AS_LONG, _SHORTER, _MUCH_SHORTER = 1.2, 0.6, 0.62
"""How long a source is beside its text, both taken by characters."""
_LONG = 60
"""Characters from which the lengths of a text and its source can be compared."""
_ENGLISH_WORDS = re.compile(r"\w+(?:['’]t\b)?")
_LACKS_PART = "the source lacks a part of the text"


def weighed(found: Sequence[Candidate], sentence: Sentence, language: str, left: Counter[str]) -> list[Candidate]:
    """The candidates that the source does not speak for, marked where it does not speak against them either.

    ``left`` counts those that are left out, by reason.
    """
    if found and _cognates(language) and is_another(sentence.source, sentence.text):
        left["the source is another sentence"] += len(found)
        return []
    kept = []
    for candidate in found:
        ask = _asked(candidate.type, language)
        if ask is None or not sentence.source.strip():
            address = candidate.type == "formality"  # which a sentence alone does not tell
            kept.append(msgspec.structs.replace(candidate, needs_context=True) if address else candidate)
            continue
        verdict = ask(candidate, sentence, language)
        if isinstance(verdict, str):
            left[verdict] += 1
        else:
            kept.append(msgspec.structs.replace(candidate, needs_context=candidate.needs_context or verdict))
    return kept


def _cognates(language: str) -> bool:
    """Has it enough words and names in common with English to tell a source of another sentence?"""
    return bool(declared(language).get("source", {}).get("cognates", False))


def _asked(type: str, language: str) -> Asked | None:
    """What asks the source about an error: the language's own, or one for every language."""
    own = language_of(language)
    if own is not None and type in own.asked:
        return own.asked[type]
    return _missing_negation if type.startswith("polarity_") else _ASKED.get(type)


def _number(candidate: Candidate, sentence: Sentence, language: str) -> Verdict:
    there = _values(sentence.source, SOURCE)
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
    first = lists_of(language).get("below_two", ())
    row = (*first, *ordered(language, "numbers")) if first else ()
    return found.union(str(row.index(word)) for word in re.findall(r"\w+", text.lower()) if word in row)


def _date(candidate: Candidate, sentence: Sentence, language: str) -> Verdict:
    dates, said = declared(language).get("dates", {}), said_in(sentence.source)
    for edit in candidate.edits:
        old, new = (w.strip(" .").lower() for w in (edit.old, edit.new))
        for row, english in (
            (dates.get("months", []), ordered(SOURCE, "months")),
            (dates.get("days", []), ordered(SOURCE, "days")),
        ):
            if old in row and new in row:
                return False if english[row.index(old)].lower() in said else "the source has no such date"
        if old.isdigit() and not any(w.startswith(old) for w in said):
            return "the source has no such date"
    return False


def _formality(candidate: Candidate, sentence: Sentence, language: str) -> Verdict:
    """English has one *you*: only how one is addressed tells, or several lines around and none against them."""
    patterns = {name: _address(language, name) for name in ("familiar", "polite")}
    to_familiar = any(patterns["familiar"].search(edit.new) for edit in candidate.edits)
    of_foil, of_text = ("familiar", "polite") if to_familiar else ("polite", "familiar")
    if has(sentence.source, of_foil) and not has(sentence.source, of_text):
        return "the source has the foil's form of address"
    if has(sentence.source, of_text):
        return False
    own, other = (
        sum(bool(patterns[name].search(text)) for _, text in sentence.nearby) for name in (of_text, of_foil)
    )
    if sentence.nearby and (own < _LINES or other):
        return "the surrounding lines do not show the form of address"
    return True


@lru_cache
def _address(language: str, name: str) -> re.Pattern[str]:
    """What a line has that addresses somebody so, as the language declares it; a pattern that nothing has, if not."""
    return re.compile(declared(language).get("source", {}).get(name, r"(?!)"))


def _name(candidate: Candidate, sentence: Sentence, language: str) -> Verdict:
    """A name of the reference is one of the source too, but for a genitive's s."""
    old = candidate.edits[0].old
    there = {old, old.removesuffix("s")} & set(re.findall(r"\w+", sentence.source))
    return False if there else "the source has no such name"


def _missing_part(candidate: Candidate, sentence: Sentence, language: str) -> str | None:
    """Why the source does not speak against an omission; None where nothing is known to be missing."""
    source, text = sentence.source, sentence.text
    if len(source) <= len(candidate.text) * _AS_LONG and len(source) <= len(text) * _SHORTER:
        return "the source has no such clause"
    return _LACKS_PART if _lacks_part(sentence) else None


def _missing_negation(candidate: Candidate, sentence: Sentence, language: str) -> str | None:
    """Why the source does not speak against a negation that is taken out or put in."""
    if _lacks_part(sentence):
        return _LACKS_PART
    negative = sum(is_negative(word) for word in _ENGLISH_WORDS.findall(sentence.source.lower()))
    if sum(len(edit.new) - len(edit.old) for edit in candidate.edits) > 0:
        own = _negation(language)
        there = sum(own.fullmatch(token.text.lower()) is not None for token in sentence.tokens) if own else negative
        return "the source has the foil's negation" if negative > there else None
    if not negative and not has(sentence.source, "as_good_as_not"):
        return "the source has no such negation"
    return None


def _lacks_part(sentence: Sentence) -> bool:
    return len(sentence.text) >= _LONG and len(sentence.source) < _MUCH_SHORTER * len(sentence.text)


@lru_cache
def _negation(language: str) -> re.Pattern[str] | None:
    """What may translate an English negation, where the language declares it."""
    pattern = declared(language).get("source", {}).get("negation")
    return re.compile(pattern) if pattern else None


_MODALS = word_set("en", "source_tense_modals")
"""Not could, would or might, which may be past or not."""
_HAVE = ("has", "have", "'ve", "’ve")
_TENSES = {"Pres": "present", "Past": "past", "Imp": "past", "Fut": "present"}
_OPEN = "the source has a perfect, could, would or might"
"""*has been*: was or is since; *It might be useful*: peut or pouvait."""


def _tense(candidate: Candidate, sentence: Sentence, language: str) -> Verdict:
    """Does it need the context (None: not known), or why is it left out?

    As many finite verbs on both sides are taken to translate each other in order; else the source must have the
    reference's tense alone.
    """
    source = _english_verbs(sentence.source)
    if source is None:
        return None
    if not source:
        return "the source has no verb"
    verbs = [token for token in sentence.tokens if token.is_finite]
    start = candidate.edits[0].start
    place = next((k for k, token in enumerate(verbs) if token.start <= start < token.end), None)
    old = _TENSES.get(verbs[place].morph.get("Tense", "")) if place is not None else None
    paired = len(verbs) == len(source)
    own = source[place : place + 1] if paired and place is not None else source
    told = [tense for tense in own if tense != "open"]
    if not told:
        return _OPEN
    if old is None:
        return None
    if old not in told:
        return _OPEN if "open" in source and not paired else "the source has the foil's tense"
    return "the source has both tenses" if len(set(told)) > 1 else False


@lru_cache(maxsize=1000)
def _english_verbs(text: str) -> tuple[str, ...] | None:
    """The tenses of the finite verbs of the source, in order; None where nothing reads English here."""
    if not annotators.available(SOURCE):
        return None
    found: list[str] = []
    tokens = next(iter(annotators.get(SOURCE).annotate([text]))).tokens
    for i, token in enumerate(tokens):
        low, behind = token.text.lower(), tokens[i + 1 : i + 4]
        after = behind[0].text.lower() if behind else ""
        if low in _HAVE and ("VBN" in [t.tag for t in behind] or after in ("had", "been")) and after != "to":
            found.append("open")
        elif low == "had" and i and tokens[i - 1].text.lower() in _HAVE:
            continue  # have had
        elif token.tag == "VBD":
            found.append("past")
        elif token.tag in ("VBP", "VBZ") or low in _MODALS:
            found.append("present")
        elif token.tag == "MD":
            found.append("open")
        elif token.tag == "VB" and (i == 0 or tokens[i - 1].text in ",;:."):
            found.append("present")  # an imperative
    return tuple(found)


_ASKED: dict[str, Asked] = {
    "number": _number,
    "date": _date,
    "tense": _tense,
    "formality": _formality,
    "transliteration": _name,
    "negation": _missing_negation,
    "omission": _missing_part,
    "clause_omission": _missing_part,
}
"""Errors that an English source tells something of, in any language."""


# Is a source rather that of another sentence? Lengths, figures, names, cognates and question marks tell together. One
# sign is a free translation; two are a line that has moved, or a paragraph that was cut otherwise in one language.

_COMPARABLE = 40
"""Characters of the longer one from which the two can be compared."""
_USUAL, _AT_ALL = (0.6, 1.6), (0.4, 2.4)
_TWO_FIGURES = re.compile(r"\d[\d.,\u00a0\u202f]*\d")
_NAMES = re.compile(r"\b(?:[A-Z]{3,}|[A-Z]?[a-z]+[A-Z]\w+)\b")
"""*GIMP*, *FreeCol*: the same in all languages."""
_WORD = re.compile(r"[^\W\d_]{4,}")
_CONTENT = re.compile(r"[^\W\d_]{5,}")
_ENOUGH, _LETTERS = 5, 4


@lru_cache(maxsize=1000)
def is_another(source: str, text: str) -> bool:
    """Are there two signs that the source does not belong to the text, or a very different length?

    >>> is_another("Is the background color appended to the map?", "Die Tabelle enthält weniger als 256 Farben.")
    True
    >>> is_another("The table has less than 256 colors, you see.", "Die Tabelle enthält weniger als 256 Farben.")
    False
    """
    if max(len(source), len(text)) < _COMPARABLE or not source.strip():
        return False
    ratio = len(source) / len(text)
    if not _AT_ALL[0] <= ratio <= _AT_ALL[1]:
        return True
    signs = (
        not _USUAL[0] <= ratio <= _USUAL[1],
        _differ(*({re.sub(r"\D", "", f) for f in _TWO_FIGURES.findall(side)} for side in (source, text))),
        _differ(*(set(_NAMES.findall(side)) for side in (source, text))),
        ("?" in source) != ("?" in text),
        _shares_no_word(source.lower(), text.lower()),
    )
    return sum(signs) >= 2


def _differ(one: set[str], other: set[str]) -> bool:
    """Has one side some, and are none of these on the other?"""
    return bool(one or other) and not one & other


def _shares_no_word(source: str, text: str) -> bool:
    """Do long words of both sides never begin alike, though both have several?"""
    ours, theirs = (set(_CONTENT.findall(side)) for side in (source, text))
    if len(ours) < _ENOUGH or len(theirs) < _ENOUGH:
        return False
    starts = {word[:_LETTERS] for word in _WORD.findall(source)}
    return not any(word.startswith(start) or start in word for word in theirs for start in starts)
