"""The gender of a target noun, by the language's lexicon or by a recipe's determiners and endings."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kontrast.building.pronouns.recipe import Recipe
from kontrast.language.alignment import Span

__all__ = ["Noun", "target_noun"]

_FRENCH_DETERMINERS = frozenset(
    "un une le la les des du au aux ce cet cette ces mon ma mes ton ta tes son sa ses".split()
)
"""The lexicon knows nouns of these forms too (la une, le la)."""


class Noun(msgspec.Struct, frozen=True):
    """A target noun and the genders it can have."""

    text: str
    index: int
    lemma: str
    genders: frozenset[str]


def target_noun(recipe: Recipe, words: Sequence[Span], indices: Sequence[int]) -> Noun | None:
    """The noun among these words whose gender is known; the last one, where a compound was split in two."""
    nouns = [noun for i in indices if (noun := _noun(recipe, words, i)) is not None and noun.genders]
    return nouns[-1] if nouns else None


def _noun(recipe: Recipe, words: Sequence[Span], i: int) -> Noun | None:
    word = words[i].text
    if not word[0].isalpha():
        return None
    if recipe.evidence == "determiners":
        return Noun(word, i, word.lower(), _by_form(recipe, words, i))
    if recipe.target_language == "de":
        if not word[0].isupper():
            return None
        from kontrast.language.lexicons.german import usual_readings

        readings = [r for r in usual_readings(word) if r.feature in "mfn"]
        return Noun(word, i, readings[0].lemma if readings else word, frozenset(r.feature for r in readings))
    from kontrast.language.lexicons.french import noun_genders

    if word.lower() in _FRENCH_DETERMINERS:
        return None
    return Noun(word, i, word.lower(), noun_genders(word))


def _by_form(recipe: Recipe, words: Sequence[Span], i: int) -> frozenset[str]:
    """A determiner up to two words before decides; else the longest ending the recipe knows."""
    if words[i].text.lower() in recipe.determiners or words[i].text.lower() in recipe.targets:
        return frozenset()
    for j in (i - 1, i - 2):
        if j >= 0 and (gender := recipe.determiners.get(words[j].text.lower())):
            return frozenset(gender)
    for ending in sorted(recipe.noun_endings, key=len, reverse=True):
        if words[i].text.lower().rstrip("s").endswith(ending):
            return frozenset(recipe.noun_endings[ending])
    return frozenset()
