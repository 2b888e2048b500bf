"""What a German pronoun is in its clause, by the words: its case, *sie* as she or they, *es* that means a thing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from kontrast.building.errors.de.grammar import IMPERATIVES
from kontrast.language.german.es import use_of_es
from kontrast.language.german.plain import (
    BEING,
    OPENERS,
    SUBJECTS,
    PlainWord,
    clause,
    finite_persons,
    lemmas,
    persons,
    polite,
)
from kontrast.language.lexicons.german import readings, usual_readings
from kontrast.language.lexicons.german_words import CLOSED, PREPOSITION_CASES, SUBORDINATORS
from kontrast.language.words import word_set

Case = Literal["nom", "acc", "dat", "poss"]

_ACCUSATIVE = frozenset(word for word, cases in PREPOSITION_CASES.items() if "a" in cases) - {"ab"} - SUBORDINATORS

_BEGIN_SUBJECTS = word_set("de", "pronoun_uses_begin_subjects")
_BEGIN_PLURALS = word_set("de", "pronoun_uses_begin_plurals")
_DATIVES = word_set("de", "pronoun_uses_datives")
_SOME = word_set("de", "pronoun_uses_some")
"""Behind these *wenn es* is rather: if there are."""
_WITH_DATIVE = word_set("de", "pronoun_uses_with_dative")
"""Verbs whose subject is a thing and whose person is a dative."""


def is_certain(words: Sequence[PlainWord], i: int) -> bool:
    """Does the clause tell case and number of *sie*, and of *es* that it stands for something?"""
    if len(cases(words, i)) > 1 or is_named(words, i):
        return False
    if cases(words, i) == ("acc",):
        return _is_one(words, i) if words[i].low == "sie" else _is_thing(words, i)
    return "3s" in finite_persons(words, i) and (words[i].low == "sie" or _is_thing(words, i))


def is_named(words: Sequence[PlainWord], i: int) -> bool:
    """*Ja, das ist sie*, *Das könnte er sein*: who or what it is; *das ist es* is said of anything."""
    start, end = clause(words, i)
    being = any(words[j].low in BEING or words[j].low == "sein" for j in range(start, end + 1))
    return being and words[start].low in ("das", "dies") and i <= start + 3


def is_plural(words: Sequence[PlainWord], i: int) -> bool:
    """*sie können*, *haben sie*, *weil sie keine Hilfe erhalten*: they, which has no gender in German."""
    start, end = clause(words, i)
    near = {words[j].low for j in (i - 1, i + 1) if start <= j <= end}
    if near & {"alle", "beide", "allen"}:
        return True
    others = {words[j].low for j in range(start, end + 1) if j != i}
    if others & {"wir", "man", "ich", "er", "du"} or any(polite(words, j) for j in range(start, end + 1) if j != i):
        return False
    verb = finite_persons(words, i)
    return "3p" in verb and "3s" not in verb and not (_begins_with_noun(words, start, i))


def _begins_with_noun(words: Sequence[PlainWord], start: int, i: int) -> bool:
    """*Die Leute sehen sie*: another subject stands first."""
    first = words[start + (words[start].low in OPENERS)] if start < i else None
    noun = any(w.text[0].isupper() for w in words[start + 1 : i])
    return first is not None and noun and first.low in _BEGIN_PLURALS


def _is_one(words: Sequence[PlainWord], i: int) -> bool:
    """Does the object *sie* stand for one thing: is the last noun before it that it may stand for a feminine one?"""
    for w in reversed(words[max(0, i - 40) : i]):
        if not w.text[0].isupper() or len(w.text) < 3:
            continue
        if w.low in CLOSED:
            continue
        nouns = [r for r in usual_readings(w.text) if r.pos == "N" and not r.rare]
        several = any(code[1] == "p" for r in nouns for code in r.codes)
        return not several and any(r.feature == "f" and r.codes & {"ns", "as", "ds"} for r in nouns)
    return False


def _is_thing(words: Sequence[PlainWord], i: int) -> bool:
    """Does *es* rather stand for a noun before it than for nothing, a sentence, or what follows?"""
    after = words[i + 1].low if i + 1 < len(words) else ""
    return use_of_es(words, i) == "thing" and _antecedent(words, i) and after not in _SOME


def _antecedent(words: Sequence[PlainWord], i: int) -> bool:
    """Is a neuter noun before this *es*, for which it may stand?"""
    return any(
        r.pos == "N" and r.feature == "n" and not r.rare and r.codes & {"ns", "as", "ds"}
        for w in words[max(0, i - 40) : i]
        if w.text[0].isupper() and len(w.text) > 2
        for r in usual_readings(w.text)
    )


def cases(words: Sequence[PlainWord], i: int) -> tuple[Case, ...]:
    """Nominative, accusative, or both where the clause does not tell."""
    start, end = clause(words, i)
    before = words[i - 1].low if i > start else ""
    others = [w.low for j, w in enumerate(words[start : end + 1], start) if j != i and not polite(words, j)]
    if before in _ACCUSATIVE:
        return ("acc",)
    if BEING & set(others) or _pleases(others):
        return ("nom",)
    addressed = any(polite(words, j) and words[j].low == "sie" for j in range(start, end + 1) if j != i)
    singular = "3s" in finite_persons(words, i)
    subject = any(words[j].low in SUBJECTS for j in range(start, end + 1) if j != i)
    if subject or (words[i].low == "es" and "sie" in others) or (addressed and not singular):
        return ("acc",)
    if not singular and (_to_infinitive(others) or _is_request(words, start, i)):
        return ("acc",)
    rival = any(words[j].low in _BEGIN_SUBJECTS for j in range(start, end + 1) if j != i)
    if i == start or (not rival and (before in OPENERS or (singular and i - start == 1))):
        return ("nom",)
    return ("nom", "acc")


def _pleases(others: Sequence[str]) -> bool:
    """*ihm gehört es*, *mir gefällt sie*: beside a dative, these verbs have no accusative."""
    return bool(_DATIVES & set(others)) and any(lemmas(low) & _WITH_DATIVE for low in others)


def _is_request(words: Sequence[PlainWord], start: int, i: int) -> bool:
    """*Vergiss es*, *Nehmt sie mit*: the clause begins with a verb that has no third person."""
    low = words[start].low
    if start == i or low in CLOSED:
        return False
    stems = {low + "en", low + "n", low.removesuffix("e") + "en"}
    verbal = any(r.pos == "V" and "i" in r.codes for stem in stems for r in readings(stem))
    return low in IMPERATIVES or verbal or bool(persons(low))


def _to_infinitive(inside: Sequence[str]) -> bool:
    """*es zu lesen*, *es auszurollen*: a clause without a subject."""
    return any(
        (word == "zu" and following.endswith("n")) or re.fullmatch(r"\w{2,}zu\w{2,}e[lr]?n", following)
        for word, following in zip(("", *inside), inside, strict=False)
    )
