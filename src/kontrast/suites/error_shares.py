"""How often errors of each kind occur in outputs that people marked: ``data/mix.toml``, by ``tools/error_mix.py``.

The kind of an error stands where the error is written: in ``@error`` (``building/errors``), or in a word file.
"""

import hashlib
import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from kontrast.errors import KontrastError
from kontrast.language.words import declared, languages_declared

RARE = 1.0
"""Per thousand: what a kind counts at least."""


_HOME = Path(__file__).resolve().parents[1]
_ERROR = re.compile(r'^@error\(\s*"(\w+)"[^@]*?^def (\w+)\(', re.MULTILINE)


@cache
def _text() -> str:
    return (_HOME / "data" / "mix.toml").read_text("utf-8")


@cache
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(_text())


def error_kinds() -> tuple[str, ...]:
    """The kinds of the table; every error is of one of them."""
    return tuple(_table()["kinds"])


@cache
def declared_kinds() -> dict[str, str]:
    """The kinds of all errors that kontrast makes, by name; the code is read, not run."""
    sources = (path.read_text("utf-8") for path in sorted(_HOME.glob("building/errors/*/*.py")))
    found = {name: kind for text in sources for kind, name in _ERROR.findall(text)}
    own = set(found)
    for language in languages_declared():
        for name, section in declared(language).get("errors", {}).items():
            if name in own or found.setdefault(name, section["kind"]) != section["kind"]:
                raise KontrastError(f"[errors.{name}] of {language!r}: there is another error of this name")
    return found


def shares_digest() -> str:
    """Changes with the table and the kinds."""
    text = f"{_text()}{sorted(declared_kinds().items())}"
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()


def kind_of_error(name: str) -> str | None:
    """The kind in the table that an error is of; None where it is of none."""
    if name in declared_kinds():
        return declared_kinds()[name]
    for kind, names in _table()["types"].items():
        if any(name == each or (each.endswith("_") and name.startswith(each)) for each in names):
            return str(kind)
    return name if name in _table()["kinds"] else None


def largest_share(name: str, usual: float) -> float:
    """The largest share that an error has of a suite: less for those that every system tells."""
    return min(usual, float(_table()["most"].get(name, usual)))


def real_shares(types: Iterable[str]) -> dict[str, float]:
    """How often each error occurs beside the others; the errors of one kind share what it has."""
    kinds, found = _table()["kinds"], {name: kind_of_error(name) or name for name in types}
    together = Counter(found.values())
    weights = {name: max(kinds.get(kind, 0), RARE) / together[kind] for name, kind in found.items()}
    return {name: weight / sum(weights.values()) for name, weight in weights.items()}
