"""Other nouns that the foil would go with, or the pronoun itself: then an item asks nothing sure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kontrast.building.pronouns.target import Noun
from kontrast.building.pronouns.weigh import Rival
from kontrast.language.annotation import Sentence

__all__ = ["chained", "rival_of"]

_PLAUSIBLE = 0.6
"""A noun of the foil's gender is a rival from this share of the antecedent's own weight."""
_NEAR = {0: 0.025, 1: 0.08, 2: 0.15}
_OBLIQUE_NEAR = {0: 0.15, 1: 0.15}
"""The same where the recipe is strict, by the lines between it and the pronoun; behind a preposition it is
less likely than its weight says.
"""
_UNKNOWN_NEAR = {0: 0.1}
"""Of nouns whose gender is not known."""
_SOME = 0.02
"""Of what the sentence says that the antecedent is."""
_CLOSE = 0.15
"""From this share on, one noun of *the use of a bowl* is as good as the other."""
_PREDICATE = frozenset(("predicate of a noun", "phrase predicate"))
_OBLIQUE = frozenset(("phrase oblique", "source role oblique"))
_OTHER_NUMBER = "source in another number"


def rival_of(rivals: Sequence[Rival], line: int, gender: str, *, is_strict: bool) -> str:
    """The noun that a foil of this gender would go with, in a line; nothing where there is none.

    Strictly, a noun that stands near is one though it is less likely, what the sentence says the antecedent is too
    (*the file is a string*), and near ones whose gender is not known.
    """
    for rival in rivals:
        fits = gender in rival.genders
        if fits and rival.share > _PLAUSIBLE:
            return rival.text
        if not is_strict:
            continue
        away = line - rival.line
        if fits and _PREDICATE & rival.signs and away <= 2 and rival.share > _SOME:
            return rival.text
        if (not rival.genders and _OTHER_NUMBER in rival.signs) or (rival.genders and not fits):
            continue
        least = _NEAR if rival.genders else _UNKNOWN_NEAR
        if rival.share > (_OBLIQUE_NEAR if _OBLIQUE & rival.signs else least).get(away, _PLAUSIBLE):
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
