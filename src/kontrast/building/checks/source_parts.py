"""Does the English source say what an error takes away or turns round: the clause, the negation?"""

from __future__ import annotations

import re
from functools import lru_cache

from kontrast.building.checks.english import has, is_negative
from kontrast.building.errors.spec import Candidate
from kontrast.language.annotation import Sentence
from kontrast.language.words import declared

_AS_LONG, _SHORTER, _MUCH_SHORTER = 1.2, 0.6, 0.62
"""How long a source is beside its text, both taken by characters."""
_LONG = 60
"""Characters from which the lengths of a text and its source can be compared."""
_WORDS = re.compile(r"\w+(?:['’]t\b)?")
_LACKS_PART = "the source lacks a part of the text"


def missing_part(candidate: Candidate, sentence: Sentence, language: str) -> str | None:
    """Why the source does not speak against an omission; None where nothing is known to be missing."""
    source, text = sentence.source, sentence.text
    if len(source) <= len(candidate.text) * _AS_LONG and len(source) <= len(text) * _SHORTER:
        return "the source has no such clause"
    return _LACKS_PART if _lacks_part(sentence) else None


def missing_negation(candidate: Candidate, sentence: Sentence, language: str) -> str | None:
    """Why the source does not speak against a negation that is taken out or put in."""
    if _lacks_part(sentence):
        return _LACKS_PART
    negative = sum(is_negative(word) for word in _WORDS.findall(sentence.source.lower()))
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
