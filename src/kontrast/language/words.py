"""What a language declares of its words beyond a lexicon: one TOML file, ``data/words/LANGUAGE.toml``.

By the commonest words of some languages a text in the wrong one is found early.

``KONTRAST_WORDS`` names a folder with files of the user's own, which go before those of the package. Other packages
add languages through the entry points ``kontrast.languages``.
"""

import hashlib
import os
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from types import GenericAlias
from typing import Annotated, Any, Literal

import msgspec

from kontrast.errors import InputError
from kontrast.io.names import without_region
from kontrast.io.toml_input import from_toml, read_toml
from kontrast.io.words import words
from kontrast.plugins import loaded_plugin, plugin_names

FOLDER = Path(__file__).resolve().parents[1] / "data" / "words"

_TYPES: dict[str, Any] = {"yes": bool, "text": str, "rows": list[list[str]], "groups": dict[str, list[str]]}
"""Of the keys that ``data/word_files.toml`` says are no list of words."""


@lru_cache
def _schema() -> type[Any]:
    """The file as a record of records."""
    said = read_toml(FOLDER.with_name("word_files.toml"))
    kinds = {key: _TYPES[kind] for kind, keys in said["kinds"].items() for key in keys.split()}
    kinds |= {key: _rows(int(least)) for least, keys in said["fewest"].items() for key in keys.split()}

    def field(section: str, key: str) -> tuple[str, Any, Any]:
        return key, kinds.get(f"{section}.{key}", kinds.get(key, list[str])), None

    more: list[Any] = [("swaps", list[list[str]]), ("examples", list[list[str]], []), ("fixed", list[str], [])]
    error: Any = msgspec.defstruct("errors", [("kind", str), ("summary", str), *more], forbid_unknown_fields=True)
    sections: list[Any] = [("source_only", bool, False), ("lists", dict[str, list[str]], None)]
    sections.append(("errors", GenericAlias(dict, (str, error)), None))
    for name, keys in said["sections"].items():
        fields = [field(name, key) for key in keys.split()]
        sections.append((name, msgspec.defstruct(name, fields, forbid_unknown_fields=True), None))
    return msgspec.defstruct("words", sections, forbid_unknown_fields=True)


def _rows(least: int) -> Any:
    """Lists of so many words at least."""
    return GenericAlias(list, (Annotated[list[str], msgspec.Meta(min_length=least)],))


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
    """What the language's file declares; nothing for a language without one."""
    for path in (*(folder / f"{language}.toml" for folder in _folders()), _added().get(language)):
        if path is not None and path.is_file():
            found = _read(path)
            return {} if found.get("source_only") else found
    return {}


def words_digest(*languages: str) -> str:
    """Changes with what the files of these languages declare."""
    return hashlib.blake2b(msgspec.json.encode([declared(each) for each in languages]), digest_size=8).hexdigest()


def declared_sets(language: str, section: str, *keys: str) -> tuple[frozenset[str], ...]:
    """The words under these keys of a section; none where the language declares none.

    >>> declared_sets("es", "negation", "words", "behind")
    (frozenset({'no'}), frozenset())
    """
    found = declared(language).get(section, {})
    return tuple(frozenset(found.get(key, ())) for key in keys)


@lru_cache
def ordered(language: str, kind: Literal["numbers", "months", "days"]) -> tuple[str, ...]:
    """The package's words that have an order, as they stand in a sentence: numbers, months, days."""
    path = FOLDER / f"{language}.toml"
    found = _read(path) if path.is_file() else {}
    if kind == "numbers":
        return tuple(found.get("numbers", {}).get("rows", [[]])[0])
    dates = found.get("dates", {})
    return tuple(word.capitalize() if dates.get("capitals") else word for word in dates.get(kind, ()))


@lru_cache
def lists_of(language: str) -> dict[str, list[str]]:
    """The package's word lists for the code of one language, by name."""
    path = FOLDER / f"{language}.toml"
    found: dict[str, list[str]] = _read(path).get("lists", {}) if path.is_file() else {}
    return found


def word_set(language: str, name: str) -> frozenset[str]:
    """One of these lists."""
    return frozenset(lists_of(language)[name])


def _read(path: Path) -> dict[str, Any]:
    found = read_toml(path)
    from_toml(path, found, _schema())
    if (months := found.get("dates", {}).get("months")) and len(months) != 12:
        raise InputError(path, f"in [dates]: expected all twelve months, found {len(months)}")
    for name, section in found.get("errors", {}).items():
        if short := next((row for row in section["swaps"] if len(row) < 2), None):
            raise InputError(path, f"in [errors.{name}]: expected [word, new word, …] in swaps, found {short}")
    return found


def languages_declared() -> list[str]:
    """The languages that have a file, but for those that are only translated from."""
    found = {
        path.stem for folder in _folders() if folder.is_dir() for path in folder.glob("*.toml")
    } | _added().keys()
    return sorted(language for language in found if declared(language))


_THREE, _ENOUGH = 3, 30
"""Words of another language that show a line to be in it; words of a text, of which fewer tell nothing."""
_SURELY = 1.4
"""Another language's commonest words must be so many times as frequent as the right one's."""


def looks_like(language: str, lines: Iterable[str]) -> bool:
    """Does at least a twelfth of the words belong to the language's commonest? True where that cannot be told."""
    return _shares(lines).get(language, 1) * 12 >= 1


def other_language(language: str, lines: Iterable[str]) -> str | None:
    """The language that a text is rather in, None where it is the one named or that cannot be told."""
    language, shares = without_region(language), _shares(lines)
    best = max(shares, key=lambda code: shares[code], default="")
    is_other = language in shares and shares[best] * 12 >= 1 and shares[best] > _SURELY * shares[language]
    return best if is_other else None


def is_foreign(language: str, line: str) -> bool:
    """Has a line three of the commonest words of another language, and none of its own? False where that is not told.

    >>> is_foreign("de", "Read the manual page, for details see Abschnitt 7 on the left.")
    True
    >>> is_foreign("de", "Was will man an Bord?"), is_foreign("de", "Der Film heißt To be or not to be.")
    (False, False)
    """
    common = _commonest()
    found = set(words(line)).difference(lists_of(language).get("commonest_elsewhere", ()))
    if language not in common or found & common[language]:
        return False
    return any(len(found & others) >= _THREE for others in common.values())


def _shares(lines: Iterable[str]) -> dict[str, float]:
    """The share of each language's commonest words in a text; none of a short text."""
    found = [word for line in lines for word in words(line) if word.isalpha()]
    if len(found) < _ENOUGH:
        return {}
    return {code: sum(word in common for word in found) / len(found) for code, common in _commonest().items()}


@cache
def _commonest() -> dict[str, frozenset[str]]:
    """The commonest words of each language that lists them."""
    codes = sorted(path.stem for path in FOLDER.glob("*.toml"))
    return {code: frozenset(found["commonest"]) for code in codes if "commonest" in (found := lists_of(code))}
