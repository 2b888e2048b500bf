"""The target side of a pronoun: what it stands for, the gender of a noun, its contrastives. One file per language."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import msgspec

from kontrast.building.pronouns.recipe import Recipe
from kontrast.language.alignment import Span
from kontrast.language.coreference import Use

ILL_AGREED = "reference_disagrees"
"""A problem that leaves nothing to ask: the sentence gives no item."""
PROBLEMS = (
    ILL_AGREED,
    "agreeing_word_stays",
    "case_unknown",
    "es_of_situation",
    "es_predicate_noun",
    "other_mention_may_stay",
    "plural_verb",
    "possessive_stays",
)
"""What a foil may have wrong beside its pronoun, or why it may be right: features of the judge."""


class Form(msgspec.Struct, frozen=True):
    """A target pronoun where it stands, perhaps within a word: the genders it can have, and its number."""

    start: int
    end: int
    gender: str
    number: str | None = None


class Noun(msgspec.Struct, frozen=True):
    """A target noun and the genders it can have; none where it is not known."""

    text: str
    index: int
    lemma: str
    genders: frozenset[str]
    role: str = ""
    """Its role in the clause, where the target's annotation tells."""


_NOUN_ROLES = {
    "nsubj": "subject",
    "obj": "object",
    "obl": "oblique",
    "nmod": "of_a_noun",
    "root": "root",
    "conj": "joined",
    "appos": "apposed",
}


def noun_role(relation: str) -> str:
    """A universal relation as the ranker knows it.

    >>> noun_role("obl:arg"), noun_role("")
    ('oblique', '')
    """
    return _NOUN_ROLES.get(relation.partition(":")[0], "other" if relation else "")


class Contrastive(msgspec.Struct, frozen=True):
    """A target sentence with another pronoun, the pronoun itself, its gender, and one of ``PROBLEMS``."""

    text: str
    replacement: str
    gender: str
    problem: str = ""


class TargetSide(ABC):
    """What a language knows of its pronouns and nouns; by default, no more than the recipe says.

    Where it does not know which words are nouns (``knows_nouns``), only words aligned to a noun of the source are.
    """

    knows_nouns = True
    possessives: frozenset[str] = frozenset()
    """Those that tell the gender of their owner (*sein*, *ihr*)."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe

    def form(self, text: str, words: Sequence[Span], index: int) -> Form | None:
        """The pronoun that this word is, or that it ends in (*comprarla*)."""
        return plain_form(self._recipe, words[index])

    def use(self, text: str, start: int, *, is_subject: bool) -> Use:
        return "thing"

    def is_possessive(self, text: str, start: int) -> bool:
        """Is the form that stands here a possessive too, and is one (*ihr Ziel*)?"""
        return False

    def genders(self, noun: Noun) -> frozenset[str]:
        """All that a noun can have by the lexicon (*der* or *das Terminal*)."""
        return noun.genders

    def case_differs(self, text: str, start: int, *, is_subject: bool) -> bool:
        """Is it a subject here and none in the source, or the reverse?"""
        return False

    @abstractmethod
    def noun(self, text: str, words: Sequence[Span], index: int, number: str) -> Noun | None:
        """The noun that this word is, in that number."""

    def is_one_clause(self, words: Sequence[Span], noun: int, pronoun: int) -> bool:
        """Are both in one clause, so that a reflexive would be said if they meant the same?"""
        return False

    @abstractmethod
    def contrast(
        self, text: str, start: int, end: int, *, is_subject: bool | None, together: Mapping[int, bool | None]
    ) -> list[Contrastive]:
        """Every other gender; ``together`` are places of words that may mean the same and then change with it, and
        whether they are subjects in the source.
        """


def replaced(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """The text with other words in some places.

    >>> replaced("er sah ihn", [(0, 2, "sie"), (7, 10, "es")])
    'sie sah es'
    """
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def plain_form(recipe: Recipe, word: Span) -> Form | None:
    """The word as one of the recipe's target pronouns."""
    target = recipe.targets.get(word.text.lower())
    return None if target is None else Form(word.start, word.end, target.gender, target.number)


def likely_genders(recipe: Recipe, noun: Noun) -> frozenset[str]:
    """The genders of a noun; where they are not known, those that its ending leaves open."""
    if noun.genders:
        return noun.genders
    low = noun.text.lower()
    for ending in sorted(recipe.noun_endings, key=len, reverse=True):
        stem = low.rstrip("s")
        if stem == ending or (stem.endswith(ending) and len(low) > len(ending) + 1):
            return frozenset(recipe.noun_endings[ending])
    return frozenset(recipe.genders)


@lru_cache(maxsize=8)
def target_side(recipe: Recipe) -> TargetSide:
    """The target side of a recipe: German and French by their lexicons, any other by the recipe's own tables."""
    if recipe.contrast == "table":
        from kontrast.building.pronouns.foils.table import TableTarget

        return TableTarget(recipe)
    if recipe.target_language == "de":
        from kontrast.building.pronouns.foils.german import GermanTarget

        return GermanTarget(recipe)
    from kontrast.building.pronouns.foils.french import French

    return French(recipe)


def contrastives(
    recipe: Recipe,
    text: str,
    start: int,
    end: int,
    is_subject: bool | None = None,
    together: Mapping[int, bool | None] | None = None,
) -> list[Contrastive]:
    """One contrastive for each other gender of the pronoun at these characters; empty where it cannot change.

    Where the target clause leaves its case open (*sie*, *es*), ``is_subject`` of the source decides: *er* or *ihn*.
    """
    chosen: dict[str, Contrastive] = {}
    for made in target_side(recipe).contrast(text, start, end, is_subject=is_subject, together=together or {}):
        chosen.setdefault(made.gender, made)
    return list(chosen.values())
