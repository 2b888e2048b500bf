"""Why the antecedent of a German item may be refused: *es* for an event, topics that go on, wrong counterparts.

These are doubts, no repairs: an item with one is left out by default. Those about single foils are in ``suits``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kontrast.building.pronouns.clues import OTHER_CASE
from kontrast.building.pronouns.counterparts import are_counterparts
from kontrast.building.pronouns.doubt import Doubt
from kontrast.building.pronouns.meant import another_noun, is_part, joined_noun
from kontrast.building.pronouns.people import is_german_person
from kontrast.building.pronouns.scene import Scene
from kontrast.language.alignment import spans
from kontrast.language.annotation import Sentence, Token
from kontrast.language.coreference import is_pleonastic
from kontrast.language.german.es import may_be_event, use_of_es
from kontrast.language.german.plain import PlainWord, clause, lemmas, split, subordinates

__all__ = ["behind", "doubts_of_item"]

_CLOSE = 0.05
_IDIOMS = frozenset("afford do get make try manage handle blow call finish end".split())
"""English verbs whose object *it* is often an event, or nothing: *got it*, *made it*, *call it a day*."""
_GOT_IT = re.compile(
    r"^\W*(?:(?:i|we|you|he|she|they)(?:\W?\s?(?:have|has|ve|s))? )?(?:got|get|have) it\b[^\w]*$", re.IGNORECASE
)
_OF_PEOPLE = {"ihr": frozenset(("she", "her")), "ihm": frozenset(("he", "him"))}
"""Beside these a dative is rather someone's, whatever the alignment says."""


def doubts_of_item(scene: Scene) -> Iterator[Doubt]:
    """Why the antecedent may not be what is meant."""
    words = split(scene.text)
    i = next((k for k, w in enumerate(words) if w.start == scene.place.target.start), None)
    if i is None:
        return
    if words[i].low == "es" and (_is_event(scene) or _is_event_here(words, i, scene)):
        yield Doubt("es may be an event")
    if not are_counterparts(scene, words, i):
        yield Doubt("the two pronouns may not be counterparts")
    if is_german_person(scene.choice.noun.lemma):
        yield Doubt("{} is a person", scene.choice.noun.text)
    if words[i].low in _OF_PEOPLE and _OF_PEOPLE[words[i].low] & {t.text.lower() for t in scene.sentence.tokens}:
        yield Doubt("someone may be meant")
    if _is_beside_es(scene, words, i):
        yield Doubt("es beside it may be its counterpart")
    if _is_compared(scene):
        yield Doubt("{} is only compared with it", scene.choice.noun.text)
    if other := joined_noun(scene, "or"):
        yield Doubt("{} is as likely meant", other)
    if is_part(scene):
        yield Doubt("its source noun is part of another")
    if _goes_on(scene):
        yield Doubt("it goes on from the sentence before")
    if other := another_noun(scene):
        yield Doubt("{} may be meant", other)
    if _is_said_again(scene, words, i):
        yield Doubt("{} is said again behind it", scene.choice.noun.text)
    if noun := next(behind(scene, words, i, frozenset(scene.place.target.gender)), ""):
        yield Doubt("{} behind it may be meant", noun)


def _is_all(sentence: Sentence, token: int) -> bool:
    """*it all*, *it has all been for you*."""
    after = [w.text.lower() for w in sentence.tokens[token + 1 : token + 4]]
    if "all" not in after:
        return False
    return all(w.pos in ("AUX", "PRON", "DET") for w in sentence.tokens[token + 1 : token + 2 + after.index("all")])


def _is_event(scene: Scene) -> bool:
    """By the English words: *it all*, *afford it*, *got it*; *…, and it could ruin us* behind a mere fragment."""
    words, token = scene.sentence.tokens, scene.token
    if _is_all(scene.sentence, token) or _GOT_IT.search(scene.sentence.text):
        return True
    head = words[token].head
    if head >= 0 and words[token].relation in ("dobj", "obj") and words[head].lemma.lower() in _IDIOMS:
        return True
    if not words[token].relation.startswith("nsubj"):
        return False
    if token and words[token - 1].lemma.lower() == "make":
        return True  # make it stick
    joined = token > 0 and words[token - 1].text.lower() in ("and", "or", "then", "so", "but")
    before = [w for w in words[: token - 1] if w.relation.startswith("nsubj") and not _is_filler(words, w.head)]
    return joined and token > 1 and not before


def _is_filler(words: Sequence[Token], head: int) -> bool:
    """*you know*, *I mean* at the beginning."""
    return 0 <= head <= 2 and words[head].lemma.lower() in ("know", "mean", "see", "say", "think")


def _is_event_here(words: Sequence[PlainWord], i: int, scene: Scene) -> bool:
    """By the German words: *es war alles*, *es sich leisten*, *es könnte uns ruinieren*."""
    start, end = clause(words, i)
    inside = {w.low for w in words[start : end + 1]}
    if "alles" in inside or "leisten" in frozenset().union(*map(lemmas, inside)):
        return True
    if not scene.is_object and may_be_event(words, i, is_object=False):
        return True
    used = use_of_es(words, i, is_object=scene.is_object).kind
    if scene.choice.line == scene.place.line:
        return used == "sentence"
    return used in ("sentence", "predicate") or (scene.is_object and may_be_event(words, i, is_object=True))


def _is_beside_es(scene: Scene, words: Sequence[PlainWord], i: int) -> bool:
    """*She would have enjoyed it*, *Sie hätte es genossen*: of two pronouns *es* is the object."""
    if words[i].low == "es" or OTHER_CASE not in scene.clues.signs or not scene.is_object:
        return False
    start, end = clause(words, i)
    return any(w.low == "es" for w in words[start : end + 1])


def _is_compared(scene: Scene) -> bool:
    """*pull it out like rubber*, *ein bisschen wie ein Ballspiel*"""
    choice = scene.choice
    before = [w.text.lower() for w in spans(scene.document.target[choice.line])[: choice.noun.index][-3:]]
    if before[-1:] in (["ein"], ["eine"]):
        before.pop()
    if before[-1:] == ["wie"] and before[-2:-1] != [","]:
        return True
    if choice.source is None:
        return False
    tokens = scene.sentences[choice.line].tokens
    joint = tokens[choice.source].head
    like = tokens[choice.source].relation == "pobj" and tokens[joint].text.lower() == "like"
    return like and tokens[tokens[joint].head].lemma.lower() not in (
        "look",
        "seem",
        "sound",
        "feel",
        "be",
        "something",
    )


def _is_said_again(scene: Scene, words: Sequence[PlainWord], i: int) -> bool:
    """*reizen die Haut, … sie auf Ihre Haut drücken*: what is named anew is rather not what the pronoun means."""
    noun, (_, end) = scene.choice.noun, clause(words, i)
    return bool({noun.text.lower(), noun.lemma.lower()} & {w.low for w in words[i + 1 : end + 1]})


def _goes_on(scene: Scene) -> bool:
    """*It contains a lagoon. It was declared …*: the first *it* is meant, not the noun behind it."""
    choice = scene.choice
    if scene.clues.role != "subject":
        return False
    tokens = scene.sentences[choice.line].tokens
    noun = tokens[choice.source] if choice.source is not None else None
    end = choice.source if choice.source is not None else len(tokens)
    for k, word in enumerate(tokens[:end]):
        if word.text.lower() != "it" or not word.relation.startswith("nsubj"):
            continue
        said_of = noun is not None and noun.relation == "attr" and noun.head == word.head  # it is a house
        if not said_of and not is_pleonastic(scene.sentences[choice.line], k):
            return True
    return False


def behind(scene: Scene, words: Sequence[PlainWord], i: int, genders: frozenset[str]) -> Iterator[str]:
    """Nouns behind a pronoun that stands in a clause before the main one: *Nachdem ich sie sah, … die Faust*."""
    start, end = clause(words, i)
    first = next((k for k, w in enumerate(words) if w.low[0].isalpha()), 0)
    if start != first or not subordinates(words, start):
        return
    target = spans(scene.text)
    for j, span in enumerate(target):
        if span.start <= words[end].start:
            continue
        noun = scene.side.noun(scene.text, target, j, "s")
        if noun is not None and noun.genders & genders and noun.lemma != scene.choice.noun.lemma:
            yield noun.text
