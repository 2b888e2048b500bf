"""Parts of German clauses that tell the case of es and sie: other nominatives, insertions, infinitives, commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from kontrast.building.errors.de.grammar import IMPERATIVES, RELATIVES
from kontrast.building.errors.de.pronoun_uses import Case
from kontrast.language.german.plain import (
    SUBJECTS,
    PlainWord,
    clause,
    is_adjective,
    is_participle,
    is_subject_word,
    lemmas,
    may_be_verb,
    opens,
    persons,
    polite,
    subordinates,
)
from kontrast.language.german.times import time_words
from kontrast.language.lexicons.german import readings, usual_readings
from kontrast.language.lexicons.german_words import (
    AUXILIARIES,
    CLOSED,
    DETERMINERS,
    EIN_STEMS,
    JOINING,
    MODALS,
    PREPOSITION_CASES,
    SUBORDINATORS,
)

__all__ = [
    "cases_behind_insertion",
    "has_nominative",
    "has_to",
    "is_bare_infinitive",
    "is_before_joined_verb",
    "is_command",
    "is_joined_infinitive",
    "is_said_to",
    "is_subject",
    "is_to_infinitive",
]

_STANDING_ALONE = frozenset(
    "das dies dieser diese dieses jener jene jenes der die alles nichts etwas wer was welcher welche welches einer "
    "eine ein eines keine kein viele beide alle beides manche mancher einige andere wenige mein dein sein ihr unser "
    "meine deine seine ihre unsere es sie".split()
)
"""Words that may be, or begin, a nominative."""
_OBLIQUE = frozenset(("den", "dem", "des", "denen"))
_BEFORE_NOUNS = frozenset(DETERMINERS) | {"deren", "dessen"}
"""Between a preposition and its noun: *mit diesem Namen*."""


def has_nominative(words: Sequence[PlainWord], start: int, end: int, i: int) -> bool:
    """May a word from ``start`` on and before ``end``, but for the one at ``i``, be the subject?

    >>> from kontrast.language.german.plain import split
    >>> [has_nominative(split(text), 0, 5, 2) for text in ("Dann geht es um viel", "Dann holt es ein Hund")]
    [False, True]
    """
    return next(_nominatives(words, start, end, i), None) is not None


def _nominatives(words: Sequence[PlainWord], start: int, end: int, i: int) -> Iterator[int]:
    """Words before ``end`` that may be another nominative: pronouns, and nouns that nothing governs."""
    governed = False
    times = time_words(words, start, end - 1)
    for j in range(start, end):
        word, tags = words[j], CLOSED.get(words[j].low, frozenset())
        if j == i or j in times or not word.low[0].isalpha():
            continue
        if tags & {"APPR", "APPRART"} and word.low not in ("als", "wie"):
            governed = True
        elif word.low in SUBJECTS or polite(words, j):
            if polite(words, j) or is_subject_word(words, j):
                yield j
            else:
                governed = True  # zu keiner Zeit, jeder Seele
        elif word.text[0].isupper() and not (j == start and _is_no_noun(word)):
            if not governed:
                yield j
            governed = False
        elif word.low in _OBLIQUE or (tags and word.low.endswith(("inen", "inem", "ines", "eden"))):
            governed = True
        elif word.low in _STANDING_ALONE:
            if not governed:
                yield j
        elif not (is_adjective(word.low) or tags & {"CARD", "PIAT", "ADV"} or word.low in _BEFORE_NOUNS):
            governed = False


def _is_no_noun(word: PlainWord) -> bool:
    """*Spannender*, *Dabei*, *Letztendlich*: a capital at the beginning only."""
    if word.low in CLOSED or persons(word.low) or is_participle(word.low):
        return True
    noun = any(r.pos == "N" for r in usual_readings(word.text))
    return word.low.endswith(("dings", "erweise", "dlich", "otrotz")) or (is_adjective(word.low) and not noun)


def is_subject(words: Sequence[PlainWord], j: int) -> bool:
    """*der Bauer*: surely a nominative; not *die Felder der Bauern*."""
    if words[j].low not in ("der", "dieser", "jeder") or words[j - 1].text[0].isupper():
        return False
    nouns = [r for r in usual_readings(words[j + 1].text) if r.pos == "N"]
    return any(r.feature == "m" and "ns" in r.codes for r in nouns) and not any(r.feature == "f" for r in nouns)


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


_QUOTES = frozenset("\"„“”»«'‚‘")


def is_bare_infinitive(words: Sequence[PlainWord], start: int, end: int, i: int) -> bool:
    """*und es als Beute zu beanspruchen*: an infinitive with *zu* behind what looks like another clause."""
    if words[start].low not in JOINING or i != start + 1 or end + 1 >= len(words):
        return False
    if words[end].low == "zu" and words[end + 1].low in _QUOTES:
        return True  # und es in neue Formen zu "programmieren"
    if end != i:
        return False
    rest = []
    for word in words[i + 1 :]:
        if not word.low[0].isalnum() or word.low in JOINING:
            break
        rest.append(word.low)
    return len(rest) > 2 and rest[0] in ("als", "wie") and rest[-2] == "zu" and rest[-1].endswith("n")


def is_to_infinitive(words: Sequence[PlainWord], i: int) -> bool:
    """*versucht, es auf die eine oder andere Weise zu ändern*: no verb but the infinitive up to the next sign."""
    if i < 2 or words[i - 1].low != ",":
        return False
    rest = []
    for word in words[i + 1 :]:
        if not word.low[0].isalnum():
            break
        rest.append(word.low)
    joined = any(low in ("und", "oder") for low in rest)
    if len(rest) < 3 or not joined or rest[-2] != "zu" or not rest[-1].endswith("n"):
        return False
    small = (w.low for w in words[i + 1 : i + len(rest) - 1] if w.text[0].islower() and w.low not in CLOSED)
    return not any("3s" in persons(low) and not is_adjective(low) for low in small)


def is_before_joined_verb(words: Sequence[PlainWord], start: int, end: int, i: int) -> bool:
    """*dass es Schaden anrichten und Gewebe zerreißen kann*: the finite verb stands behind the second infinitive."""
    if not subordinates(words, start) or i != start + 1 or end + 2 >= len(words):
        return False
    if words[end + 1].low not in ("und", "oder") or not any("i" in r.codes for r in readings(words[end].low)):
        return False
    _, last = clause(words, end + 2)
    return "3s" in persons(words[last].low) and bool(lemmas(words[last].low) & (MODALS | AUXILIARIES))


def is_joined_infinitive(words: Sequence[PlainWord], i: int) -> bool:
    """*soll die Datei lesen, sie aber nicht löschen*: an infinitive behind the modal of the clause before."""
    start, end = clause(words, i)
    if i != start or i == end or i < 2 or words[i - 1].low != ",":
        return False
    if any("3s" in persons(words[j].low) for j in range(i + 1, end + 1) if may_be_verb(words, j)):
        return False
    first, _ = clause(words, i - 2)
    infinitive = any(r.pos == "V" and "i" in r.codes for r in readings(words[end].low))
    return infinitive and any(lemmas(w.low) & MODALS for w in words[first:i])


def has_to(words: Sequence[PlainWord], i: int, end: int) -> bool:
    """*zu empfangen*, *mitzubringen* between these words."""
    lows = [w.low for w in words[i : end + 1]]
    apart = any(a == "zu" and b.endswith("n") for a, b in pairwise(lows))
    return apart or any(re.fullmatch(r"\w{2,}zu\w{2,}e?[lr]?n", low) for low in lows)


def is_said_to(words: Sequence[PlainWord], start: int, i: int) -> bool:
    """*Meidet sie.*, *wenn einer von euch sie hat, bringt sie zurück*: a third person, or a command to several."""
    spoken_to = any(w.low in ("ihr", "euch", "eure", "eurer") for w in words[:start])
    alone = opens(words, start) and words[-1].low in (".", "!")
    return i == start + 1 and (spoken_to or alone) and {"2p", "3s"} <= persons(words[start].low)


def is_command(low: str) -> bool:
    """*benutze*, *nimm*: a verb that begins its clause and has no third person but the subjunctive's."""
    if lemmas(low) & (MODALS | AUXILIARIES):
        return False  # könne sie, sei es
    if low in IMPERATIVES:
        return True
    return low.endswith("e") and "1s" in persons(low) and any("i" in r.codes for r in readings(f"{low}n"))
