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
from kontrast.language.words import declared, languages_declared

__all__ = [
    "DECLARED",
    "GENERAL",
    "NAMED_ONLY",
    "NAMES",
    "Candidate",
    "Edit",
    "Example",
    "Perturbation",
    "get",
    "known_names",
    "languages",
    "listed",
]

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
    "de": (
        *LINGEVAL97,
        "clause_omission",
        "number",
        "date",
        "formality",
        "tense",
        "pronoun_gender",
        "preposition_case",
        "relative_pronoun",
        "comparison",
        "reflexive",
        "adjective_ending",
        "verb_position",
        "subjunctive",
        "pronominal_adverb",
    ),
    "fr": (
        "pronoun_gender",
        "negation",
        "polarity_affix",
        "auxiliary",
        "participle_agreement",
        "tense",
        "subjunctive",
        "clitic_order",
        "preposition_article",
        "formality",
    ),
}
"""For each language the names of its errors, in the order in which they are listed and tried."""

NAMED_ONLY: dict[str, tuple[str, ...]] = {"de": ("compound",)}
"""Errors that are made only where they are named: readers refused too many of them (docs/errors-read.md)."""

COMPLETE = ("de",)
"""Languages whose own errors are all that is made where none is named."""

GENERAL = ("np_agreement", "subj_verb_agreement")
"""Errors that any language can have through a lexicon."""

DECLARED = (
    "number",
    "date",
    "name",
    "transliteration",
    "negation",
    "omission",
    "addition",
    "word_order",
    "hallucinated_copy",
)
"""Errors from plain text, for any language that declares its words (``data/words/LANGUAGE.toml``)."""


def languages() -> list[str]:
    """The languages that have errors of their own."""
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
    made: Perturbation
    if name in own:
        module = importlib.import_module(f"kontrast.building.perturb.{language}.{name}")
        found: Perturbation = module.perturbation
        return found
    if name in DECLARED and declared(language):
        made = importlib.import_module(f"kontrast.building.perturb.general.{name}").perturbation(language)
        return made
    if name not in GENERAL:
        more = (*(DECLARED if declared(language) else ()), *GENERAL)
        known = ", ".join((*own, *(other for other in more if other not in own)))
        raise KontrastError(f"there is no error {name!r} for {language!r}; there are {known}")
    made = importlib.import_module(f"kontrast.building.perturb.general.{name}").perturbation(
        lexicons.lexicon(language, lexicon)
    )
    return made


def listed(language: str, names: tuple[str, ...] | None = None, lexicon: str | None = None) -> list[Perturbation]:
    """The errors of a language, those named or all (also by the name ``all``), in the given order.

    All are its own but for `NAMED_ONLY` and those of its declared words (German has its own of most), and with a
    lexicon those that need one.
    """
    own = NAMES.get(language, ())
    names = None if names == ("all",) else names
    if not own and lexicon is None and not declared(language):
        known = ", ".join(sorted({*NAMES, *languages_declared()}))
        raise KontrastError(
            f"there are no errors for the language {language!r} (there are for {known}): with a file "
            f"of words (CONTRIBUTING.md) it gets {', '.join(DECLARED[:3])} and others, with a lexicon, --lexicon "
            f"unimorph:FILE, {' and '.join(GENERAL)}"
        )
    wanted = names or default_names(language, lexicon)
    if lexicon and all(name in own or name in DECLARED for name in wanted):
        raise KontrastError(f"these errors for {language!r} use no lexicon: leave out --lexicon {lexicon}")
    return [get(language, name, lexicon) for name in wanted]


def default_names(language: str, lexicon: str | None = None) -> tuple[str, ...]:
    """What is made where no error is named.

    >>> default_names("sv")[:3], "word_order" in default_names("de"), "compound" in default_names("de")
    (('number', 'date', 'name'), False, False)
    """
    return tuple(name for name in known_names(language, lexicon) if name not in NAMED_ONLY.get(language, ()))


def known_names(language: str, lexicon: str | None = None) -> tuple[str, ...]:
    """What is made where no error is named, and `NAMED_ONLY`."""
    own = NAMES.get(language, ())
    plain = DECLARED if declared(language) and language not in COMPLETE else ()
    has_lexicon = lexicon or (language in lexicons.DEFAULTS and language not in COMPLETE)
    more = (*(GENERAL if has_lexicon or not (own or plain) else ()), *plain)
    return (*own, *(name for name in more if name not in own))
