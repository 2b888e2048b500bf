"""Contrastive errors: one file per error and language, found by its name.

``kontrast.building.perturb.LANGUAGE.NAME`` holds ``perturbation``, its declaration; adding one means adding that file
and its name to `NAMES`.
"""

from __future__ import annotations

import importlib
from functools import cache

from kontrast.building.perturb.perturbation import Candidate, Edit, Example, Perturbation
from kontrast.errors import KontrastError

__all__ = ["NAMES", "Candidate", "Edit", "Example", "Perturbation", "get", "languages", "listed"]

LINGEVAL97 = (
    "np_agreement",
    "subj_verb_agreement",
    "subj_adequacy",
    "polarity_particle_nicht_del",
    "polarity_particle_kein_del",
    "polarity_affix_del",
    "polarity_particle_nicht_ins",
    "polarity_particle_kein_ins",
    "polarity_affix_ins",
    "auxiliary",
    "verb_particle",
    "compound",
    "transliteration",
)
"""The thirteen errors of LingEval97, in its order."""

NAMES: dict[str, tuple[str, ...]] = {
    "de": (*LINGEVAL97, "clause_omission", "number", "date", "formality", "tense", "pronoun_gender"),
    "fr": ("pronoun_gender",),
}
"""For each language the names of its errors, in the order in which they are listed and tried."""


def languages() -> list[str]:
    """The languages that have errors."""
    return sorted(NAMES)


@cache
def get(language: str, name: str) -> Perturbation:
    """The declaration of one error.

    >>> get("de", "polarity_particle_nicht_del").summary
    'the negation particle nicht is deleted'
    """
    if language not in NAMES:
        raise KontrastError(f"there are no errors for the language {language!r}; there are for {', '.join(NAMES)}")
    if name not in NAMES[language]:
        raise KontrastError(f"there is no error {name!r} for {language!r}; there are {', '.join(NAMES[language])}")
    module = importlib.import_module(f"kontrast.building.perturb.{language}.{name}")
    found: Perturbation = module.perturbation
    return found


def listed(language: str, names: tuple[str, ...] | None = None) -> list[Perturbation]:
    """The errors of a language, all or those named, in the given order."""
    return [get(language, name) for name in (names or NAMES.get(language) or ("",))]
