"""Why the antecedent of a French, Spanish or Italian item may be refused.

These are doubts: an item with one is left out by default. Those about single foils are in ``near``.
"""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.pronouns.doubt import Doubt
from kontrast.building.pronouns.rivals import chained
from kontrast.building.pronouns.scene import THIRD_PERSON, Scene
from kontrast.language.alignment import spans
from kontrast.language.resolvers.salience import is_person

__all__ = ["doubts_of_antecedent"]

_TELLING = frozenset("say tell claim state suggest hold show indicate have go mean imply warn explain".split())
_CLITICS = frozenset(("le", "la", "l", "les"))
_PASSED = frozenset(("ne", "n", "'", "’", "me", "te", "nous", "vous", "se"))


def doubts_of_antecedent(scene: Scene) -> Iterator[Doubt]:
    """Why another noun, or none, may be meant."""
    choice = scene.choice
    if choice.source is None:
        yield Doubt("its source noun is not known")
        return
    others = (*choice.rivals, *choice.alike, *choice.unknown)
    if noun := chained(others, scene.sentences[choice.line], choice.line, choice.noun, choice.source):
        yield Doubt("{} stands in one phrase with it", noun)
    if _is_told_by_it(scene, choice.source):
        yield Doubt("{} tells of something else", choice.noun.text)
    if _has_an_object_more(scene):
        yield Doubt("the two pronouns may not be counterparts")


def _is_told_by_it(scene: Scene, noun: int) -> bool:
    """*Legend says it was a gift*: the pronoun is in what the noun says; a firm or people may speak of themselves."""
    words = scene.sentence.tokens
    told = words[noun] if scene.choice.line == scene.place.line else None
    if told is None or not told.relation.startswith("nsubj") or told.head < 0 or is_person(told):
        return False
    if told.entity in ("ORG", "GPE", "NORP") or words[told.head].lemma.lower() not in _TELLING:
        return False
    at = scene.token
    while words[at].head >= 0 and words[at].head != told.head:
        at = words[at].head
    return words[at].head == told.head and words[at].relation == "ccomp"


def _has_an_object_more(scene: Scene) -> bool:
    """*since they arrived*, *dès qu'ils les ont vus*: a French object for which the source has no pronoun."""
    if scene.place.target.number is None or not scene.side.knows_nouns:
        return False
    behind = [w.text.lower() for w in spans(scene.text)[scene.place.word + 1 : scene.place.word + 6]]
    first = next((low for low in behind if low not in _PASSED), "")
    third = THIRD_PERSON | {"these", "those"}
    others = [t for k, t in enumerate(scene.sentence.tokens) if k != scene.token and t.text.lower() in third]
    return first in _CLITICS and not others
