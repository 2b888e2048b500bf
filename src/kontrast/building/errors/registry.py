"""Contrastive errors by language and name: the functions with ``@error`` in ``building/errors/LANGUAGE/*.py``.

Those of ``general`` are for any language that has none of that name. An error of words alone is a section
``[errors.NAME]`` of the language's word file.
"""

from __future__ import annotations

import importlib
import pkgutil
from difflib import get_close_matches
from functools import cache, partial
from pathlib import Path
from typing import Any

from kontrast.building.errors.spec import DeclaredError, ErrorLanguage, Perturbation, Takes
from kontrast.errors import KontrastError
from kontrast.language import lexicons
from kontrast.language.bilingual_words import read_bilingual_words
from kontrast.language.words import declared, languages_declared
from kontrast.suites.error_shares import declared_kinds, error_kinds

_FOLDER = Path(__file__).resolve().parent
_PACKAGE = "kontrast.building.errors"


def languages() -> list[str]:
    """The languages that have errors of their own: a folder each, which declares itself (`ErrorLanguage`)."""
    return sorted(p.parent.name for p in _FOLDER.glob("*/__init__.py") if p.parent.name != "general")


@cache
def language_of(code: str) -> ErrorLanguage | None:
    """What the folder of a language declares; None for a language without errors of its own."""
    if code not in languages():
        return None
    found: ErrorLanguage = importlib.import_module(f"{_PACKAGE}.{code}").LANGUAGE
    return found


@cache
def declarations(folder: str) -> dict[str, DeclaredError]:
    """The errors of a language, or of ``general``, by name: those of its published set, then file by file."""
    found: dict[str, DeclaredError] = {}
    for place in sorted(pkgutil.iter_modules([str(_FOLDER / folder)]), key=lambda each: each.name):
        module = importlib.import_module(f"{_PACKAGE}.{folder}.{place.name}")
        functions = (each for each in vars(module).values() if getattr(each, "__module__", "") == module.__name__)
        found |= {each.declared.name: each.declared for each in functions if hasattr(each, "declared")}
    own = language_of(folder)
    first = [name for name in own.published if name in found] if own else []
    return {name: found[name] for name in (*first, *found)}


def names_of(language: str) -> tuple[str, ...]:
    """The errors of a language's own, in the order in which they are listed and tried."""
    return tuple(declarations(language)) if language_of(language) else ()


def general_names(*of: Takes) -> tuple[str, ...]:
    """The errors for any language that are made of this.

    >>> general_names("lexicon")
    ('np_agreement', 'subj_verb_agreement')
    """
    return tuple(name for name, told in declarations("general").items() if told.of in of)


def plain_names(language: str) -> tuple[str, ...]:
    """The errors that need no lexicon or dictionary: the general ones, and those that the words declare."""
    return (*general_names("words"), *declared(language).get("errors", {})) if declared(language) else ()


@cache
def get(language: str, name: str, lexicon: str | None = None) -> Perturbation:
    """The declaration of one error; a general one takes its forms from the lexicon called so, or the language's own.

    >>> get("de", "polarity_particle_nicht_del").declared.summary
    'The negation particle nicht is deleted'
    >>> get("fr", "np_agreement").declared.summary
    'A determiner or adjective gets another gender than its noun'
    """
    found = _found(language, name, lexicon)
    if found.declared.kind not in error_kinds():
        told = f"the error {name!r} for {language!r} has the kind {found.declared.kind!r}"
        raise KontrastError(f"{told}; expected one of {', '.join(error_kinds())}")
    return found


def _found(language: str, name: str, lexicon: str | None) -> Perturbation:
    own, of_words = names_of(language), declared(language).get("errors", {})
    if name in own:
        told = declarations(language)[name]
        return Perturbation(name, language, told, told.function)
    if name in of_words:
        return _of_words(language, name, of_words[name])
    general = declarations("general").get(name)
    if general is None or (general.of == "words" and not declared(language)):
        known = tuple(dict.fromkeys((*own, *plain_names(language), *general_names("lexicon"))))
        near = get_close_matches(name, known, n=1)
        meant = f"did you mean {near[0]}?" if near else f"choose from {', '.join(known)}"
        raise KontrastError(f"there is no error {name!r} for {language!r}; {meant}")
    section = general.needs.partition(".")[0]
    if section and section not in declared(language):
        raise KontrastError(
            f"{name!r} needs the section [{section}], which the word file {language}.toml does not have"
        )
    if general.of == "dictionary":
        raise KontrastError(f"{name} needs a source and a dictionary: kontrast build errors --dictionary FILE")
    given = {"language": language} if general.of == "words" else {"lexicon": lexicons.lexicon(language, lexicon)}
    return Perturbation(name, language, general, partial(general.function, **given))


def _of_words(language: str, name: str, section: dict[str, Any]) -> Perturbation:
    from kontrast.building.errors.general.other_word import swapped

    rows = "\n".join(f"- {' → '.join(row)}" for row in section.get("examples", ()))
    swaps = [(old, "", new, *english) for old, new, *english in section["swaps"]]
    made = partial(swapped, swaps=swaps, fixed=section.get("fixed", ()))
    told = DeclaredError(name, declared_kinds()[name], "words", "", False, made, f"{section['summary']}\n\n{rows}")
    return Perturbation(name, language, told, made)


@cache
def bilingual(pair: str, name: str, dictionaries: tuple[str, ...], lexicon: str | None = None) -> Perturbation:
    """The declaration of an error that needs dictionaries of the pair and a lexicon of the target language."""
    source, _, language = pair.partition("-")
    words = lexicons.lexicon(language, lexicon)
    translations = read_bilingual_words(dictionaries, source, language, lexicon)
    told = declarations("general")[name]
    given = {"language": language, "source": source, "lexicon": words, "translations": translations}
    return Perturbation(name, language, told, partial(told.function, **given))


def listed(language: str, names: tuple[str, ...] | None = None, lexicon: str | None = None) -> list[Perturbation]:
    """The errors of a language, those named or all (also by the name ``all``), in the given order.

    All are its own but for those made by name only, and those of its declared words (German has its own of most);
    with a lexicon those that need one too.
    """
    own, plain = names_of(language), plain_names(language)
    names = None if names == ("all",) else names
    if not own and lexicon is None and not declared(language):
        known = ", ".join(sorted({*languages(), *languages_declared()}))
        raise KontrastError(
            f"there are no errors for the language {language!r} (only for {known}); a file of words "
            "(CONTRIBUTING.md) adds number, date, negation and others, and a lexicon (--lexicon unimorph:FILE) adds "
            f"{' and '.join(general_names('lexicon'))}"
        )
    wanted = tuple(dict.fromkeys(names or default_names(language, lexicon)))  # one named twice is made once
    if lexicon and all(name in own or name in plain for name in wanted):
        raise KontrastError(f"these errors for {language!r} use no lexicon: leave out --lexicon {lexicon}")
    return [get(language, name, lexicon) for name in wanted]


def default_names(language: str, lexicon: str | None = None) -> tuple[str, ...]:
    """What is made where no error is named.

    >>> "number" in default_names("sv"), "word_order" in default_names("de"), "compound" in default_names("de")
    (True, False, False)
    """
    found = language_of(language)
    named_only = found.named_only if found else ()
    return tuple(name for name in known_names(language, lexicon) if name not in named_only)


def known_names(language: str, lexicon: str | None = None) -> tuple[str, ...]:
    """What is made where no error is named, and those made by name only.

    >>> "modality" in known_names("es"), "modality" in known_names("fi")
    (True, False)
    """
    own, found = names_of(language), language_of(language)
    plain = [name for name in plain_names(language) if _has_words(language, name)]
    has_lexicon = lexicon or language in lexicons.DEFAULTS or not (own or plain)
    more = (*(general_names("lexicon") if has_lexicon else ()), *plain)
    left_out = {*own, *(found.without if found else ())}
    return (*own, *(name for name in more if name not in left_out))


def _has_words(language: str, name: str) -> bool:
    """Does the language declare the words that the error needs?"""
    told = declarations("general").get(name)
    section, _, key = told.needs.partition(".") if told else ("", "", "")
    found = declared(language).get(section)
    return not section or bool(found and (found.get(key) if key else True))
