"""TOML at the edge: one check of gates, recipes, word files and declarations of formats.

A key that is not known would be lost and change a result: it is an error that names its section and the nearest key.
"""

import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from kontrast.errors import InputError
from kontrast.io.files import read_text

T = TypeVar("T")
_WORDS = {
    " | null": "",
    "`array`": "a list",
    "`object`": "a section",
    "`str`": "text",
    "`bool`": "true or false",
    "length >=": "at least",
}


def read_toml(path: str | Path, text: str | None = None) -> dict[str, Any]:
    """The tables of a file, or of its text where that is at hand."""
    try:
        return tomllib.loads(read_text(path) if text is None else text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(path, f"expected TOML: {error}") from error


def from_toml(path: str | Path, table: Any, kind: type[T]) -> T:
    """The record that a table is."""
    try:
        return msgspec.convert(table, kind)
    except msgspec.ValidationError as error:
        message, _, where = str(error).partition(" - at ")
        where = where.strip("`").removeprefix("$").removeprefix(".")
        place, found = f"in [{where}]: " if where else "", _at(kind, where)
        if "unknown field" in message:
            name, known = message.split("`")[1], [each.encode_name for each in found.fields]
            near = get_close_matches(name, known, n=1)
            told = f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}"
            raise InputError(path, f"{place}there is no key {name}; {told}") from error
        for word, plain in _WORDS.items():
            message = message.replace(word, plain)
        allowed = f"; expected one of {', '.join(map(str, found.values))}" if hasattr(found, "values") else ""
        raise InputError(path, f"{place}{message[0].lower()}{message[1:]}{allowed}") from error


def _at(kind: Any, where: str) -> Any:
    """What msgspec knows of the type at a place such as ``gate.phenomenon[...]``."""
    from msgspec.inspect import NoneType, type_info

    found: Any = type_info(kind)
    for step in where.replace("[", ".[").split("."):
        if step.startswith("["):
            found = getattr(found, "value_type", None) or getattr(found, "item_type", found)
        elif step:
            found = next((each.type for each in getattr(found, "fields", ()) if each.encode_name == step), found)
        found = next((each for each in getattr(found, "types", ()) if not isinstance(each, NoneType)), found)
    return found
