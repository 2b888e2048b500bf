"""Why a foil of a German item may be right: another noun suits it, or *es* is said of a situation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from kontrast.building.pronouns.doubt import Doubt
from kontrast.building.pronouns.equated import maker, named_as, what_it_is
from kontrast.building.pronouns.meant import joined_noun
from kontrast.building.pronouns.people import is_german_person
from kontrast.building.pronouns.scene import Scene
from kontrast.building.pronouns.stays import another_es_stays, is_beside_mention, mention_stays, owner_stays
from kontrast.building.pronouns.strict import behind
from kontrast.building.pronouns.target import Contrastive
from kontrast.building.pronouns.weigh import Rival
from kontrast.language.alignment import spans
from kontrast.language.german.es import may_be_event, use_of_es
from kontrast.language.german.plain import (
    BEING,
    PlainWord,
    clause,
    is_adjective,
    may_be_verb,
    split,
)
from kontrast.language.lexicons.german import usual_readings
from kontrast.language.resolvers.salience import is_person, role_of

__all__ = ["doubts_of_foil"]

_SUITS = 0.1
"""A near noun of the foil's gender suits it from this share of the antecedent's weight, wherever it stands."""
_SUITS_BARE = 0.05
"""… behind a preposition that has swallowed its article, in the pronoun's own sentence, from this one …"""
_SUITS_AS_ARGUMENT = 0.02
"""… and a subject or an object from this one."""
_PHRASE = 4
"""So many words apart stand nouns that are joined."""
_JOINING = frozenset(("und", "oder", "bzw", "sowie"))
_SOME = frozenset(("etwas", "bisschen"))
_CONCEDING = frozenset(("obwohl", "obgleich", "während", "auch", "da", "weil"))
_POINTING = frozenset(("das", "dies", "es"))
_NEUTER = frozenset("das dem des im vom zum ins am beim ans etwas nichts alles vieles".split())
"""Before these an adjective with a capital is a neuter noun: *das Böse*."""


def doubts_of_foil(scene: Scene, other: Contrastive) -> Iterator[Doubt]:
    """Why a foil may be right: another noun of its gender, or *es* for a situation."""
    if noun := what_it_is(scene, other.gender):
        yield Doubt("{} is what it is", noun)
    if other.gender == "f" and (noun := joined_noun(scene, "and")):
        yield Doubt("{} and it would go with it", noun)
    for rival in scene.choice.rivals:
        if other.gender not in rival.genders:
            continue
        if _suits(scene, rival):
            yield Doubt("{} would go with it", rival.text)
        if _is_joined(scene, rival):
            yield Doubt("{} is joined with it", rival.text)
    words = split(scene.text)
    i = next((k for k, w in enumerate(words) if w.start == scene.place.target.start), None)
    if i is None:
        return
    if _may_be(scene.choice.noun.lemma, other.gender):
        yield Doubt("{} has that gender too", scene.choice.noun.text)
    if noun := named_as(words, i, other.gender):
        yield Doubt("{} is what it is", noun)
    if is_beside_mention(scene, other):
        yield Doubt("{} stands in one clause with it", scene.choice.noun.text)
    if mention_stays(scene, other):
        yield Doubt("another mention stays")
    if word := owner_stays(scene.text, words, other, min(scene.place.target.gender)):
        yield Doubt("{} may mean the same and stays", word)
    if noun := next(behind(scene, words, i, frozenset(other.gender)), ""):
        yield Doubt("{} behind it would go with it", noun)
    if (words[i].low == "es" and another_es_stays(split(other.text))) or _is_es_before(words, i):
        yield Doubt("another es stays, which may mean the same")
    if name := maker(scene):
        yield Doubt("{}, a name, would go with it", name)
    if other.gender == "f" and (noun := _several(scene)):
        yield Doubt("{}, several things, would go with it", noun)
    if other.gender == "n":
        yield from _situation(scene, other, words, i)


def _may_be(lemma: str, gender: str) -> bool:
    """*der* or *das Terminal*; but a *Messer* is rarely one who measures."""
    return any(r.pos == "N" and not r.rare and r.feature == gender and "ns" in r.codes for r in usual_readings(lemma))


def _situation(scene: Scene, other: Contrastive, words: Sequence[PlainWord], i: int) -> Iterator[Doubt]:
    """*es* takes up what has no noun, or another gender."""
    if noun := _neuter_adjective(scene):
        yield Doubt("{}, an adjective, would go with it", noun)
    if _is_pointed_at(scene):
        yield Doubt("es may be what is pointed at")
    made = split(other.text)
    at = next((k for k, w in enumerate(made) if w.start >= words[i].start and w.low == "es"), None)
    if at is None:
        return
    if any(w.low == "es" for w in words):
        yield Doubt("another es is in the sentence")
    if use_of_es(made, at, is_object=scene.is_object).kind != "thing":
        yield Doubt("es may be said of a situation")
    if may_be_event(made, at, is_object=scene.is_object):
        yield Doubt("es may be an event")


def _several(scene: Scene) -> str:
    """*Tränke den Lumpen … Stöcke … zünde ihn an*: as an object, *sie* may be several things."""
    if not scene.is_object:
        return ""
    for sentence in scene.sentences[max(scene.place.line - 1, 0) : scene.place.line + 1]:
        for token in sentence.tokens:
            if token.tag == "NNS" and not is_person(token):
                return token.text
    return ""


def _is_es_before(words: Sequence[PlainWord], i: int) -> bool:
    """*Obwohl es nahrhaft ist, ist er nicht lecker*: a clause opens with *es* for what the next one calls *er*."""
    start, _ = clause(words, i)
    if words[i].low == "es" or i != start + 1 or start < 4 or words[start - 1].low != ",":
        return False
    first, last = clause(words, start - 2)
    opening = first == 0 and words[0].low in _CONCEDING and words[1].low == "es" and words[last].low in BEING
    return opening and use_of_es(words, 1).kind in ("thing", "open")


def _suits(scene: Scene, rival: Rival) -> bool:
    away = scene.place.line - rival.line
    if is_german_person(rival.noun.lemma):
        return False
    if rival.share > _SUITS or (not away and rival.share > _SUITS_BARE and _is_bare(scene, rival)):
        return True
    role = role_of(scene.sentences[rival.line].tokens[rival.source]) if rival.source is not None else ""
    return away <= 1 and role in ("subject", "object", "root") and rival.share > _SUITS_AS_ARGUMENT


def _is_bare(scene: Scene, rival: Rival) -> bool:
    """*bringt das Regelwerk zur Anwendung: ohne sie*: a noun that says what is done."""
    before = spans(scene.text)[rival.noun.index - 1].text.lower() if rival.noun.index else ""
    return before in ("zur", "zum", "in", "unter", "außer", "ins")


def _is_joined(scene: Scene, rival: Rival) -> bool:
    """*die Anwendung oder der Dienst*, and then *die Anwendung … sie*: what is said of one may be said of both."""
    if scene.place.line - rival.line > 1:
        return False
    target, lemma = spans(scene.document.target[rival.line]), scene.choice.noun.lemma
    at = rival.noun.index
    for j in range(max(at - _PHRASE, 0), min(at + _PHRASE + 1, len(target))):
        first, last = sorted((j, at))
        between = [w.text.lower() for w in target[first + 1 : last]]
        if not _JOINING & set(between) or not all(low.isalpha() for low in between):
            continue
        noun = scene.side.noun(scene.document.target[rival.line], target, j, "s")
        if noun is not None and noun.lemma == lemma:
            return True
    return False


def _is_pointed_at(scene: Scene) -> bool:
    """*Das muss der Schlüssel sein. … es*, *etwas Feuerkraft … es*: taken up without its gender."""
    choice = scene.choice
    if choice.line == scene.place.line:
        return False
    words = split(scene.document.target[choice.line])
    start = spans(scene.document.target[choice.line])[choice.noun.index].start
    i = next((k for k, w in enumerate(words) if w.start == start), None)
    if i is None:
        return False
    if any(w.low in _SOME for w in words[max(i - 2, 0) : i]):
        return True
    first, last = clause(words, i)
    inside = [w.low for w in words[first : last + 1]]
    pointing = any(
        low in _POINTING and (may_be_verb(words, first + k + 1) or (k and may_be_verb(words, first + k - 1)))
        for k, low in enumerate(inside[:-1])
    )
    return pointing and bool(set(inside) & (BEING | {"sein"}))


def _neuter_adjective(scene: Scene) -> str:
    """*eine Wolke des Bösen*: a noun made of an adjective."""
    for line in (scene.place.line, scene.place.line - 1):
        if line < 0:
            continue
        words = split(scene.document.target[line])
        if line == scene.place.line:
            words = [w for w in words if w.start < scene.place.target.start]
        for before, word in pairwise(words):
            made = word.text[0].isupper() and word.low.endswith(("e", "en", "es", "em")) and is_adjective(word.low)
            if made and before.low in _NEUTER:
                return word.text
    return ""
