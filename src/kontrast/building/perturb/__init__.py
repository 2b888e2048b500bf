"""Contrastive errors: one file per error and language, found by its name.

``kontrast.building.perturb.LANGUAGE.NAME`` holds ``perturbation``, its declaration; adding one means adding that file
and its name to `NAMES`. Those of ``general`` are made from a lexicon, for any language that has none of that name.
"""

from __future__ import annotations

import importlib
from functools import cache

from kontrast.building.perturb.perturbation import Candidate, Edit, Example, Perturbation
from kontrast.errors import KontrastError
from kontrast.language import lexicons

__all__ = ["GENERAL", "NAMES", "Candidate", "Edit", "Example", "Perturbation", "get", "languages", "listed"]

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

GENERAL = ("np_agreement", "subj_verb_agreement")
"""Errors that any language can have through a lexicon."""


def languages() -> list[str]:
    """The languages that have errors."""
    return sorted(NAMES)


@cache
def get(language: str, name: str, lexicon: str | None = None) -> Perturbation:
    """The declaration of one error; a general one takes its forms from the lexicon called so, or the language's own.

    >>> get("de", "polarity_particle_nicht_del").summary
    'the negation particle nicht is deleted'
    >>> get("fr", "np_agreement").summary
    "a determiner or adjective gets another gender than its noun's"
    """
    own = NAMES.get(language, ())
    if name in own:
        module = importlib.import_module(f"kontrast.building.perturb.{language}.{name}")
        found: Perturbation = module.perturbation
        return found
    if name not in GENERAL:
        known = ", ".join((*own, *(other for other in GENERAL if other not in own)))
        raise KontrastError(f"there is no error {name!r} for {language!r}; there are {known}")
    made: Perturbation = importlib.import_module(f"kontrast.building.perturb.general.{name}").perturbation(
        lexicons.lexicon(language, lexicon)
    )
    return made


def listed(language: str, names: tuple[str, ...] | None = None, lexicon: str | None = None) -> list[Perturbation]:
    """The errors of a language, those named or all (also by the name ``all``), in the given order.

    All are its own, and with a lexicon, or where it has none of its own, the general ones too.
    """
    own = NAMES.get(language, ())
    names = None if names == ("all",) else names
    wanted = names or own
    if not own and lexicon is None:
        raise KontrastError(
            f"there are no errors for the language {language!r} (there are for {', '.join(NAMES)}); with a lexicon, "
            f"--lexicon unimorph:FILE with its file from UniMorph, it gets {' and '.join(GENERAL)}"
        )
    if not names and (lexicon or not own):
        wanted = (*own, *(name for name in GENERAL if name not in own))
    if lexicon and all(name in own for name in wanted):
        raise KontrastError(
            f"these errors of {language!r} have words of their own: leave the lexicon {lexicon!r} out"
        )
    return [get(language, name, lexicon) for name in wanted]
