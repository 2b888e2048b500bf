"""A subject with an insertion between it and its verb: *Der Mann, der gestern kam, holte sie ab*.

A clause ends at signs, so that the one around the pronoun does not have the noun: it stands before a relative clause,
an apposition, brackets, dashes, or in quotation marks.
"""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.building.perturb.de.grammar import RELATIVES
from kontrast.building.perturb.de.pronoun_uses import Case
from kontrast.building.pronouns.target.german_subjects import has_nominative
from kontrast.language.german.plain import PlainWord, may_be_verb, persons, subordinates
from kontrast.language.lexicons.german import usual_readings
from kontrast.language.lexicons.german_words import DETERMINERS, EIN_STEMS, PREPOSITION_CASES, SUBORDINATORS

__all__ = ["cases_behind_insertion"]

_RELATIVE = RELATIVES | {"des", "denen"}
_ENDS = frozenset(".!?;:")
_DASHES = frozenset("–—-")
_CLOSING = frozenset('“”"»«')
_NOMINATIVE = frozenset(("der", "dieser", "jeder", "jener", *EIN_STEMS))
"""Determiners that are a nominative beside a masculine noun."""


def cases_behind_insertion(words: Sequence[PlainWord], start: int, end: int, i: int) -> tuple[Case, ...]:
    """The cases of *es* or *sie* in a clause from ``start`` to ``end`` whose subject may stand before an insertion.

    >>> from kontrast.language.german.plain import split
    >>> for text in ("Der Mann, der kam, nahm sie mit", "Die Frau, die kam, nahm sie mit"):
    ...     print(cases_behind_insertion(split(text), 6, 8, 7))
    ('acc',)
    ('nom', 'acc')
    """
    behind_verb = i == start + 1 and may_be_verb(words, start)
    verb_last = i == start < end and may_be_verb(words, end)
    reflexive = verb_last and words[i + 1].low == "sich"  # ein Kind, wenn es groß wird, es sich wünscht
    if not start or reflexive or not (behind_verb or verb_last):
        return ()
    first, last = _before_insertion(words, start - 1)
    if first > last or _verbs(words, first, last):
        return ()
    if verb_last:
        # A pronoun would stand before the noun if it were the subject.
        subordinate = subordinates(words, first) and has_nominative(words, first + 1, last + 1, i)
        return ("acc",) if subordinate else ()
    if subordinates(words, first):
        return ()
    if any(_is_nominative(words, j, last) for j in range(first, last)):
        return ("acc",)
    singular = "3s" in persons(words[start].low)
    return ("nom", "acc") if singular and has_nominative(words, first, last + 1, i) else ()


def _before_insertion(words: Sequence[PlainWord], sign: int) -> tuple[int, int]:
    """The words before the insertion that ends with this sign; an empty range where there is none."""
    low = words[sign].low
    if low == ")":
        opening = next((k for k in range(sign - 1, -1, -1) if words[k].low == "("), 0)
        return _piece(words, opening - 1)
    if _is_dash(words, sign):
        opening = next((k for k in range(sign - 1, -1, -1) if _is_dash(words, k) or words[k].low in _ENDS), 0)
        return _piece(words, opening - 1) if _is_dash(words, opening) else (0, -1)
    if low in _CLOSING:
        first = sign
        while first and words[first - 1].low not in _ENDS | {","}:
            first -= 1
        return first, sign - 1  # Der „Spiegel“ hat sie
    return _before_commas(words, sign) if low == "," else (0, -1)


def _before_commas(words: Sequence[PlainWord], sign: int) -> tuple[int, int]:
    """*Der Mann, ein Ingenieur, der gestern kam*: the first of the pieces without a verb, if an insertion follows."""
    if words[sign - 1].low in _CLOSING:
        return 0, -1  # „Der Mann“, sagte sie
    found = (0, -1)
    first, last = _piece(words, sign - 1)
    inserted = _is_subordinate(words, first) or not _verbs(words, first, last)
    while inserted and first <= last and first > 1 and words[first - 1].low == ",":
        first, last = _piece(words, first - 2)
        if not _verbs(words, first, last):
            found = (first, last)
        elif found[0] <= found[1] or not _is_subordinate(words, first):
            break
    return found


def _piece(words: Sequence[PlainWord], last: int) -> tuple[int, int]:
    """The words up to ``last`` behind the sign before them."""
    first = last + 1
    while first > 0 and words[first - 1].low not in _ENDS | {",", "("} and not _is_dash(words, first - 1):
        first -= 1
    return first, last


def _is_dash(words: Sequence[PlainWord], k: int) -> bool:
    """Between blanks; not the hyphen of a word."""
    return words[k].low in _DASHES and k > 0 and words[k - 1].end < words[k].start


def _is_subordinate(words: Sequence[PlainWord], first: int) -> bool:
    """*der*, *in dem*, *als*: does a relative or another subordinate clause begin here?"""
    if words[first].low in _RELATIVE | SUBORDINATORS:
        return True
    governed = words[first].low in PREPOSITION_CASES and first + 1 < len(words)
    return governed and words[first + 1].low in _RELATIVE


def _verbs(words: Sequence[PlainWord], first: int, last: int) -> list[int]:
    """Places of finite verbs; not of participles between a determiner and its noun: *der verhaftete Mann*."""
    found = []
    inside = False
    for j in range(first, last + 1):
        if words[j].text[0].isupper() and j > first:
            inside = False
        elif words[j].low in DETERMINERS:
            inside = True
        elif may_be_verb(words, j) and not (inside and any(w.text[0].isupper() for w in words[j + 1 : last + 1])):
            found.append(j)
    return found


def _is_nominative(words: Sequence[PlainWord], j: int, last: int) -> bool:
    """*der Ingenieur*, *ein alter Mann*: surely a nominative; not *die Autos der Fahrer*, *von der Seite*."""
    if words[j].low not in _NOMINATIVE or (j and words[j - 1].low in PREPOSITION_CASES):
        return False
    if j and words[j - 1].text[0].isupper() and words[j - 1].low not in DETERMINERS | PREPOSITION_CASES:
        return False
    noun = next((w.text for w in words[j + 1 : min(j + 4, last) + 1] if w.text[0].isupper()), "")
    nouns = [r for r in usual_readings(noun) if r.pos == "N"] if noun else []
    return any("ns" in r.codes for r in nouns) and all(r.feature == "m" for r in nouns)
