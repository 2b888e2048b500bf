"""Is a verb in the other number right after all: with another subject, or with the same one taken otherwise?"""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.de.grammar import is_polite_request
from kontrast.building.perturb.text import opens_sentence
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicons.german import readings, usual_readings
from kontrast.language.lexicons.german_words import DETERMINERS

__all__ = ["EITHER_CASE", "has_rival", "is_joined_bare", "is_of_both_numbers", "may_be_firm", "may_be_joined"]

_STOPS = frozenset(",;:.!?()")
_QUOTES = "\"'„“”»«‚‘’"
_JOINING = frozenset(("und", "sowie"))
_BEING = frozenset(("sein", "werden", "bleiben", "heißen"))
_SEVERAL = frozenset("einige viele mehrere manche wenige beide".split())
_FAR = 9
"""Words behind a subject that follows its verb, among which a second one may be joined."""
EITHER_CASE = frozenset("es sie das die dies diese was alles alle etwas nichts welche welches keine eine".split())
"""Pronouns that are an accusative as well as a nominative."""


def has_rival(sentence: Sentence, verb: int, subject: int, number: str) -> bool:
    """*Das Radar repräsentieren die Augen*, *dann soll Sie Ihr Kit finden*: may another noun of the clause be the
    subject in that number, and the subject an object?"""
    tokens = sentence.tokens
    if any(r.lemma in _BEING for r in readings(tokens[verb].text.lower()) if r.pos == "V"):
        return False  # these have no object
    if is_polite_request(sentence, verb, subject) and opens_sentence(sentence, verb):
        return False  # Benutzt Sie diese Einstellung: no statement begins with its verb
    if not _numbers(sentence, subject, "a"):
        return False
    clause = [k for k in _clause(sentence, verb) if k != subject]
    free = [k for k in clause if not _is_governed(sentence, k)]
    if number == "p" and any(tokens[k].text.lower() in _SEVERAL and _stands_alone(sentence, k) for k in free):
        return True  # dies lösen einige der Probleme
    if any(tokens[k].text == "sie" for k in free):
        return True  # wie es sie erhalten
    nouns = [k for k in free if tokens[k].pos == "NOUN"]
    if any(number in _numbers(sentence, k, "n") for k in nouns):
        return True
    joined = (k for k in clause if k + 1 < len(tokens) and tokens[k].text in _JOINING and _may_open(tokens[k + 1]))
    # welche das Gesicht und die Augen bedecken
    return number == "p" and any(
        0 < k - one < _FAR and _numbers(sentence, one, "n")
        for k in joined
        for one in nouns
        if (one > verb) == (k > verb)
    )


def _stands_alone(sentence: Sentence, i: int) -> bool:
    """*einige der Probleme*, *viele davon*: no noun of its own behind it."""
    after = sentence.tokens[i + 1] if i + 1 < len(sentence.tokens) else None
    return after is None or after.pos not in ("NOUN", "ADJ", "PROPN", "NUM")


def is_of_both_numbers(sentence: Sentence, subject: int, number: str) -> bool:
    """*Flugschreiber können*: a noun with nothing before it whose form has the other number too."""
    bare = _start(sentence, subject) == subject
    return bare and sentence.tokens[subject].pos == "NOUN" and number in _numbers(sentence, subject, "n")


def may_be_joined(sentence: Sentence, verb: int, subject: int) -> bool:
    """*Steuerung von Ton und Bild wird*, *wird die Linie, der Punkt und ein Kreis gezeigt*: with a plural, what is
    behind *und* is a second subject."""
    tokens = sentence.tokens
    if tokens[subject].pos not in ("NOUN", "PROPN"):
        return False
    last = verb - 1 if subject < verb else min(subject + _FAR, len(tokens) - 1)
    return any(_may_open(tokens[k + 1]) for k in range(subject + 1, last) if tokens[k].text in _JOINING)


def is_joined_bare(sentence: Sentence, verb: int, subject: int) -> bool:
    """*Lust und Liebe sind*, *„Maske“ und „Ebene“ sind*: two in the singular without an article may be one thing."""
    before = [sentence.tokens[k] for k in _clause(sentence, verb) if k < verb]
    one = sentence.tokens[subject].pos == "PROPN" or _numbers(sentence, subject, "n") == {"s"}
    joined = subject < verb and any(t.text in _JOINING for t in before)
    return one and joined and not any(t.pos == "DET" for t in before)


def _may_open(token: Token) -> bool:
    """May a subject begin with the word: not with *dem*?"""
    if token.pos == "DET":
        return any(cell[0] == "n" for _, cell in DETERMINERS.get(token.text.lower(), ()))
    return token.pos in ("NOUN", "PROPN", "ADJ") or token.text.startswith("-")  # Weise und -strategie


def _clause(sentence: Sentence, verb: int) -> Iterator[int]:
    """The words around the verb up to the next stop; quotes are none."""
    for step in (-1, 1):
        k = verb + step
        while 0 <= k < len(sentence.tokens) and sentence.tokens[k].text not in _STOPS:
            yield k
            k += step


def _start(sentence: Sentence, noun: int) -> int:
    """Where the phrase of a noun begins: its determiner, numbers, adjectives; quotes are passed over."""
    first = noun
    while first and (
        sentence.tokens[first - 1].pos in ("DET", "ADJ", "NUM") or sentence.tokens[first - 1].text in _QUOTES
    ):
        first -= 1
    return first


def _is_governed(sentence: Sentence, noun: int) -> bool:
    """Is there a preposition before the phrase, or a noun or *und* that it may belong to?"""
    first = _start(sentence, noun)
    if first < noun and sentence.tokens[first].text.lower().endswith(("e", "das", "den")):
        return first > 0 and sentence.tokens[first - 1].pos in ("ADP", "CCONJ")  # bietet die Suite weitere Werkzeuge
    return first > 0 and sentence.tokens[first - 1].pos in ("ADP", "NOUN", "PROPN", "CCONJ")


def _numbers(sentence: Sentence, place: int, case: str) -> set[str]:
    """The numbers in which a noun or pronoun may have the case, by its own form and its determiner's."""
    token = sentence.tokens[place]
    if token.pos not in ("NOUN", "PROPN"):
        return {"s", "p"} if token.text.lower() in EITHER_CASE else set()
    found = {(r.feature, c[:2]) for r in usual_readings(token.text) for c in r.codes if c[0] == case}
    phrase = sentence.tokens[_start(sentence, place) : place]
    cells = next((DETERMINERS[t.text.lower()] for t in phrase if t.text.lower() in DETERMINERS), None)
    known = {(r.feature, c[:2]) for r in usual_readings(token.text) for c in r.codes}
    suits = cells is None or any((gender, cell) in cells or ("x", cell) in cells for gender, cell in known)
    if token.pos == "PROPN" or not known or not suits:  # die Header: a plural that the lexicon does not have
        return {"s"} if cells is None else {cell[1] for _, cell in cells if cell[0] == case}
    return {cell[1] for gender, cell in found if cells is None or (gender, cell) in cells or ("x", cell) in cells}


def may_be_firm(sentence: Sentence, sie: int) -> bool:
    """*World Records erklärte, dass sie … würden*: may *sie* be a name of one firm or band, no several before it?

    Where it may, *sie … würde* is right too.
    """
    tokens = sentence.tokens
    before = tokens[:sie]
    if any(t.pos in ("NOUN", "PROPN") and "Plur" in t.morph.get("Number", "") for t in before):
        return False
    if any(t.text.lower() in _JOINING for t in before):
        return False
    names = (t for t in before if t.pos == "PROPN" and t.relation.startswith("nsubj") and t.head >= 0)
    return any(_is_singular(sentence, t.head) for t in names)


def _is_singular(sentence: Sentence, verb: int) -> bool:
    """Is the verb in the singular, or its auxiliary?"""
    own = [t for i, t in enumerate(sentence.tokens) if i == verb or (t.head == verb and t.relation == "aux")]
    return any(t.morph.get("Number") == "Sing" for t in own)
