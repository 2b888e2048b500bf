"""Other nouns that the foil would go with, or the pronoun itself: then an item asks nothing sure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.target import Noun, likely_genders
from kontrast.building.pronouns.weigh import Rival
from kontrast.language.annotation import Sentence

__all__ = ["chained", "near_rival", "rival_of"]

_PLAUSIBLE = 0.6
"""A noun of the foil's gender is a rival from this share of the antecedent's own weight."""
_NEAR = 0.03
"""The same where the recipe is strict, of all that is said of one noun in the context; in the sentence itself
``near`` asks every noun.
"""
_LESS = 0.5
"""So much counts what stands behind a preposition, and a noun whose gender is guessed."""
_SOME = 0.02
"""Of what the sentence says that the antecedent is."""
_CLOSE = 0.15
"""From this share on, one noun of *the use of a bowl* is as good as the other."""
_PREDICATE = frozenset(("predicate of a noun", "phrase predicate"))
_OBLIQUE = frozenset(("phrase oblique", "source role oblique"))
_OTHER_NUMBER = "source in another number"


def rival_of(rivals: Sequence[Rival], gender: str) -> str:
    """The noun that a foil of this gender would go with; nothing where there is none."""
    return next((r.text for r in rivals if gender in r.genders and r.share > _PLAUSIBLE), "")


def near_rival(recipe: Recipe, rivals: Sequence[Rival], line: int, gender: str) -> str:
    """Strictly, for a pronoun in a line: a noun of the context though it is less likely, all its mentions together,
    and what the text says that the antecedent is (*the file is a string*).
    """
    said: dict[str, float] = defaultdict(float)
    for rival in rivals:
        if gender not in likely_genders(recipe, rival.noun):
            continue
        if rival.genders and _PREDICATE & rival.signs and line - rival.line <= 2 and rival.share > _SOME:
            return rival.text
        if not rival.genders and _OTHER_NUMBER in rival.signs:
            continue
        less = (_LESS if _OBLIQUE & rival.signs else 1.0) * (1.0 if rival.genders else _LESS)
        said[rival.noun.lemma.lower()] += less * rival.share
        if said[rival.noun.lemma.lower()] > _NEAR:
            return rival.text
    return ""


def chained(rivals: Sequence[Rival], sentence: Sentence, line: int, noun: Noun, source: int | None) -> str:
    """*the use of a bowl*: the other noun of a chain with the antecedent, where either may be meant."""
    for k in _joined_by_of(sentence, source) if source is not None else ():
        other = next((r for r in rivals if r.line == line and r.source == k), None)
        if other is None or not other.genders & noun.genders or other.share > _CLOSE:
            return sentence.tokens[k].text
    return ""


def _joined_by_of(sentence: Sentence, noun: int) -> Iterator[int]:
    """The nouns in its number that stand behind *of* with it, or before."""
    words = sentence.tokens
    number = words[noun].tag.endswith("S")
    for k, word in enumerate(words):
        if word.pos not in ("NOUN", "PROPN") or word.tag.endswith("S") != number:
            continue
        first, last = (noun, k) if noun < k else (k, noun)
        of = words[last].head
        if first != last and of >= 0 and words[of].text.lower() == "of" and words[of].head == first:
            yield k
