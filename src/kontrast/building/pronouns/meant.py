"""Which other noun may be meant instead of the antecedent of a German item, by what stands around the two."""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.building.pronouns.phrases import phrase_role
from kontrast.building.pronouns.scene import Scene
from kontrast.building.pronouns.weigh import Rival
from kontrast.language.alignment import spans
from kontrast.language.annotation import Token
from kontrast.language.lexicons.german_words import JOINING
from kontrast.language.resolvers.salience import binds, cannot_be_meant, is_person, role_of

__all__ = ["another_noun", "is_part", "joined_noun"]

_CLOSE = 0.05
"""Head and genitive of one gender: the other may be meant from this share."""
_NEARER = 0.1
"""A nearer noun of the pronoun's gender from this share."""
_COMPOUND = 8
"""A German noun this long may hold two English ones."""
_SAYING = frozenset(
    "say tell claim state announce add warn confirm report admit insist declare note explain promise".split()
)
_RELATIVES = frozenset(("that", "which", "who"))


def another_noun(scene: Scene) -> str:
    """A noun that may be meant as well as the chosen one; empty where there is none."""
    if other := _of_one_phrase(scene):
        return other.text
    return _speaker(scene) or _subject_beside(scene) or _nearer(scene) or _unrendered(scene)


def is_part(scene: Scene) -> bool:
    """*Pandora* of *Pandora's box*, *knowledge* for *Wissensdurst*: the English antecedent would be wrong."""
    source, line = scene.choice.source, scene.choice.line
    tokens = scene.sentences[line].tokens
    if source is None or tokens[source].relation in ("poss", "compound", "nmod:poss"):
        return source is not None
    joint = tokens[source].head
    if tokens[source].relation != "pobj" or joint < 0 or tokens[joint].head < 0:
        return False
    whole = tokens[tokens[joint].head]
    if whole.pos not in ("NOUN", "PROPN"):
        return False
    linked = scene.linked(line, whole)
    target = spans(scene.document.target[line])
    nouns = [j for j in linked if j < len(target) and target[j].text[0].isupper()]
    return scene.choice.noun.index in linked or (not nouns and len(scene.choice.noun.text) > _COMPOUND)


def joined_noun(scene: Scene, by: str) -> str:
    """*Win the node or castle and claim it*: what is joined with the antecedent by *or*, or by *and*."""
    source, tokens = scene.choice.source, scene.sentences[scene.choice.line].tokens
    if source is None:
        return ""
    first = tokens[source].head if tokens[source].relation == "conj" else source
    either = any(t.head == first and t.relation == "cc" and t.text.lower() == by for t in tokens)
    joined = [k for k, t in enumerate(tokens) if k == first or (t.head == first and t.relation == "conj")]
    nouns = [tokens[k].text for k in joined if k != source and tokens[k].pos in ("NOUN", "PROPN")]
    return nouns[0] if either and nouns else ""


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


def _speaker(scene: Scene) -> str:
    """*Norway has said it will …*: the one who says so, unless people do."""
    tokens, at = scene.sentence.tokens, scene.token
    if scene.clues.role != "subject" or tokens[at].head < 0:
        return ""
    verb = tokens[tokens[at].head]
    if verb.relation != "ccomp" or verb.head < 0 or tokens[verb.head].lemma.lower() not in _SAYING:
        return ""
    for k, word in enumerate(tokens[:at]):
        if word.head == verb.head and word.relation == "nsubj" and word.pos in ("NOUN", "PROPN"):
            chosen = scene.choice.line == scene.place.line and scene.choice.source == k
            several = word.tag in ("NNS", "NNPS")
            return "" if chosen or several or is_person(word) else word.text
    return ""


def _subject_beside(scene: Scene) -> str:
    """*Eine Taste hat eine Wirkung, wenn Sie sie …*: the thing that is the subject where an object was chosen."""
    choice = scene.choice
    if choice.source is None:
        return ""
    tokens = scene.sentences[choice.line].tokens
    if role_of(tokens[choice.source]) != "object":
        return ""
    subject = _subject_of(tokens, tokens[choice.source].head)
    if subject is None or cannot_be_meant(scene.sentences[choice.line], subject, False, None):
        return ""
    direct = tokens[subject].head == tokens[choice.source].head
    if direct and choice.line == scene.place.line and binds(tokens, subject, scene.token):
        return ""  # the player won the puck and passed it on
    if tokens[subject].tag in ("NNS", "NNPS") or not tokens[subject].text.isalpha():
        return ""
    fits = _fits(scene, choice.line, subject)
    return "" if fits is False else tokens[subject].text


def _fits(scene: Scene, line: int, token: int) -> bool | None:
    """May the German noun of a source noun have the pronoun's gender? None where no such noun is known."""
    text = scene.document.target[line]
    target = spans(text)
    linked = [j for j in scene.linked(line, scene.sentences[line].tokens[token]) if j < len(target)]
    nouns = [noun for j in linked if (noun := scene.side.noun(text, target, j, "s")) is not None and noun.genders]
    return any(noun.genders & set(scene.place.target.gender) for noun in nouns) if nouns else None


def _subject_of(tokens: Sequence[Token], verb: int) -> int | None:
    """The noun that is the subject of a verb, also by *that* or *which*."""
    found = next((k for k, t in enumerate(tokens) if t.head == verb and t.relation.startswith("nsubj")), None)
    if found is not None and tokens[found].text.lower() in _RELATIVES and tokens[verb].relation == "relcl":
        found = tokens[verb].head
    return found if found is not None and found >= 0 and tokens[found].pos in ("NOUN", "PROPN") else None


def _nearer(scene: Scene) -> str:
    """*sein Leben, um Geld zurückzugeben, … die es brauchen*: an object of this gender between noun and pronoun."""
    choice, place = scene.choice, scene.place
    if choice.source is not None and role_of(scene.sentences[choice.line].tokens[choice.source]) == "subject":
        return ""
    if choice.line != place.line:
        return ""
    for rival in choice.alike:
        between = rival.line == place.line and choice.noun.index < rival.noun.index < place.word
        if between and rival.share > _NEARER:
            return rival.text
    for k in range(choice.source + 1 if choice.source is not None else scene.token, scene.token):
        token = scene.sentence.tokens[k]
        if role_of(token) != "object" or token.tag not in ("NN", "NNP"):
            continue
        if not cannot_be_meant(scene.sentence, k, False, None) and _fits(scene, place.line, k):
            return token.text
    return ""


def _unrendered(scene: Scene) -> str:
    """*You have not mastered the darkness; it …*: an English noun before *it* that the German does not name."""
    if scene.choice.line == scene.place.line:
        return ""
    target = spans(scene.text)
    for k, token in enumerate(scene.sentence.tokens[: scene.token]):
        if token.tag not in ("NN", "NNP") or role_of(token) not in ("subject", "object"):
            continue
        if cannot_be_meant(scene.sentence, k, False, scene.token):
            continue
        linked = scene.linked(scene.place.line, token)
        if not any(j < len(target) and target[j].text[0].isupper() for j in linked):
            return token.text
    return ""
