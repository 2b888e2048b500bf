"""What German *es* stands for, by the words around it: a thing, perhaps a sentence, or nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kontrast.language.coreference import Use
from kontrast.language.german.plain import (
    BEING,
    SUBJECTS,
    PlainWord,
    clause,
    is_adjective,
    is_participle,
    lemmas,
    persons,
    polite,
)
from kontrast.language.lexicons.german_words import CLOSED, DETERMINERS, MODALS, PREPOSITION_CASES, word_lists
from kontrast.language.words import word_set

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

    >>> from kontrast.language.german.plain import split
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
    """Does *es* stand for nothing: es gibt, es geht um, es ist wichtig, dass …; es kamen viele?"""
    start, end = clause(words, i)
    lows = [words[j].low for j in range(start, end + 1)]
    others = {words[j].low for j in range(start, end + 1) if j != i}
    if _PHRASES.search(" ".join(lows)):
        return True
    verbs = frozenset[str]().union(*(lemmas(low) for low in others))
    if not _has_subject(words, start, end, i):
        if verbs & _LISTS["impersonal"] and not ("geben" in verbs and others & _DATIVES):
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

    >>> from kontrast.language.german.plain import split
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
