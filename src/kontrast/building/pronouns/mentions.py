"""What other mentions of the same thing tell: *their masters* are not *they*, nor are those who see *them*."""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.building.pronouns.places import COREFERENT
from kontrast.language.annotation import Sentence
from kontrast.language.resolvers.salience import binds

__all__ = ["is_mentioned_before", "mention_features", "unnamed_before"]

_UNNAMED = {
    "s": frozenset("something anything everything one this that".split()),
    "p": frozenset(
        "those these others some many few several both all most ones someone somebody anyone anybody everyone "
        "everybody nobody none whoever each two three".split()
    ),
}
"""Words that a pronoun takes up as it does a noun; they have no gender here."""
_HEADS = ("nsubj", "nsubjpass", "dobj", "obj", "pobj", "attr", "conj", "dative")
_OWNING = ("poss", "nmod:poss")


def mention_features(
    sentences: Sequence[Sentence], first: int, line: int, noun: int, number: str
) -> dict[str, float]:
    """What the pronouns before a source noun and beside it say of it; ``first`` is the first line looked at."""
    words = sentences[line].tokens
    mentions = _mentions(sentences[line], number)
    others = [i for i in mentions if words[i].relation not in _OWNING]
    return {
        "owned by its pronoun": float(any(words[i].head == noun and i not in others for i in mentions)),
        "beside its pronoun": float(any(binds(words, noun, i) or binds(words, i, noun) for i in others)),
        "pronoun before it": float(any(i < noun for i in mentions)),
        "pronoun in a sentence before it": float(is_mentioned_before(sentences, first, line, 0, number)),
    }


def is_mentioned_before(sentences: Sequence[Sentence], first: int, line: int, token: int, number: str) -> bool:
    """Does *it* or *they* stand before this token of the source, from a line on?"""
    if any(_mentions(sentences[i], number) for i in range(first, line)):
        return True
    return any(i < token for i in _mentions(sentences[line], number))


def unnamed_before(sentences: Sequence[Sentence], line: int, token: int, number: str) -> str:
    """Where *those who …*, *others* or *something* stands that may be meant; nothing where there is none."""
    for place in (line, line - 1):
        if place < 0:
            break
        words = sentences[place].tokens
        until = token if place == line else len(words)
        if any(w.text.lower() in _UNNAMED[number] and w.relation in _HEADS for w in words[:until]):
            return "in its sentence" if place == line else "in the sentence before"
    return ""


def _mentions(sentence: Sentence, number: str) -> list[int]:
    wanted = COREFERENT[number]
    return [i for i, w in enumerate(sentence.tokens) if w.text.lower() in wanted and w.relation != "expl"]
