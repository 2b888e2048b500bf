"""A pronoun recipe: what to look for in a language pair, as data. See ``src/kontrast/data/recipes/*.toml``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Literal

import msgspec

from kontrast.defaults import PRONOUN_CONFIDENCE, PRONOUN_SOUNDNESS
from kontrast.errors import InputError, KontrastError
from kontrast.io.files import read_text
from kontrast.io.toml_input import from_toml, read_toml

_LANGUAGES = ("de", "fr")
"""Target languages with a lexicon and a perturbation of pronouns."""


Gender = Literal["m", "f", "n", "mf", "mn", "fn"]
Number = Literal["s", "p"]


class TargetPronoun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A target pronoun: the genders its form can have (``mn``: both); its number, and whether it is a subject, where
    the form tells.
    """

    gender: Gender
    number: Number | None = None
    subject: bool | None = None


class AgreementRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Behind which verbs a word agrees, what may stand between, and the pairs of endings that change, in the
    singular (``endings``) and in the plural (``plural_endings``).

    ``also`` are words between that agree as well (*stata*), ``only`` is a pattern that the agreeing word must
    match, ``fixed`` are words that never change.
    """

    after: tuple[str, ...]
    over: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    endings: tuple[tuple[str, str], ...] = ()
    plural_endings: tuple[tuple[str, str], ...] = ()
    fixed: tuple[str, ...] = ()
    only: str = ""


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True, eq=False):
    """All of a pair.

    ``contrast`` names a perturbation of the target language, whose lexicon tells the gender of a noun, or ``table``
    for ``swaps``, ``agreement`` (of subjects) and ``object_agreement``, where ``determiners`` and ``noun_endings``
    tell it. ``enclitic_hosts`` is a pattern of words that end in a pronoun, which is its group ``pronoun``;
    ``elided`` is the pronoun that stands before an apostrophe; ``floating`` are words that
    agree from afar (*tutti*, *tutte*), ``counting`` those before *of them* that do (*uno*, *una*);
    ``predicative`` is a pattern of verbs beside which a word may agree with the object (*la rende attiva*): a
    doubt; ``plural_ending`` is the end of every plural noun and of few singular ones;
    ``noun_genders`` are nouns whose determiner may tell another gender than theirs (*el arma*);
    ``no_nouns`` are words that are never taken for an antecedent; ``opening`` are words that open a clause;
    ``adjectives`` may stand between a determiner and its noun, or instead of one (*two*, *my*). Before words of
    ``other_persons`` nothing agrees with the pronoun (*noi stessi*), behind words of ``joining`` more may; words of
    ``linking`` lead from a noun to its infinitive; ``relatives`` are subjects, but behind ``before_relatives``
    (*prima che*); ``light`` words stand between a clause's opening and its verb, and what agrees stands behind
    ``once`` too (*una volta aperta*). Items less sure
    than ``confidence`` are left out by default, or than ``soundness`` where there is a judge. ``place_gender`` is the
    gender of places without a determiner, but for ``places_with_article`` (*Iran*).
    """

    pair: str
    sources: dict[str, Number]
    targets: dict[str, TargetPronoun]
    genders: dict[str, str]
    contrast: Literal["pronoun_gender", "table"]
    type: str = "pronominal coreference"
    document_ending: str = ""
    segment_base: int = 1
    max_distance: int = 5
    subjects_only: bool = False
    confidence: float = PRONOUN_CONFIDENCE
    soundness: float = PRONOUN_SOUNDNESS
    blocked_source: tuple[str, ...] = ()
    blocked_target: tuple[str, ...] = ()
    swaps: dict[str, tuple[str, ...]] = {}
    agreement: AgreementRule | None = None
    object_agreement: AgreementRule | None = None
    enclitic_hosts: str = ""
    elided: str = ""
    determiners: dict[str, Gender] = {}
    determiner_numbers: dict[str, Number] = {}
    noun_endings: dict[str, Gender] = {}
    noun_genders: dict[str, Gender] = {}
    plural_ending: str = ""
    no_nouns: tuple[str, ...] = ()
    opening: tuple[str, ...] = ()
    adjectives: tuple[str, ...] = ()
    other_persons: tuple[str, ...] = ()
    joining: tuple[str, ...] = ()
    linking: tuple[str, ...] = ()
    relatives: tuple[str, ...] = ()
    before_relatives: tuple[str, ...] = ()
    light: tuple[str, ...] = ()
    once: tuple[str, ...] = ()
    floating: tuple[tuple[str, str], ...] = ()
    counting: tuple[tuple[str, str], ...] = ()
    predicative: str = ""
    place_gender: Gender | None = None
    places_with_article: tuple[str, ...] = ()

    @property
    def source_language(self) -> str:
        return self.pair.partition("-")[0]

    @property
    def target_language(self) -> str:
        return self.pair.partition("-")[2]

    @cached_property
    def source_pattern(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, self.sources))})\b", re.IGNORECASE)

    @cached_property
    def target_pattern(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, self.targets))})\b", re.IGNORECASE)

    @cached_property
    def blocked(self) -> tuple[list[re.Pattern[str]], list[re.Pattern[str]]]:
        """Patterns of source and target in which a match means: not this pronoun."""
        source, target = (
            [re.compile(p, re.IGNORECASE) for p in patterns]
            for patterns in (self.blocked_source, self.blocked_target)
        )
        return source, target


def recipe_names() -> list[str]:
    """The pairs that come with the package.

    >>> recipe_names()[0]
    'en-de'
    """
    return sorted(
        p.name.removesuffix(".toml") for p in resources.files("kontrast").joinpath("data", "recipes").iterdir()
    )


def load_recipe(name: str) -> Recipe:
    """The recipe of a pair, or of a file of your own.

    >>> load_recipe("en-fr").sources
    {'it': 's', 'they': 'p'}
    """
    if name.endswith(".toml"):
        path: Path = Path(name)
        text = read_text(path)
    elif name in recipe_names():
        path = Path(f"{name}.toml")
        text = resources.files("kontrast").joinpath("data", "recipes", path.name).read_text(encoding="utf-8")
    else:
        raise KontrastError(
            f"there is no recipe for {name!r}; choose from {', '.join(recipe_names())}, or give a .toml file"
        )
    return _read(text, path)


def _read(text: str, path: Path) -> Recipe:
    """A recipe from its text; what it does not know is an error, for a misspelt key would change the suite."""
    recipe = from_toml(path, read_toml(path, text), Recipe)
    for problem in _problems(recipe):
        raise InputError(path, f"expected a pronoun recipe: {problem}")
    return recipe


def _problems(recipe: Recipe) -> Iterator[str]:
    """What the types do not tell: names that must exist elsewhere in the recipe, patterns, tools of the language."""
    if not re.fullmatch(r"[a-z]{2,3}-[a-z]{2,3}", recipe.pair):
        yield f"pair = {recipe.pair!r} is not two language codes such as 'en-de'"
    if recipe.contrast != "table" and recipe.target_language not in _LANGUAGES:
        yield f"contrast = {recipe.contrast!r} exists only for {' and '.join(_LANGUAGES)}; use 'table'"
    if not 0 <= recipe.confidence <= 1:
        yield f"confidence = {recipe.confidence} is not a number from 0 to 1"
    if recipe.contrast == "table" and not recipe.swaps:
        yield "contrast = 'table' needs a table [swaps]"
    for old, new in recipe.swaps.items():
        for word in (old, *new):
            if word not in recipe.targets:
                yield f"{word!r} in [swaps] is not one of [targets]"
    letters = {letter for target in recipe.targets.values() for letter in target.gender}
    for letter in sorted(letters - set(recipe.genders)):
        yield f"gender {letter!r} of a target has no name in [genders]"
    for word in recipe.determiner_numbers:
        if word not in recipe.determiners:
            yield f"{word!r} in [determiner_numbers] is not one of [determiners]"
    only = [a.only for a in (recipe.agreement, recipe.object_agreement) if a is not None]
    for pattern in (*recipe.blocked_source, *recipe.blocked_target, recipe.enclitic_hosts, recipe.predicative, *only):
        try:
            re.compile(pattern)
        except re.error as error:
            yield f"the pattern {pattern!r} is not a regular expression: {error}"
    if recipe.enclitic_hosts and "(?P<pronoun>" not in recipe.enclitic_hosts:
        yield "enclitic_hosts needs a group (?P<pronoun>…)"
