"""Places where a word with *un-* is not the opposite of the word without it, or is not said.

A scale, whose two ends name the same; what may be or not; phrases that have no negative.
"""

from __future__ import annotations

import re

from kontrast.building.perturb.de.grammar import finite_verbs
from kontrast.building.perturb.de.negation import part_around
from kontrast.building.perturb.de.verb_uses import between_signs, verb_lemmas
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicons.german import adjective_lemma
from kontrast.language.lexicons.german_words import word_lists

__all__ = ["is_open", "is_scale", "is_set_phrase"]

_LISTS = word_lists("de.lists.txt")
_ON_SCALES = frozenset(_LISTS["on_scales"])
_OF_SCALES = frozenset(_LISTS["of_scales"])
_UNITS = frozenset(_LISTS["units"])
_HAD = {noun: frozenset(_LISTS["with_" + noun]) for noun in ("fähigkeit", "geduld", "gerechtigkeit")}
"""Verbs beside which a noun has no negative: *die Fähigkeit haben*, *um Geduld bitten*."""
_SET = {name.removeprefix("set_"): frozenset(_LISTS[name]) for name in _LISTS if name.startswith("set_")}
"""Nouns before which an adjective has no negative: *der sichere Tod*."""
_POSSESSIVES = ("mein", "dein", "sein", "ihr", "unser", "euer", "eure")
_OPENING = frozenset(("ART", "PIS", "PIAT", "PDAT", "PPOSAT"))
"""Tags of the words that open a noun's phrase."""
_BEFORE = frozenset(("bevor", "bis", "ehe"))
_MAY = re.compile(r"\b(?:may|might)\b|^May\b")
_AGREED = frozenset(("dass", "daß", "das", "wie"))
_URGENT = frozenset("dringend unbedingt zwingend wohl hinreichend hinlänglich bestens weniger minder ohne".split())
_NEEDED = frozenset(("nötig", "notwendig", "erwünscht"))
_IF = frozenset(("wenn", "falls", "sofern", "sollte", "sollten"))
_WHERE_GIVEN = frozenset(("falls", "sofern", "wo", "soweit", "sobald", "solange"))
_GIVEN = _NEEDED | {"möglich", "erlaubt", "zulässig", "verfügbar"}
_OF_ALL = frozenset("bekannt möglich denkbar zulässig verfügbar erlaubt erreichbar".split())
"""*das stärkste bekannte Gift*: of all that are known."""
_OF_FIELDS = frozenset(("moralisch", "menschlich"))
"""Before a noun they may say what it belongs to, not what it is like: *ein moralisches Versprechen*."""


def is_scale(sentence: Sentence, i: int) -> bool:
    """*die Klarheit des Sees überwachen*, *lag die Klarheit bei 24 Metern*: what is measured, watched or affected.

    Who affects how clear it is affects how unclear it is.
    """
    tokens = sentence.tokens
    if not tokens[i].text.lower().endswith(("heit", "keit")):
        return False
    near = between_signs(sentence, i)
    whole = part_around(sentence, i) if near[-1] == i else near  # seine Fähigkeit, zu gewinnen, hängt davon ab
    if _verbs(sentence, whole) & _ON_SCALES or any(tokens[k].text in _OF_SCALES for k in near if k < i):
        return True
    return any(tokens[k].text in _UNITS and _is_number(tokens[k - 1]) for k in near if k)


def is_open(sentence: Sentence, i: int) -> bool:
    """*Es kann ein Neustart nötig sein*: what may be so may be otherwise too, and both are true.

    And *bevor die Tomaten reif sind*: what is not reached; a question behind a name (*Kelly, bist du sicher?*).
    """
    tokens, near = sentence.tokens, between_signs(sentence, i)
    possible = "können" in _verbs(sentence, near)
    predicate = tokens[i].tag not in ("ADJA", "NN")
    behind = {tokens[k].text.lower() for k in near if k > i}
    if possible and predicate and behind & {"sein", "bleiben"}:
        return True
    if possible and not predicate and _MAY.search(sentence.source):
        return True  # es können sichtbare Falten auftreten
    if predicate and any(tokens[k].tag == "KOUS" and tokens[k].text.lower() in _BEFORE for k in near if k < i):
        return True
    asked = near[-1] + 1 < len(tokens) and tokens[near[-1] + 1].text == "?"
    return asked and near[0] in set(finite_verbs(sentence))


def is_set_phrase(sentence: Sentence, i: int) -> bool:
    """*die Fähigkeit haben*, *auffällig ist, dass*, *zum Glück*, *sicher vor*: is it part of what has no negative?"""
    token = sentence.tokens[i]
    return _is_set_noun(sentence, i) if token.tag == "NN" else _is_set_adjective(sentence, i)


def _is_set_noun(sentence: Sentence, i: int) -> bool:
    tokens, near = sentence.tokens, between_signs(sentence, i)
    low = tokens[i].text.lower()
    before = [t.text.lower() for t in tokens[max(0, i - 2) : i]]
    if low == "glück":
        return before[-1:] == ["zum"] or before[:1] == ["mit"]  # mit etwas Glück
    if low in _HAD and (_verbs(sentence, near) & _HAD[low] or {"hab", "nimm"} & set(before)):
        return True
    # Eine besondere Fähigkeit is a skill; seine Fähigkeit, zu überleben, is that he can.
    return low == "fähigkeit" and not (before and before[-1].startswith(_POSSESSIVES))


def _is_set_adjective(sentence: Sentence, i: int) -> bool:
    tokens, near = sentence.tokens, between_signs(sentence, i)
    token, low = tokens[i], tokens[i].text.lower()
    lemma = adjective_lemma(low) or low
    lows = [tokens[k].text.lower() for k in near]
    before = lows[: i - near[0]]
    follows = [t.text.lower() for t in tokens[near[-1] + 1 : near[-1] + 3]]
    given = before[-1:] and (before[-1] in _WHERE_GIVEN or before[-2:] == ["wo", "immer"])
    if (given and lemma in _GIVEN) or _URGENT & set(before[-1:]):
        return True  # falls nötig, dringend nötig
    if lemma in _NEEDED and (_IF & set(before[:1]) or low == "nötigsten"):
        return True  # sollte es nötig sein; wenn sie es am nötigsten brauchen
    if token.tag == "ADJA":
        most = bool(before) and before[-1].endswith(("sten", "ste"))
        after = tokens[i + 1].text if i + 1 < len(tokens) else ""
        set_phrase = lemma in _OF_FIELDS or after in _SET.get(lemma, ())
        return set_phrase or (lemma in _OF_ALL and most) or _has_complement(sentence, i, lemma)
    if (follows[:1] == [":"] or "viel" in before[:2]) and lemma in ("sicher", "klar", "bekannt", "auffällig"):
        return True  # eins ist sicher: …; so viel ist klar
    if lemma == "auffällig":
        return follows[:1] == [","] and follows[1:] != [] and follows[1] in _AGREED
    if lemma == "sicher":
        return "vor" in lows or _says_it(sentence, near)
    if lemma == "fähig" and before[:1] == ["wozu"]:
        return True
    if lemma == "ruhig":
        return "seid" in before or before[:1] in (["sei"], ["seien"])  # Sei ruhig! is: be silent
    if lemma == "möglich":
        return bool(before) and before[0] in ("der", "die", "das") and _follows_most(sentence, near[0])
    return lemma.endswith("end") and any(tokens[k].tag == "PAV" for k in near if k < i)


def _has_complement(sentence: Sentence, i: int, lemma: str) -> bool:
    """*damit zusammenhängende Vorwürfe*, *die zum Kleid passenden Schuhe*: a participle with its complement."""
    tokens = sentence.tokens
    if not i or not lemma.endswith("end"):
        return False
    if tokens[i - 1].tag in ("PAV", "PRF"):
        return True
    first = i - 1
    while first > 0 and tokens[first].pos in ("NOUN", "PROPN", "ADJ", "DET"):
        first -= 1
    return first > 0 and tokens[first].pos == "ADP" and tokens[first - 1].tag in _OPENING


def _says_it(sentence: Sentence, near: range) -> bool:
    """*Ich bin sicher, ihr fragt euch …*: a main clause is what one is sure of."""
    tokens = sentence.tokens
    told = any(tokens[k].text.lower() in ("ich", "wir", "du") for k in near)
    after = tokens[near[-1] + 1 : near[-1] + 3]
    return told and len(after) > 1 and after[0].text == "," and after[1].tag in ("PPER", "ART", "PDS", "NE", "PPOSAT")


def _follows_most(sentence: Sentence, first: int) -> bool:
    """*das beste Geschenk, das möglich ist*: of all that can be."""
    near = sentence.tokens[max(0, first - 4) : first]
    return any(t.pos == "ADJ" and re.search(r"ste[nrsm]?$", t.text) for t in near)


def _verbs(sentence: Sentence, near: range) -> set[str]:
    return verb_lemmas(sentence.tokens[k] for k in near)


def _is_number(token: Token) -> bool:
    return token.tag == "CARD" or token.text[:1].isdigit()
