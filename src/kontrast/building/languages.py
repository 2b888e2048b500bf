"""What can be built for which language on this machine, and what one more install would bring."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from kontrast.building.errors.registry import default_names, names_of
from kontrast.building.errors.registry import languages as languages_of_errors
from kontrast.errors import KontrastError
from kontrast.language import annotators, lexicons
from kontrast.language.back_ends import back_ends
from kontrast.language.lexicon import tag_tables
from kontrast.language.words import declared, languages_declared
from kontrast.record import Record

PACKAGES = {"pymorphy": "pymorphy3", "morfeusz": "morfeusz2", "dwdsmor": "dwdsmor"}
APERTIUM = {language: pair.split() for language, pair in tag_tables("apertium")["packages"].items()}
"""Apertium's code of a language and a Debian package that has it."""


class LanguageSupport(Record, frozen=True):
    """A target language: its errors from plain text, lexicons and annotators that are here, what to install."""

    language: str
    errors: tuple[str, ...]
    agreement: bool
    lexicons: tuple[str, ...]
    annotators: tuple[str, ...]
    install: tuple[str, ...]


def languages(pair: str | None = None) -> list[LanguageSupport]:
    """All target languages that kontrast knows, or the target of ``pair`` (``en-es``).

    >>> german = next(row for row in languages("en-de"))
    >>> german.lexicons[0], german.annotators[0]
    ('tables', 'rules')
    """
    if pair is not None:
        _, dash, target = pair.partition("-")
        if not dash or not target:
            raise KontrastError(f"--pair: expected two languages as in en-es, found {pair!r}")
        return [_row(target)]
    return [_row(language) for language in sorted({*languages_of_errors(), *languages_declared(), *APERTIUM})]


def _row(language: str) -> LanguageSupport:
    here, install = _lexicons(language)
    readers = annotators.available(language)
    if not readers:
        names = annotators.official(language)
        install += [f"python -m spacy download {names[-1]} (trees from plain text)"] if names else []
    if not declared(language):
        install.append(f"data/words/{language}.toml (errors from plain text; CONTRIBUTING.md)")
    known = bool(names_of(language) or declared(language))
    errors = default_names(language) if known else ()
    # With parallel treebanks any language has agreement errors; a lexicon gives more of them.
    return LanguageSupport(language, errors, True, tuple(here), tuple(readers), tuple(install))


def _lexicons(language: str) -> tuple[list[str], list[str]]:
    """Those that are installed, and how to install the others."""
    here = [lexicons.DEFAULTS[language]] if language in lexicons.DEFAULTS else []
    missing = []
    for kind, package in PACKAGES.items():
        found = back_ends("lexicons")[kind]
        if language not in found.languages.split(", "):
            continue
        name = kind if kind == "dwdsmor" else f"{kind}:{language}"
        if importlib.util.find_spec(package) is not None:
            here.append(name)
        else:
            missing.append(found.told.rpartition("; ")[2])
    if language in APERTIUM:
        code, package = APERTIUM[language]
        folder = Path("/usr/share/apertium")
        if any(folder.glob(f"*/{code}-*.automorf.bin")):
            whole = any(folder.glob(f"*/*-{code}.autogen.bin"))
            here.append(f"apertium:{code}" + ("" if whole else " (analyses only)"))
        else:
            missing.append(f"apt-get install {package} (lexicon apertium:{code})")
    return here, missing
