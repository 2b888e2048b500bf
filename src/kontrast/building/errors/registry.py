"""Contrastive errors by language and name: declared in ``data/errors/LANGUAGE.toml``, made by functions called so.

The function is in ``building/errors/LANGUAGE/NAME.py``, or in the module that the declaration names. Those of
``general`` are for any language that has none of that name.
"""

from __future__ import annotations

import importlib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from kontrast.building.errors.spec import DeclaredError, ErrorLanguage, Perturbation
from kontrast.errors import KontrastError
from kontrast.language import lexicons
from kontrast.language.bilingual_words import read_bilingual_words
from kontrast.language.words import declared, languages_declared

_FOLDER = Path(__file__).resolve().parent


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
    "modality",
    "unit",
    "number_format",
    "person_gender",
    "adjective_omission",
    "added_adjective",
    "phrase_omission",
    "function_word",
    "name_swap",
    "opposite",
)
"""Errors from plain text, for any language that declares its words (``data/words/LANGUAGE.toml``)."""

BILINGUAL = ("sense", "untranslated", "noun_number")
"""Errors that a dictionary tells, which says what each word of the source may become."""


def languages() -> list[str]:
    """The languages that have errors of their own: a folder each, which declares itself (`ErrorLanguage`)."""
    return sorted(p.parent.name for p in _FOLDER.glob("*/__init__.py") if p.parent.name != "general")


@cache
def language_of(code: str) -> ErrorLanguage | None:
    """What the folder of a language declares; None for a language without errors of its own."""
    if code not in languages():
        return None
    found: ErrorLanguage = importlib.import_module(f"kontrast.building.errors.{code}").LANGUAGE
    return found


def names_of(language: str) -> tuple[str, ...]:
    """The errors of a language's own, in the order in which they are listed and tried."""
    return tuple(declarations(language)) if language_of(language) else ()


@cache
def declarations(folder: str) -> dict[str, DeclaredError]:
    """The errors of a language, or of ``general``, by name."""
    text = resources.files("kontrast").joinpath("data", "errors", f"{folder}.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, DeclaredError])


def _function(folder: str, name: str) -> Any:
    module = declarations(folder)[name].module or name
    return getattr(importlib.import_module(f"kontrast.building.errors.{folder}.{module}"), name)


@cache
def get(language: str, name: str, lexicon: str | None = None) -> Perturbation:
    """The declaration of one error; a general one takes its forms from the lexicon called so, or the language's own.

    >>> get("de", "polarity_particle_nicht_del").declared.summary
    'the negation particle nicht is deleted'
    >>> get("fr", "np_agreement").declared.summary
    'a determiner or adjective gets another gender than its noun'
    """
    own = names_of(language)
    if name in own:
        return Perturbation(name, language, declarations(language)[name], _function(language, name))
    if name in DECLARED and declared(language):
        return Perturbation(name, language, declarations("general")[name], _function("general", name)(language))
    if name in BILINGUAL:
        raise KontrastError(f"{name} needs a source and a dictionary: kontrast build errors --dictionary FILE")
    if name not in GENERAL:
        more = (*(DECLARED if declared(language) else ()), *GENERAL)
        known = ", ".join((*own, *(other for other in more if other not in own)))
        raise KontrastError(f"there is no error {name!r} for {language!r}; choose from {known}")
    made = _function("general", name)(lexicons.lexicon(language, lexicon))
    return Perturbation(name, language, declarations("general")[name], made)


@cache
def bilingual(pair: str, name: str, dictionaries: tuple[str, ...], lexicon: str | None = None) -> Perturbation:
    """The declaration of an error that needs dictionaries of the pair and a lexicon of the target language."""
    source, _, language = pair.partition("-")
    words = lexicons.lexicon(language, lexicon)
    translations = read_bilingual_words(dictionaries, source, language, lexicon)
    made = _function("general", name)(language, source, words, translations)
    return Perturbation(name, language, declarations("general")[name], made)


def listed(language: str, names: tuple[str, ...] | None = None, lexicon: str | None = None) -> list[Perturbation]:
    """The errors of a language, those named or all (also by the name ``all``), in the given order.

    All are its own but for those made by name only, and those of its declared words (German has its own of most);
    with a lexicon those that need one too.
    """
    own = names_of(language)
    names = None if names == ("all",) else names
    if not own and lexicon is None and not declared(language):
        known = ", ".join(sorted({*languages(), *languages_declared()}))
        raise KontrastError(
            f"there are no errors for the language {language!r} (there are for {known}): with a file "
            f"of words (CONTRIBUTING.md) it gets {', '.join(DECLARED[:3])} and others, with a lexicon, --lexicon "
            f"unimorph:FILE, {' and '.join(GENERAL)}"
        )
    wanted = tuple(dict.fromkeys(names or default_names(language, lexicon)))  # one named twice is made once
    if lexicon and all(name in own or name in DECLARED for name in wanted):
        raise KontrastError(f"these errors for {language!r} use no lexicon: leave out --lexicon {lexicon}")
    return [get(language, name, lexicon) for name in wanted]


def default_names(language: str, lexicon: str | None = None) -> tuple[str, ...]:
    """What is made where no error is named.

    >>> default_names("sv")[:3], "word_order" in default_names("de"), "compound" in default_names("de")
    (('number', 'date', 'name'), False, False)
    """
    found = language_of(language)
    named_only = found.named_only if found else ()
    return tuple(name for name in known_names(language, lexicon) if name not in named_only)


def _made_of_words(language: str) -> tuple[str, ...]:
    """The errors from plain text whose words the language declares.

    >>> "modality" in _made_of_words("es"), "modality" in _made_of_words("fi"), _made_of_words("xx")
    (True, False, ())
    """

    def has(section: str, key: str) -> bool:
        found = declared(language).get(section)
        return bool(found and (found.get(key) if key else True))

    needs = {name: declarations("general")[name].needs.partition(".") for name in DECLARED}
    return tuple(
        n for n, (section, _, key) in needs.items() if declared(language) and (not section or has(section, key))
    )


def known_names(language: str, lexicon: str | None = None) -> tuple[str, ...]:
    """What is made where no error is named, and those made by name only."""
    own, found = names_of(language), language_of(language)
    complete = found is not None and found.complete
    plain = found.general if found is not None and complete else _made_of_words(language)
    has_lexicon = lexicon or (language in lexicons.DEFAULTS and not complete)
    more = (*(GENERAL if has_lexicon or not (own or plain) else ()), *plain)
    return (*own, *(name for name in more if name not in own))
