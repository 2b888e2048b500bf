"""Do an English and a German pronoun say the same? Not where verbs, pronouns or sentences do not go together."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kontrast.building.pronouns.clues import ELSEWHERE
from kontrast.building.pronouns.scene import THIRD_PERSON, Scene
from kontrast.language.annotation import Sentence
from kontrast.language.coreference import is_pleonastic
from kontrast.language.german.es import use_of_es
from kontrast.language.german.plain import BEING, PlainWord, clause, lemmas, polite

__all__ = ["are_counterparts"]

_STATES = frozenset("sein werden bleiben scheinen heißen gelten liegen stehen haben wirken aussehen bilden".split())
"""Verbs that render *be*."""
_SURE = 0.9
"""From here on a verb that is aligned to another clause says nothing."""
_SOMEONE = frozenset("he him she her they them".split())
_SENTENCE = re.compile(r"(?:[.!?…]|\.\.\.)[\"'“”»«’]*\s*(?=[\"'„“»«‘]*[A-ZÄÖÜ])")
_WORD = re.compile(r"\w+")
_LONGER = 1.25
"""From here on German says more than its source; the languages have about as many words."""
_FEW = 2
"""So many words are no sentence of their own: *Oh well. …*"""


def are_counterparts(scene: Scene, words: Sequence[PlainWord], i: int) -> bool:
    """Not where the source's verb is elsewhere, or *it is vast* stands beside *er anführt*."""
    if _is_one_of_two(scene.sentence, words, i) or _stands_for_nothing(scene, words, i):
        return False
    if _is_someone_beside_es(scene.sentence, words, i) or _has_a_sentence_more(scene):
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


def _stands_for_nothing(scene: Scene, words: Sequence[PlainWord], i: int) -> bool:
    """*after it is understood that …* beside *dass sie genehmigt*: *er* and *sie* mean something."""
    if words[i].low == "es" or not is_pleonastic(scene.sentence, scene.token):
        return False
    behind = scene.sentence.tokens[scene.token + 1 : scene.token + 6]
    return any(t.text.lower() == "that" and t.relation == "mark" for t in behind)


def _is_someone_beside_es(sentence: Sentence, words: Sequence[PlainWord], i: int) -> bool:
    """*it heals him*, *es heilt sie*: *es* is *it*, and the other one is someone."""
    start, end = clause(words, i)
    beside = words[i].low != "es" and any(
        words[j].low == "es" and use_of_es(words, j).kind != "empty" for j in range(start, end + 1)
    )
    return beside and any(t.text.lower() in _SOMEONE for t in sentence.tokens)


def _has_a_sentence_more(scene: Scene) -> bool:
    """Several sentences in a longer line that is one sentence in the source: it says more."""
    theirs, mine = scene.sentence.text, scene.text
    longer = len(_WORD.findall(mine)) > _LONGER * len(_WORD.findall(theirs))
    return longer and _sentences(theirs) == 1 < _sentences(mine)


def _sentences(text: str) -> int:
    return sum(len(_WORD.findall(part)) > _FEW for part in _SENTENCE.split(text)) or 1
