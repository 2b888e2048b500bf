"""A pronoun recipe: what to look for in a language pair, as data. See ``src/kontrast/data/recipes/*.toml``."""

from __future__ import annotations

import re
import tomllib
from functools import cached_property
from importlib import resources
from pathlib import Path

import msgspec

from kontrast.errors import InputError, KontrastError

__all__ = ["Agreement", "Recipe", "Target", "load_recipe", "recipe_names"]


class Target(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A target pronoun: the genders its form can have (``mn``: both); its number, and whether it is a subject, where
    the form tells.
    """

    gender: str
    number: str | None = None
    subject: bool | None = None


class Agreement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Behind which verbs an adjective agrees, what may stand between, and the pairs of endings that change."""

    after: tuple[str, ...]
    over: tuple[str, ...] = ()
    endings: tuple[tuple[str, str], ...] = ()
    fixed: tuple[str, ...] = ()


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """All of a pair.

    ``contrast`` names a perturbation of the target language, or ``table`` for ``swaps`` and ``agreement``;
    ``evidence`` says how the gender of the antecedent's translation is known: ``lexicon``, or ``determiners`` with
    ``noun_endings``.
    """

    pair: str
    sources: dict[str, str]
    targets: dict[str, Target]
    genders: dict[str, str]
    contrast: str
    evidence: str
    type: str = "pronominal coreference"
    document_ending: str = ""
    segment_base: int = 1
    max_distance: int = 5
    subjects_only: bool = False
    blocked_source: tuple[str, ...] = ()
    blocked_target: tuple[str, ...] = ()
    swaps: dict[str, tuple[str, ...]] = {}
    agreement: Agreement | None = None
    determiners: dict[str, str] = {}
    noun_endings: dict[str, str] = {}

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

    >>> recipe_names()
    ['en-de', 'en-es', 'en-fr', 'en-it']
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
        if not path.exists():
            raise InputError(path, "there is no such recipe")
        text = path.read_text(encoding="utf-8")
    elif name in recipe_names():
        path = Path(f"{name}.toml")
        text = resources.files("kontrast").joinpath("data", "recipes", path.name).read_text(encoding="utf-8")
    else:
        raise KontrastError(
            f"there is no recipe for {name!r}; there are {', '.join(recipe_names())}, or give a .toml file"
        )
    try:
        recipe = msgspec.convert(tomllib.loads(text), Recipe)
        _ = recipe.blocked
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, re.error) as error:
        raise InputError(path, f"expected a pronoun recipe: {error}") from error
    if recipe.contrast == "table" and not recipe.swaps:
        raise InputError(path, "contrast = 'table' needs a table [swaps]")
    return recipe
