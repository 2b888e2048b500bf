"""Does the English source say what an error takes away or turns round: the clause, the negation, the adjective?"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from kontrast.building.errors.spec import Candidate
from kontrast.building.errors.text import unaccented
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german_words import word_lists
from kontrast.language.words import declared

__all__ = ["NEGATIONS", "OMISSIONS", "missing"]

NEGATIONS = (
    "negation",
    "polarity_affix",
    "polarity_affix_del",
    "polarity_affix_ins",
    "polarity_particle_kein_del",
    "polarity_particle_kein_ins",
    "polarity_particle_nicht_del",
    "polarity_particle_nicht_ins",
)
OMISSIONS = ("clause_omission", "omission")

_AS_LONG, _SHORTER, _MUCH_SHORTER = 1.2, 0.6, 0.62
_ALIKE = (0.6, 1.4)
"""How long a source is beside its text, both taken by characters."""
_LONG = 60
"""Characters from which the lengths of a text and its source can be compared."""
_WORDS = re.compile(r"\w+(?:['’]t\b)?")
_INFINITIVE = re.compile(r"\bin order\b|\bto (?=[a-z])(?!(?:the|an?|th[eo]se|this|that|\w+r|its|any|each|all|one)\b)")
"""*to erase*, *in order that*: no preposition of a phrase; *to a*, *to your*, *to another* are."""
_COGNATE = 4
"""Letters that a word and its cognate begin with."""
_PREFIXED = re.compile(
    r"un\w{4,}|(?:dis(?=abl|advan|agree|allow|appear|believ|conn|comf|conten|hon|loyal|obe|order|prop|resp|satis|simil|unit)|"
    r"in(?=accu|acti|adequ|appr|capa|comp|corr|consis|dep|diff|direct|effi|equal|exact|exper|fin|frequ|just|noc|secur|"
    r"suffi|tract|valid|valu|visib|stab|toler)|"
    r"im(?=matur|moral|mort|mov|parti|pass|patien|perfec|polit|poss|preci|prob|pure)|"
    r"il(?=leg|limit|log)|ir(?=ratio|regul|relev|respe|respon|rever)|non(?=\w{4}))\w+|\w{3,}less(?:ly|ness)?"
)
_NO_PREFIX = tuple("under undo unic unif unio uniq unis unit univ unles until incompa nonet unless".split())
"""Beginnings of words that only look as if they had such a prefix."""
_NOT = frozenset(
    "not no never none nobody noone nothing nowhere neither nor cannot without hardly barely scarcely unable "
    "nay nope non".split()
)
_AS_GOOD_AS_NOT = frozenset(
    "fail fails failed refuse refuses refused lack lacks lacking lacked avoid avoids prevent prevents prevented stop "
    "stopped instead rather too few little rarely seldom absent absence missing miss unless but only forbid "
    "forbidden deny denied empty free loose lost loses lose false wrong bad ill poor except exclude excluded "
    "ignore ignored "
    "otherwise against until anymore anything anyone anybody ever yet far freelance odd strange beware keep away "
    "doubt doubtful rid abandon abandoned former hidden hide hides".split()
)
"""English words that a German or French negation may translate."""
_NEGATION = {
    "de": re.compile(
        r"un\w{4,}|nicht\w*|kein\w*|ohne|nie|niemals|niemand\w*|nirgend\w*|kaum|weder|ohne\w*|nein|statt\w*|fehl\w+|"
        r"ver(?:bot|hinder|mied|meid)\w*|\w+los(?:e[nmrs]?)?|\w+(?:frei|leer)(?:e[nmrs]?)?|miss\w+|in(?:kom|sta|akt|eff)\w+"
    ),
    "fr": re.compile(
        r"pas|sans|jamais|aucune?|rien|personne|ni|non|nul\w*|guère|(?:in|im|il|ir|dés|mal|mé)\w{4,}|"
        r"(?:plus|empêch\w+|évit\w+|manqu\w+|refus\w+|interdi\w+|échou\w+)"
    ),
}
"""What may translate an English negation."""
_NO_MORE = re.compile(r"\b(?:any ?more|no more|enough)\b")


def missing(candidate: Candidate, sentence: Sentence, language: str) -> str | None:
    """Why the source does not speak against this error; None where nothing is known to be missing."""
    source, text = sentence.source, sentence.text
    if candidate.type in OMISSIONS:
        lacking = len(source) <= len(candidate.text) * _AS_LONG and len(source) <= len(text) * _SHORTER
        if lacking:
            return "the source has no such clause"
        if _is_unlike(source, text):
            return "the source says something else"
    if len(text) >= _LONG and len(source) < _MUCH_SHORTER * len(text):
        return "the source lacks a part of the text"
    if candidate.type in OMISSIONS:
        return "the source has no such phrase" if _lacks_phrase(candidate, source, language) else None
    words = _WORDS.findall(source.lower())
    negative = sum(_is_negative(word) for word in words)
    if sum(len(edit.new) - len(edit.old) for edit in candidate.edits) > 0:
        if language in _NEGATION and negative > _negations(sentence, language):
            return "the source has the foil's negation"
    elif not negative and not _AS_GOOD_AS_NOT & set(words) and not _has_word(candidate, words, language, listed=True):
        return "the source has no such negation"
    elif language in _NEGATION and _is_negated_twice(source.lower()) and negative > _negations(sentence, language):
        return "the source negates twice"  # not uncommon: unüblich is wrong already
    if candidate.type == "polarity_particle_kein_del" and candidate.edits[0].new and _NO_MORE.search(source.lower()):
        return "the source counts nothing"  # kein Klatsch: no more gossip
    if candidate.type.startswith("polarity_affix") and not _has_word(candidate, words, language):
        return "the source has no such word"
    return None


def _is_unlike(source: str, text: str) -> bool:
    """*On la voit depuis le bout de l'avenue*, *It is one of the most famous landmarks in Europe*: of quite another
    length, and with no word that begins alike?"""
    if _ALIKE[0] <= len(source) / len(text) <= _ALIKE[1]:
        return False
    ours, theirs = (
        {_start(word) for word in _WORDS.findall(side.lower()) if len(word) >= _COGNATE} for side in (source, text)
    )
    return not ours & theirs


def _start(word: str) -> str:
    return unaccented(word)[:_COGNATE]


def _lacks_phrase(candidate: Candidate, source: str, language: str) -> bool:
    """Has the source neither a word for the preposition that opens what is left out nor one that begins as one of
    its words does? *exécutez-le dans le robot*, but *execute it*."""
    counterparts = declared(language).get("clauses", {}).get("counterparts", {})
    left_out = _WORDS.findall(candidate.edits[0].old.lower())
    if not left_out or left_out[0] not in counterparts:
        return False
    said = _WORDS.findall(_INFINITIVE.sub("", source.lower()))
    starts = {_start(word) for word in said if len(word) >= _COGNATE}
    alike = any(_start(word) in starts for word in left_out if len(word) >= _COGNATE)
    return not alike and not set(counterparts[left_out[0]]) & set(said)


def _is_negated_twice(source: str) -> bool:
    """*not uncommon*, *isn't unlikely*."""
    words = _WORDS.findall(source)
    said = ((a in _NOT or a.endswith(("n't", "n’t")), b) for a, b in pairwise(words))
    return any(negated and b not in _NOT and _is_negative(b) for negated, b in said)


def _negations(sentence: Sentence, language: str) -> int:
    own = _NEGATION.get(language)
    return sum(own.fullmatch(token.text.lower()) is not None for token in sentence.tokens) if own else 0


def _is_negative(word: str) -> bool:
    if word in _NOT or word.endswith(("n't", "n’t")):
        return True
    return _PREFIXED.fullmatch(word) is not None and not word.startswith(_NO_PREFIX)


def _has_word(candidate: Candidate, words: list[str], language: str, *, listed: bool = False) -> bool:
    """Has the source a word for the changed one, with a negative prefix or without? True where none is known, but
    where the word must be ``listed``."""
    longer = max((text for edit in candidate.edits for text in (edit.old, edit.new)), key=len).lower()
    opposites = _opposites(language) if candidate.type.startswith("polarity_affix") else {}
    known = [starts for stem, starts in opposites.items() if longer.startswith(stem, 2, len(stem) + 2)]
    known = known[-1:] if language == "de" else known
    bare = [re.sub("^(?:un|in|im|il|ir|dis)(?=\\w{3})", "", word) for word in words]
    found = any(word.startswith(starts) for starts in known for word in (*words, *bare))
    return found or (not known and not listed)


@lru_cache(maxsize=4)
def _opposites(language: str) -> dict[str, tuple[str, ...]]:
    """Words that take a negative prefix, but for their endings, and how English words for them begin."""
    rows = word_lists(f"{language}.opposites.txt")
    return {stem: tuple(starts) for stem, starts in sorted(rows.items(), key=lambda row: len(row[0]))}
