"""What a language declares of its words beyond a lexicon: one TOML file, ``data/words/LANGUAGE.toml``.

``KONTRAST_WORDS`` names a folder with files of the user's own, which go before those of the package.
"""

from __future__ import annotations

import os
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from kontrast.errors import InputError

__all__ = ["declared", "languages_declared", "ordered"]

FOLDER = Path(__file__).resolve().parents[1] / "data" / "words"


def _folders() -> list[Path]:
    own = os.environ.get("KONTRAST_WORDS")
    return [*([Path(own)] if own else []), FOLDER]


@lru_cache
def declared(language: str) -> dict[str, Any]:
    """What the language's file declares; nothing for a language without one.

    >>> declared("es")["negation"]["words"], declared("xx")
    (['no'], {})
    """
    for folder in _folders():
        path = folder / f"{language}.toml"
        if path.is_file():
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


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(path, f"is not TOML: {error}") from error


def languages_declared() -> list[str]:
    """The languages that have a file, but for those that are only translated from."""
    found = {path.stem for folder in _folders() if folder.is_dir() for path in folder.glob("*.toml")}
    return sorted(language for language in found if declared(language))
