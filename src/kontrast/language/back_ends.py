"""The lexicons, aligners and resolvers by name: ``data/back_ends.toml`` has the class of each, and what it brings."""

import importlib
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from kontrast.errors import KontrastError
from kontrast.io.toml_input import read_toml

Kind = Literal["lexicons", "aligners", "resolvers"]


class BackEnd(NamedTuple):
    """``languages`` are those of a lexicon that is not for any."""

    kind: Kind
    place: str
    told: str
    languages: str

    def load(self) -> Any:
        """Its class."""
        module, _, name = self.place.partition(".")
        return getattr(importlib.import_module(f"kontrast.language.{self.kind}.{module}"), name)


@cache
def back_ends(kind: Kind) -> dict[str, BackEnd]:
    """All of a kind."""
    found = read_toml(Path(__file__).resolve().parents[1] / "data" / "back_ends.toml")[kind]
    return {n: BackEnd(kind, each["class"], each["told"], each.get("languages", "any")) for n, each in found.items()}


def back_end(kind: Kind, name: str, hint: str = "") -> BackEnd:
    """The one of this name."""
    known = back_ends(kind)
    if name not in known:
        raise KontrastError(f"there is no {kind[:-1]} {name!r}; choose from {', '.join(known)}{hint}")
    return known[name]
