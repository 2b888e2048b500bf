"""German text without annotation: its words, the clause around a word, the verbs in it, and what *es* stands for.

Pronouns are found in subtitles and fragments as well as in sentences, so the words and the lexicon decide, no parse.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from kontrast.language.coreference import Use
from kontrast.language.lexicons.german import adjective_lemma, readings
from kontrast.language.lexicons.german_words import (
    CLOSED,
    DEFINITE,
    DETERMINERS,
    JOINING,
    MODALS,
    PREPOSITION_CASES,
    SUBORDINATORS,
    word_lists,
)
from kontrast.language.words import word_set

SUBJECTS = word_set("de", "plain_subjects")
"""Pronouns that can only be subjects."""
BEING = word_set("de", "plain_being")
"""With these there is no accusative."""
OPENERS = JOINING | SUBORDINATORS - {"da"}
_BREAKS = frozenset(',;:.!?–—…-"„“”»«()')
_QUOTES = "\"„“”»«-–—…'‚‘"
_WORD = re.compile(r"\w+|[^\w\s]")


class PlainWord(msgspec.Struct, frozen=True, gc=False):
    """A word or a sign, where it stands and in small letters."""

    text: str
    low: str
    start: int
    end: int


def split(text: str) -> list[PlainWord]:
    """The words and signs of a text.

    >>> [word.low for word in split("Er kommt, sagt sie.")]
    ['er', 'kommt', ',', 'sagt', 'sie', '.']
    """
    return [PlainWord(m.group(), m.group().lower(), m.start(), m.end()) for m in _WORD.finditer(text)]


def opens(words: Sequence[PlainWord], i: int) -> bool:
    """Does the word stand at a sentence's beginning, but for quotes and dashes?"""
    before = [w.low for w in words[:i]]
    while before and before[-1] in _QUOTES:
        before.pop()
    return not before or before[-1] in ".!?:"


def polite(words: Sequence[PlainWord], i: int) -> bool:
    """*Sie*, *Ihr*, *Ihnen* with a capital that the sentence does not explain."""
    return words[i].text[0].isupper() and words[i].low in ("sie", "ihr", "ihnen") and not opens(words, i)


def in_capitals(words: Sequence[PlainWord], i: int) -> bool:
    """Is the sentence around a word written in capitals, which hide the nouns and the polite *Sie*?

    >>> in_capitals(split("SIE IST ALT. Das ist ES."), 0), in_capitals(split("SIE IST ALT. Das ist ES."), 6)
    (True, False)
    """
    first, last = i, i
    while first > 0 and words[first - 1].low not in ".!?":
        first -= 1
    while last + 1 < len(words) and words[last + 1].low not in ".!?":
        last += 1
    spelt = [w.text for w in words[first : last + 1] if w.text.isalpha()]
    return len(spelt) > 1 and all(map(str.isupper, spelt))


def clause(words: Sequence[PlainWord], i: int) -> tuple[int, int]:
    """The first and last word of the clause around a word: between signs, conjunctions and subordinators."""
    start, end = i, i
    while start > 0 and not _is_break(words, start - 1):
        start -= 1
        if words[start].low in OPENERS:
            break
    while end + 1 < len(words) and not _is_break(words, end + 1) and words[end + 1].low not in OPENERS:
        end += 1
    return start, end


def _is_break(words: Sequence[PlainWord], k: int) -> bool:
    """A sign between clauses; not the one in *DNS-Server* or *5,2*."""
    if words[k].low not in _BREAKS:
        return False
    if not 0 < k < len(words) - 1 or words[k - 1].end < words[k].start or words[k].end < words[k + 1].start:
        return True
    beside = words[k - 1].low[-1], words[k + 1].low[0]
    return not all(map(str.isalnum if words[k].low == "-" else str.isdigit, beside))


@lru_cache(maxsize=20_000)
def persons(low: str) -> frozenset[str]:
    """Persons and numbers of which this word may be a finite verb.

    >>> sorted(persons("kommt"))
    ['2p', '3s']
    """
    if low in CLOSED and not any(tag.startswith("V") for tag in CLOSED[low]):
        return frozenset()
    return frozenset(c[1:] for r in readings(low) if r.pos == "V" for c in r.codes if len(c) == 3)


@lru_cache(maxsize=20_000)
def lemmas(low: str) -> frozenset[str]:
    """The verbs of which this word may be a form."""
    if low in CLOSED and not any(tag.startswith("V") for tag in CLOSED[low]):
        return frozenset()
    return frozenset(r.lemma for r in readings(low) if r.pos == "V" and not r.rare)


@lru_cache(maxsize=20_000)
def is_participle(low: str) -> bool:
    """A past participle: *gebaut*, *eröffnet*."""
    return any(r.pos == "V" and "2" in r.codes for r in readings(low))


@lru_cache(maxsize=20_000)
def is_adjective(low: str) -> bool:
    return any(r.pos == "A" for r in readings(low)) or adjective_lemma(low) is not None


def may_be_verb(words: Sequence[PlainWord], j: int) -> bool:
    return bool(persons(words[j].low)) and (words[j].text[0].islower() or opens(words, j))


def finite_persons(words: Sequence[PlainWord], i: int) -> frozenset[str]:
    """Persons and numbers that the finite verb of the clause around a word may have; empty where none is found."""
    start, end = clause(words, i)
    # als Betrieb zahlt sie Löhne: the verb is not last
    final = words[start].low in SUBORDINATORS and (words[start].low != "als" or may_be_verb(words, end))
    if start and words[start - 1].low == ",":  # die Behörde, unter deren Befehl sie steht
        final = final or any(
            w.low in DEFINITE or w.low in ("denen", "deren", "dessen") for w in words[start : start + 2]
        )
    # Of two neighbours the second: … sagte sie seien da.
    beside = [i + 1, i - 1] if i < end and i > start and may_be_verb(words, i - 1) else [i - 1, i + 1]
    places = [*range(end, start, -1)] if final and i != end else [*beside, *range(start, end + 1)]
    found = next(
        (persons(words[j].low) for j in places if start <= j <= end and j != i and may_be_verb(words, j)), None
    )
    if found is None and final:
        # The verb stands behind a quotation or a clause within this one.
        found = next(
            (persons(w.low) for w in words[end + 1 : end + 15] if w.text[0].islower() and persons(w.low)), None
        )
    return found or frozenset()


_LISTS = {name: frozenset(words) for name, words in word_lists("de.es.txt").items()}
_DATIVES = word_set("de", "es_datives")
_BECOMING = word_set("de", "es_becoming")
_COPULAS = BEING | _BECOMING | {"sein", "schien", "scheint"}
_JUDGING = _COPULAS | frozenset("sich macht machte machen findet fand finden hält halten".split())
_SO_MUCH = word_set("de", "es_so_much")
"""*so groß, dass …*: the clause says how much, not what."""
_ASKING = word_set("de", "es_asking")
_PHRASES = re.compile(
    r"\bsich .*\bum\b|\bes sich um\b|\bum\b.*\b(geh|ging|gegang)|\bg(eht|ing|inge|ehe) .*\bum\b|\b(heißt|hieß) es\b"
    r"|\bk(ommt|am|äme) .*\bzu[mr]?\b|\bdar(um|auf an|an)\b|\bes (so|anders|umgekehrt|soweit)\b|\bso ist es\b"
    r"|\bwie geht\b"
    r"|\buhr\b|\b(erste|nächste|letzte)s? mal\b|\ban der zeit\b|\b(wert|satt|müde|los|leid|eilig|ernst)\b"
)
"""Clauses in which *es* stands for nothing whatever their subject is."""


def use_of_es(words: Sequence[PlainWord], i: int, *, is_object: bool | None = None) -> Use:
    """What the *es* at this place stands for; ``is_object`` where the case is known.

    >>> use_of_es(split("Es gibt Brot."), 0), use_of_es(split("Es wurde 1905 gebaut."), 0)
    ('empty', 'thing')
    """
    if is_empty(words, i):
        return "empty"
    start, end = clause(words, i)
    others = [words[j] for j in range(start, end + 1) if j != i]
    verbs = frozenset[str]().union(*(lemmas(word.low) for word in others))
    if not verbs:
        return "open"
    if not is_object and not _has_subject(words, start, end, i):
        if {w.low for w in others} & _COPULAS and not any(is_participle(w.low) for w in others[-1:]):
            return _predicated(words, start, end, i, others)
        if verbs & _LISTS["open_subject"]:
            return "open"
    if is_object is not False:
        if verbs & _LISTS["sentence_object"] or verbs <= MODALS - {"wollen", "mögen"}:
            return "sentence"
        if verbs & _LISTS["open_object"]:
            return "open"
    return "thing"


def _predicated(words: Sequence[PlainWord], start: int, end: int, i: int, others: Sequence[PlainWord]) -> Use:
    """*es ist …*: a word of weather or time, a noun, what is said of situations, another adjective, or a place."""
    lows = {w.low for w in others}
    if lows & _LISTS["weather"]:
        return "empty"
    if bare_nouns(words, start, end, i) or lows & {"etwas", "nichts", "alles"}:
        return "predicate"
    if lows & _LISTS["situation"]:
        return "sentence"
    if any(w.low in PREPOSITION_CASES and w.low not in ("als", "wie") for w in others):
        return "thing"
    return "open"


def is_empty(words: Sequence[PlainWord], i: int) -> bool:
    """Does *es* stand for nothing: es gibt, es geht um, es ist wichtig, dass …; es kamen viele?

    >>> [is_empty(split(f"Es gibt {told}"), 0) for told in ("Streit.", "Streit zwischen ihnen.", "ihnen Kraft.")]
    [True, True, False]
    """
    start, end = clause(words, i)
    lows = [words[j].low for j in range(start, end + 1)]
    others = {words[j].low for j in range(start, end + 1) if j != i}
    if _PHRASES.search(" ".join(lows)):
        return True
    verbs = frozenset[str]().union(*(lemmas(low) for low in others))
    if not _has_subject(words, start, end, i):
        given_to = any(
            words[j].low in _DATIVES and words[j - 1].low not in PREPOSITION_CASES for j in range(start + 1, end + 1)
        )
        if verbs & _LISTS["impersonal"] and not ("geben" in verbs and given_to):
            return True
        after = persons(words[i + 1].low) if i < end else frozenset()
        if "3p" in after and "3s" not in after and words[i - 1].low not in ("die", "welche"):
            return True  # es kamen viele
        announcing = verbs & _LISTS["there"] or (others & _BECOMING and is_participle(words[end].low))
        if announcing and i < end and bare_nouns(words, i + 1, end, i):
            return True  # es wurde ein Haus gebaut
    return _announces(words, end, others)


def _announces(words: Sequence[PlainWord], end: int, others: set[str]) -> bool:
    """Does a clause follow that says what *es* is: *es ist schön, dass …*, *macht es leichter, … zu*?"""
    if end + 2 >= len(words) or words[end + 1].low != "," or others & _SO_MUCH or not others & _JUDGING:
        return False
    _, last = clause(words, end + 2)
    infinitive = re.search(r"\bzu \w+n$|\w{2,}zu\w{2,}en$", " ".join(w.low for w in words[end + 2 : last + 1]))
    return words[end + 2].low in _ASKING or (infinitive is not None and words[end + 2].low not in ("um", "ohne"))


def _has_subject(words: Sequence[PlainWord], start: int, end: int, i: int) -> bool:
    return any(words[j].low in SUBJECTS or polite(words, j) for j in range(start, end + 1) if j != i)


def bare_nouns(words: Sequence[PlainWord], start: int, end: int, i: int) -> list[int]:
    """Nouns of the clause behind no preposition, but for the one that begins it before its verb.

    >>> bare_nouns(split("Es war in der Stadt ein großer Fehler"), 0, 7, 0)
    [7]
    """
    found = []
    governed = False
    for j in range(start, end + 1):
        word = words[j]
        if j == i or not word.low[0].isalpha():
            continue
        tags = CLOSED.get(word.low, frozenset())
        if tags & {"APPR", "APPRART"} and word.low not in ("als", "wie"):
            governed = True
        elif word.text[0].isupper() and j > start and not polite(words, j):
            if not governed:
                found.append(j)
            governed = governed and j < end and words[j + 1].text[0].isupper()  # an apposition
        elif not (word.low in DETERMINERS or is_adjective(word.low) or tags & {"CARD", "PIAT", "ADV"}):
            governed = False
    return found
