"""What a second reader may refuse in a German item, and why: *es* for an event, foils that are not wrong.

These are doubts, no repairs: an item or a foil with one is left out by default.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from kontrast.building.parallel import Document
from kontrast.building.pronouns.clues import ELSEWHERE, Clues, stays_subject
from kontrast.building.pronouns.phrases import phrase_role
from kontrast.building.pronouns.places import PronounPlace
from kontrast.building.pronouns.target import Contrastive, TargetSide
from kontrast.building.pronouns.weigh import Choice, Rival
from kontrast.language.alignment import spans
from kontrast.language.annotation import Sentence, Token
from kontrast.language.coreference import is_pleonastic
from kontrast.language.german.es import may_be_event, use_of_es
from kontrast.language.german.plain import BEING, PlainWord, clause, is_adjective, lemmas, split
from kontrast.language.lexicons.german import readings
from kontrast.language.lexicons.german_words import SUBORDINATORS
from kontrast.language.resolvers.salience import is_person, role_of

__all__ = ["Scene", "doubt_of_foil", "doubt_of_item"]

_SUITS = 0.1
"""A near noun of the foil's gender suits it from this share of the antecedent's weight, wherever it stands."""
_SUITS_AS_ARGUMENT = 0.02
"""… and a subject or an object from this one."""
_CLOSE = 0.05
"""Head and genitive of one gender: the other may be meant from this share."""
_IDIOMS = frozenset("afford do get make try manage handle blow call finish end".split())
"""English verbs whose object *it* is often an event, or nothing: *got it*, *made it*, *call it a day*."""
_GOT_IT = re.compile(
    r"^\W*(?:(?:i|we|you|he|she|they)(?:\W?\s?(?:have|has|ve|s))? )?(?:got|get|have) it\b[^\w]*$", re.IGNORECASE
)
_STATES = frozenset("sein werden bleiben scheinen heißen gelten liegen stehen haben wirken aussehen bilden".split())
"""Verbs that render *be*."""
_PEOPLE = tuple(
    "minister ministerin regent herr herrn herren könig königin meister mann frau präsident präsidentin chef chefin "
    "berater beraterin freund freundin begleiter begleiterin anwalt richter wächter krieger soldat bruder vater sohn "
    "kanzler kanzlerin sprecher sprecherin leiter leiterin kapitän prinz prinzen prinzessin doktor offizier".split()
)
_NEUTER = frozenset("das dem des im vom zum ins am beim ans etwas nichts alles vieles".split())
"""Before these an adjective with a capital is a neuter noun: *das Böse*."""


class Scene(msgspec.Struct, frozen=True):
    """A place with all that was found out about it; ``token`` is the source pronoun's."""

    document: Document
    place: PronounPlace
    sentences: Sequence[Sentence]
    token: int
    clues: Clues
    choice: Choice
    side: TargetSide

    @property
    def text(self) -> str:
        return self.document.target[self.place.line]

    @property
    def sentence(self) -> Sentence:
        return self.sentences[self.place.line]

    @property
    def is_object(self) -> bool:
        return not stays_subject(self.sentence, self.token)


def doubt_of_item(scene: Scene) -> str:
    """Why the antecedent may not be what is meant; empty where nothing speaks against it."""
    words = split(scene.text)
    i = next((k for k, w in enumerate(words) if w.start == scene.place.target.start), None)
    if i is None:
        return ""
    if words[i].low == "es" and (_is_event(scene) or _is_event_here(words, i, scene)):
        return "es may be an event"
    if not _are_counterparts(scene, words, i):
        return "the two pronouns may not be counterparts"
    if _is_german_person(scene.choice.noun.lemma):
        return f"{scene.choice.noun.text} is a person"
    if _goes_on(scene):
        return "it goes on from the sentence before"
    if other := _of_one_phrase(scene):
        return f"{other.text} may be meant"
    if noun := next(_behind(scene, words, i, frozenset(scene.place.target.gender)), ""):
        return f"{noun} behind it may be meant"
    return ""


def doubt_of_foil(scene: Scene, other: Contrastive) -> str:
    """Why a foil may be right: another noun of its gender, or *es* for a situation."""
    for rival in scene.choice.rivals:
        if other.gender in rival.genders and _suits(scene, rival):
            return f"{rival.text} would go with it"
    words = split(scene.text)
    i = next((k for k, w in enumerate(words) if w.start == scene.place.target.start), None)
    if i is None:
        return ""
    if noun := next(_behind(scene, words, i, frozenset(other.gender)), ""):
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
    if _is_german_person(rival.noun.lemma):
        return False
    if rival.share > _SUITS:
        return True
    role = role_of(scene.sentences[rival.line].tokens[rival.source]) if rival.source is not None else ""
    return away <= 1 and role in ("subject", "object", "root") and rival.share > _SUITS_AS_ARGUMENT


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
    return use_of_es(words, i, is_object=scene.is_object).kind == "sentence"


def _are_counterparts(scene: Scene, words: Sequence[PlainWord], i: int) -> bool:
    """Not where the source's verb is elsewhere, or *it is vast* stands beside *er anführt*."""
    if ELSEWHERE in scene.clues.signs:
        return False
    tokens, token = scene.sentence.tokens, scene.token
    head = tokens[token].head
    if scene.clues.role != "subject" or head < 0 or tokens[head].lemma.lower() not in ("be", "'s"):
        return True
    signs = [k for k, w in enumerate(words) if w.low in ",;:.!?–—"]
    start = max((k for k in signs if k < i), default=-1) + 1
    end = min((k for k in signs if k > i), default=len(words))
    inside = [w.low for w in words[start:end]]
    verbs = frozenset().union(*map(lemmas, inside))
    return not verbs or bool(verbs & _STATES) or bool(BEING & set(inside))


def _is_german_person(lemma: str) -> bool:
    """*Kriegsherr*, *Innenminister*: *it* is none of them, whatever the source noun is taken for."""
    return lemma.lower().endswith(_PEOPLE)


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


def _of_one_phrase(scene: Scene) -> Rival | None:
    """*der Zustand des Flusses … er*: head and genitive have the pronoun's gender."""
    choice = scene.choice
    target = spans(scene.document.target[choice.line])
    for rival in choice.alike:
        if rival.line != choice.line or rival.share < _CLOSE:
            continue
        first, last = sorted((rival.noun.index, choice.noun.index))
        between = [w.text.lower() for w in target[first + 1 : last]]
        of = phrase_role("de", target, last) == "of a noun" or "von" in between or "vom" in between
        if of and len(between) <= 4 and all(word.isalpha() for word in between):
            return rival
    return None


def _behind(scene: Scene, words: Sequence[PlainWord], i: int, genders: frozenset[str]) -> Iterator[str]:
    """Nouns behind a pronoun that stands in a clause before the main one: *Nachdem ich sie sah, … die Faust*."""
    start, end = clause(words, i)
    first = next((k for k, w in enumerate(words) if w.low[0].isalpha()), 0)
    if start != first or words[start].low not in SUBORDINATORS:
        return
    target = spans(scene.text)
    for j, span in enumerate(target):
        if span.start <= words[end].start:
            continue
        noun = scene.side.noun(scene.text, target, j, "s")
        if noun is not None and noun.genders & genders and noun.lemma != scene.choice.noun.lemma:
            yield noun.text


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
