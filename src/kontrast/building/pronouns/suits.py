"""Why a foil of a German item may be right: another noun suits it, or *es* is said of a situation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from kontrast.building.pronouns.strict import Scene, behind, is_german_person
from kontrast.building.pronouns.target import Contrastive
from kontrast.building.pronouns.weigh import Rival
from kontrast.language.alignment import spans
from kontrast.language.german.es import may_be_event, use_of_es
from kontrast.language.german.plain import PlainWord, is_adjective, split
from kontrast.language.lexicons.german import readings
from kontrast.language.resolvers.salience import is_person, role_of

__all__ = ["doubt_of_foil"]

_SUITS = 0.1
"""A near noun of the foil's gender suits it from this share of the antecedent's weight, wherever it stands."""
_SUITS_AS_ARGUMENT = 0.02
"""… and a subject or an object from this one."""
_NEUTER = frozenset("das dem des im vom zum ins am beim ans etwas nichts alles vieles".split())
"""Before these an adjective with a capital is a neuter noun: *das Böse*."""


def doubt_of_foil(scene: Scene, other: Contrastive) -> str:
    """Why a foil may be right: another noun of its gender, or *es* for a situation."""
    for rival in scene.choice.rivals:
        if other.gender in rival.genders and _suits(scene, rival):
            return f"{rival.text} would go with it"
    words = split(scene.text)
    i = next((k for k, w in enumerate(words) if w.start == scene.place.target.start), None)
    if i is None:
        return ""
    if noun := next(behind(scene, words, i, frozenset(other.gender)), ""):
        return f"{noun} behind it would go with it"
    if words[i].low == "es" and _another_stays(split(other.text)):
        return "another es stays, which may mean the same"
    if other.gender != "n":
        name = _maker(scene)
        return f"{name} would go with it" if name else ""
    if noun := _neuter_adjective(scene):
        return f"{noun} would go with it"
    made = split(other.text)
    at = next((k for k, w in enumerate(made) if w.start >= words[i].start and w.low == "es"), None)
    if at is None:
        return ""
    if any(w.low == "es" for w in words):
        return "another es is in the sentence"
    used = use_of_es(made, at, is_object=scene.is_object).kind
    return (
        "es may be said of a situation"
        if used != "thing" or may_be_event(made, at, is_object=scene.is_object)
        else ""
    )


def _another_stays(words: Sequence[PlainWord]) -> bool:
    """*wo ich ihn mir leisten kann, möchte ich es dir zahlen*; but not *es gibt*."""
    return any(w.low == "es" and use_of_es(words, j).kind != "empty" for j, w in enumerate(words))


def _suits(scene: Scene, rival: Rival) -> bool:
    away = scene.place.line - rival.line
    if is_german_person(rival.noun.lemma):
        return False
    if rival.share > _SUITS:
        return True
    role = role_of(scene.sentences[rival.line].tokens[rival.source]) if rival.source is not None else ""
    return away <= 1 and role in ("subject", "object", "root") and rival.share > _SUITS_AS_ARGUMENT


def _maker(scene: Scene) -> str:
    """*die Musik von Mozart … ihn hören*: the name says the same as the noun."""
    choice = scene.choice
    target = spans(scene.document.target[choice.line])
    at = choice.noun.index
    after = [w.text for w in target[at + 1 : at + 4]]
    if len(after) > 1 and after[0] in ("von", "vom") and after[1][0].isupper() and not _is_noun(after[1]):
        return after[1]
    before = target[at - 1].text if at else ""
    owner = before.endswith(("s", "'", "’")) and before[:1].isupper() and at > 1 and not _is_noun(before)
    people = any(is_person(t) for t in scene.sentences[choice.line].tokens if before.startswith(t.text) and t.text)
    return before if owner and people else ""


def _is_noun(text: str) -> bool:
    return any(r.pos == "N" for r in readings(text))


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
