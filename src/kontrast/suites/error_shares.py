"""How often errors of each kind occur in outputs that people marked: ``data/mix.toml``, by ``tools/error_mix.py``."""

import hashlib
import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

RARE = 1.0
"""Per thousand: what a kind counts at least."""


def _text() -> str:
    return resources.files("kontrast").joinpath("data", "mix.toml").read_text("utf-8")


@cache
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(_text())


def shares_digest() -> str:
    """Changes with the table."""
    return hashlib.blake2b(_text().encode(), digest_size=4).hexdigest()


def kind_of_error(name: str) -> str | None:
    """The kind in the table that an error is of; None where the table has none."""
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
