"""What a language declares of its words beyond a lexicon: one TOML file, ``data/words/LANGUAGE.toml``.

``KONTRAST_WORDS`` names a folder with files of the user's own, which go before those of the package.
"""

from __future__ import annotations

import os
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from kontrast.errors import InputError

__all__ = ["declared", "languages_declared"]

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
            try:
                return tomllib.loads(path.read_text("utf-8"))
            except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
                raise InputError(path, f"is not TOML: {error}") from error
    return {}


def languages_declared() -> list[str]:
    """The languages that have a file."""
    return sorted({path.stem for folder in _folders() if folder.is_dir() for path in folder.glob("*.toml")})
