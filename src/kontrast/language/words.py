"""What a language declares of its words beyond a lexicon: one TOML file, ``data/words/LANGUAGE.toml``.

``KONTRAST_WORDS`` names a folder with files of the user's own, which go before those of the package. Other packages
add languages through the entry points ``kontrast.languages``.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from kontrast.errors import InputError
from kontrast.plugins import loaded_plugin, plugin_names

FOLDER = Path(__file__).resolve().parents[1] / "data" / "words"

_SECTIONS = {
    "agreement": "quantities free_order unnamed_plural contracting contracted_articles epicene_endings pro_drop "
    "elision either_gender misformed present_participle",
    "numbers": "rows hours decimal_comma",
    "units": "rows",
    "modality": "can must want",
    "persons": "nouns determiners bare clashing",
    "additions": "adjectives endings",
    "dates": "months days capitals before_months",
    "negation": "words pairs pronouns verbs concord clitics before behind",
    "names": "titles",
    "clauses": "openers function_words genitive genitive_case bare_nouns complemented relatives "
    "negating joining adjuncts",
    "source": "cognates negation familiar polite",
    "reference": "opening never_meant genders",
    "phrases": "definite owned indefinite owned_stems adjective_endings denying prepositions of as said "
    "needed_adjectives",
    "lists": "",
}
"""The keys of each section; ``lists`` may have any: code of the language's own reads them by name."""
_KINDS: dict[str, tuple[Any, str]] = {
    **dict.fromkeys(
        "free_order unnamed_plural pro_drop elision capitals genitive_case bare_nouns cognates decimal_comma".split(),
        (bool, "true or false"),
    ),
    **dict.fromkeys(
        ("rows", "pairs", "titles", "nouns", "determiners", "adjectives", "endings"),
        (list[list[str]], "a list of lists of words"),
    ),
    "genders": (dict[str, list[str]], "a list of words for each key"),
}
_LIST: tuple[Any, str] = (list[str], "a list of words")
_TEXTS = (("agreement", "present_participle"), *(("source", key) for key in ("negation", "familiar", "polite")))


def _folders() -> list[Path]:
    own = os.environ.get("KONTRAST_WORDS")
    return [*([Path(own)] if own else []), FOLDER]


@lru_cache
def _added() -> dict[str, Path]:
    """The files of languages that other packages add (entry points ``kontrast.languages``)."""
    names = plugin_names("languages", [path.stem for path in FOLDER.glob("*.toml")])
    modules = {name: loaded_plugin("languages", name) for name in names}
    return {name: Path(str(module.__file__)).with_name(f"{name}.toml") for name, module in modules.items() if module}


@lru_cache
def declared(language: str) -> dict[str, Any]:
    """What the language's file declares; nothing for a language without one.

    >>> declared("es")["negation"]["words"], declared("xx")
    (['no'], {})
    """
    for path in (*(folder / f"{language}.toml" for folder in _folders()), _added().get(language)):
        if path is not None and path.is_file():
            found = _read(path)
            return {} if found.get("source_only") else found
    return {}


@lru_cache
def ordered(language: str, kind: Literal["numbers", "months", "days"]) -> tuple[str, ...]:
    """The package's words that have an order, as they stand in a sentence: numbers from two to twelve, months, days.

    >>> ordered("en", "months")[:2], ordered("fr", "days")[0], ordered("xx", "numbers")
    (('January', 'February'), 'lundi', ())
    """
    path = FOLDER / f"{language}.toml"
    found = _read(path) if path.is_file() else {}
    if kind == "numbers":
        return tuple(found.get("numbers", {}).get("rows", [[]])[0])
    dates = found.get("dates", {})
    return tuple(word.capitalize() if dates.get("capitals") else word for word in dates.get(kind, ()))


@lru_cache
def lists_of(language: str) -> dict[str, list[str]]:
    """The package's word lists for the code of one language, by name.

    >>> lists_of("de")["reflexive_dative"][:2]
    ['merken', 'vorstellen']
    """
    path = FOLDER / f"{language}.toml"
    found: dict[str, list[str]] = _read(path).get("lists", {}) if path.is_file() else {}
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(path, f"is not TOML: {error}") from error
    for section, part in found.items():
        if section == "source_only" and isinstance(part, bool):
            continue
        _refuse_unknown(path, f"[{section}]", section, (*_SECTIONS, "source_only"))
        if not isinstance(part, dict):
            raise InputError(path, f"{section}: expected a section, [{section}]")
        for key, value in part.items():
            if section != "lists":
                _refuse_unknown(path, f"{key} in [{section}]", key, _SECTIONS[section].split())
            kind, words = _KINDS.get(key, _LIST) if section != "lists" else _LIST
            kind, words = (str, "one text") if (section, key) in _TEXTS else (kind, words)
            try:
                msgspec.convert(value, kind)
            except msgspec.ValidationError:
                raise InputError(path, f"{key} in [{section}]: expected {words}") from None
    return found


def _refuse_unknown(path: Path, what: str, name: str, known: Sequence[str]) -> None:
    if name not in known:
        near = get_close_matches(name, known, n=1, cutoff=0)
        raise InputError(path, f"{what} is not known; the nearest that is known is {near[0]}")


def languages_declared() -> list[str]:
    """The languages that have a file, but for those that are only translated from."""
    found = {
        path.stem for folder in _folders() if folder.is_dir() for path in folder.glob("*.toml")
    } | _added().keys()
    return sorted(language for language in found if declared(language))
