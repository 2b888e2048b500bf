"""Why the antecedent of a German item may be refused: *es* for an event, topics that go on, wrong counterparts.

These are doubts, no repairs: an item with one is left out by default. Those about single foils are in ``suits``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from kontrast.building.parallel import Document
from kontrast.building.perturb.de.pronoun_uses import cases
from kontrast.building.pronouns.clues import ELSEWHERE, Clues, stays_subject
from kontrast.building.pronouns.phrases import phrase_role
from kontrast.building.pronouns.places import PronounPlace
from kontrast.building.pronouns.target import TargetSide
from kontrast.building.pronouns.weigh import Choice, Rival
from kontrast.language.alignment import Links, partners, spans
from kontrast.language.annotation import Sentence, Token
from kontrast.language.coreference import is_pleonastic
from kontrast.language.german.es import may_be_event, use_of_es
from kontrast.language.german.plain import BEING, PlainWord, clause, lemmas, polite, split
from kontrast.language.lexicons.german_words import JOINING, SUBORDINATORS

__all__ = ["THIRD_PERSON", "Scene", "behind", "doubt_of_item", "is_german_person"]

_CLOSE = 0.05
"""Head and genitive of one gender: the other may be meant from this share."""
_SURE = 0.9
"""From here on a verb that is aligned to another clause says nothing."""
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
    "kanzler kanzlerin sprecher sprecherin leiter leiterin kapitän prinz prinzen prinzessin doktor offizier "
    "therapeut arzt ärztin polizist journalist pilot agent autor künstler lehrer schüler student fahrer bürger "
    "händler sklave diener herzog fürst ritter magier zauberer priester bischof papst kaiser botschafter direktor "
    "professor kommandant general admiral leutnant detektiv kommissar dieb mörder".split()
)
THIRD_PERSON = frozenset("it he she they him her them one this that".split())
_OF_PEOPLE = {"ihr": frozenset(("she", "her")), "ihm": frozenset(("he", "him"))}
"""Beside these a dative is rather someone's, whatever the alignment says."""


class Scene(msgspec.Struct, frozen=True):
    """A place with all that was found out about it; ``token`` is the source pronoun's."""

    document: Document
    place: PronounPlace
    sentences: Sequence[Sentence]
    token: int
    clues: Clues
    choice: Choice
    side: TargetSide
    links: Mapping[int, Links]

    @property
    def text(self) -> str:
        return self.document.target[self.place.line]

    @property
    def sentence(self) -> Sentence:
        return self.sentences[self.place.line]

    @property
    def is_object(self) -> bool:
        """By the German clause; where it does not tell, by the source."""
        words = split(self.text)
        i = next(k for k, w in enumerate(words) if w.start == self.place.target.start)
        told = {"er": ("nom",), "ihn": ("acc",)}.get(words[i].low) or cases(words, i)
        return told[0] == "acc" if len(told) == 1 else not stays_subject(self.sentence, self.token)


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
    if is_german_person(scene.choice.noun.lemma):
        return f"{scene.choice.noun.text} is a person"
    if words[i].low in _OF_PEOPLE and _OF_PEOPLE[words[i].low] & {t.text.lower() for t in scene.sentence.tokens}:
        return "someone may be meant"
    if _is_part(scene):
        return "its source noun is part of another"
    if _goes_on(scene):
        return "it goes on from the sentence before"
    if other := _of_one_phrase(scene):
        return f"{other.text} may be meant"
    if _is_said_again(scene, words, i):
        return f"{scene.choice.noun.text} is said again behind it"
    if noun := next(behind(scene, words, i, frozenset(scene.place.target.gender)), ""):
        return f"{noun} behind it may be meant"
    return ""


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
    used = use_of_es(words, i, is_object=scene.is_object).kind
    if scene.choice.line == scene.place.line:
        return used == "sentence"
    return used in ("sentence", "predicate") or (scene.is_object and may_be_event(words, i, is_object=True))


def _are_counterparts(scene: Scene, words: Sequence[PlainWord], i: int) -> bool:
    """Not where the source's verb is elsewhere, or *it is vast* stands beside *er anführt*."""
    if _is_one_of_two(scene.sentence, words, i):
        return False
    if ELSEWHERE in scene.clues.signs and scene.choice.confidence < _SURE:
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


def _is_said_again(scene: Scene, words: Sequence[PlainWord], i: int) -> bool:
    """*reizen die Haut, … sie auf Ihre Haut drücken*: what is named anew is rather not what the pronoun means."""
    noun, (_, end) = scene.choice.noun, clause(words, i)
    return bool({noun.text.lower(), noun.lemma.lower()} & {w.low for w in words[i + 1 : end + 1]})


def _is_one_of_two(sentence: Sentence, words: Sequence[PlainWord], i: int) -> bool:
    """*giving it the right*, *indem es ihr das Recht gibt*: two pronouns in a clause, one in the source."""
    start, end = clause(words, i)
    mine = [
        j
        for j, w in enumerate(words)
        if w.low in ("er", "sie", "es", "ihn", "ihm", "ihr")
        and not polite(words, j)
        and not (w.low == "ihr" and j + 1 < len(words) and words[j + 1].text[0].isupper())
        and not (w.low == "es" and j != i and use_of_es(words, j).kind == "empty")
    ]
    theirs = [t for t in sentence.tokens if t.text.lower() in THIRD_PERSON]
    return sum(start <= j <= end for j in mine) > 1 and len(mine) > len(theirs)


def is_german_person(lemma: str) -> bool:
    """*Kriegsherr*, *Innenminister*: *it* is none of them, whatever the source noun is taken for."""
    return lemma.lower().endswith(_PEOPLE)


def _is_part(scene: Scene) -> bool:
    """*Pandora* of *Pandora's box*, *fire* of *ruby of fire*: the English antecedent would be wrong."""
    source, line = scene.choice.source, scene.choice.line
    tokens = scene.sentences[line].tokens
    if source is None or tokens[source].relation in ("poss", "compound", "nmod:poss"):
        return source is not None
    of = tokens[source].head
    if tokens[source].relation != "pobj" or of < 0 or tokens[of].text.lower() != "of" or tokens[of].head < 0:
        return False
    whole = tokens[tokens[of].head]
    linked = partners(scene.links[line], spans(scene.document.source[line]), whole.start, whole.end)
    return whole.pos in ("NOUN", "PROPN") and scene.choice.noun.index in linked


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
    """*der Zustand des Flusses … er*, *weder Adresse noch Nummer … sie*: both have the pronoun's gender."""
    choice = scene.choice
    target = spans(scene.document.target[choice.line])
    for rival in choice.alike:
        if rival.line != choice.line or rival.share < _CLOSE:
            continue
        first, last = sorted((rival.noun.index, choice.noun.index))
        between = [w.text.lower() for w in target[first + 1 : last]]
        of = phrase_role("de", target, last) == "of a noun" or "von" in between or "vom" in between
        joined = bool(JOINING & set(between)) or "noch" in between
        if (of or joined) and len(between) <= 4 and all(word.isalpha() for word in between):
            return rival
    return None


def behind(scene: Scene, words: Sequence[PlainWord], i: int, genders: frozenset[str]) -> Iterator[str]:
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
