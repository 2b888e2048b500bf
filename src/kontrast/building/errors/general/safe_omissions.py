"""What can be left out of a sentence safely, where the language declares enough: a last phrase or a last clause."""

from __future__ import annotations

import re

from kontrast.building.errors.general.bound_phrases import PhraseWords
from kontrast.building.errors.text import unaccented
from kontrast.language.annotation import Sentence

__all__ = ["is_safe_clause", "is_safe_phrase"]

_LETTERS = 4
"""That a word and its cognate begin with."""
_CONTENT = frozenset(("NOUN", "PROPN", "ADJ", "NUM", "VERB", "X"))
_NAMED = frozenset(("NOUN", "PROPN", "X"))
_STOPS = frozenset((".", "!", ";"))
_CLOSED = frozenset((".", "!"))
_APART = frozenset((":", "?", "(", ")", "[", "]", "=", "/", "|"))
_NEAR = 8
_UNITS = frozenset("an ans mois semaine semaines jour jours heure heures minute minutes seconde secondes".split())
_ASKING = ("dire", "dit", "sav", "sai", "voir", "vérif", "détermin", "demand", "jug", "décid", "compren")
_BARE = len(("dans", "leur", "périple"))
_MORE = 3
"""Words that the source's last phrase may have more than the text's."""


def is_safe_phrase(sentence: Sentence, i: int, first: int, last: int, words: PhraseWords) -> bool:
    """Is it the last phrase of a plain statement, whose noun ``i`` the source says too?

    *Les mots sont effacés dans la zone.*, *They are erased in the area.* Not beside a negation or a conjunction.
    """
    tokens = sentence.tokens
    after = tokens[last + 1].text if last + 1 < len(tokens) else "."
    if after not in _STOPS or tokens[i].pos not in _NAMED or tokens[i].text.lower() in words.vague:
        return False
    if (
        _APART & {t.text for t in tokens[: last + 1]}
        or _is_key(tokens[first - 1].text)
        or sentence.text.rstrip().endswith("?")
    ):
        return False
    own = tokens[first + 1].morph
    pointed = own.get("PronType") == "Dem" or (own.get("Poss") == "Yes" and last - first + 1 == _BARE)
    if pointed and tokens[first].text.lower() not in words.company:
        return False  # dans cette page de manuel, dans leur périple
    head = tokens[i].head
    if tokens[first - 1].text.lower() in _UNITS and tokens[first - 2].text[:1].isdigit():
        return False  # 6 mois | après la fin
    if [t.text.lower() for t in tokens[max(0, first - 2) : first]][:1] == ["y"]:
        return False  # ce qu'il y a | dans les cœurs
    if head >= 0 and any(t.text.lower() in ("se", "s'", "s’") for t in tokens[max(0, head - 2) : head]):
        return False  # se contrôle | grâce à cet élément
    between = tokens[max(0, min(head, first - 1)) : last + 1]
    if any(t.pos == "CCONJ" or t.text.lower() in words.joining or t.text == "," for t in between):
        return False
    if any(t.pos == "ADP" and t.text.lower() in words.agents for t in tokens[first + 1 : last]):
        return False  # remplacent le caractère [avant le curseur par une espace]
    near = {t.text.lower().replace("’", "'") for t in tokens[max(0, first - _NEAR) : last + 1]}
    if near & words.negating or near & words.likening:
        return False
    return not sentence.source.strip() or _is_in_source(sentence, first, last, words)


def _is_key(word: str) -> bool:
    """*Maj+Flèche | vers le bas*: part of a key's name."""
    return "+" in word or word.startswith("Flèche")


def _is_in_source(sentence: Sentence, first: int, last: int, words: PhraseWords) -> bool:
    """Has the source a cognate that the rest does not translate, or such a phrase in the same place?"""
    inside, rest = sentence.tokens[first + 1 : last + 1], (*sentence.tokens[:first], *sentence.tokens[last + 1 :])
    said = re.findall(r"[^\W_]+", sentence.source.lower())
    starts, kept = {_start(word) for word in said}, {_start(t.text) for t in rest}
    if any(t.pos in _CONTENT and len(t.text) >= _LETTERS and _start(t.text) in starts - kept for t in inside):
        return True
    counterparts = words.counterparts.get(sentence.tokens[first].text.lower(), ())
    ending = said[-(last - first + 1 + _MORE) :]
    return last + 2 >= len(sentence.tokens) and bool(set(counterparts) & set(ending[:-1]))


def _start(word: str) -> str:
    return unaccented(word.lower())[:_LETTERS]


def is_safe_clause(text: str, start: int, mark: str, words: PhraseWords) -> bool:
    """Is it the last clause of a plain statement that does not open with a condition? ``start``: its comma."""
    before, clause = text[:start].lower(), re.findall(r"\w+", text[start:].lower())
    said = re.findall(r"\w+", before)
    if mark not in _CLOSED or text.rstrip().endswith("?") or clause[0] in words.relatives & {"que"}:
        return False
    if said and clause[0] in words.conditions and said[-1].startswith(_ASKING):
        return False  # nous ne pouvons dire, si …
    if not said or words.conditions & set(said) or any(sign in before for sign in ":?([«"):
        return False
    return "," not in before
