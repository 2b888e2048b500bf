"""Who resolves pronouns: one file per back end, chosen by name; ``salience`` by default."""

import importlib
from pathlib import Path
from typing import Any

from kontrast.errors import KontrastError
from kontrast.language.coreference import Resolver

BACK_ENDS = {
    "salience": ("rules over the parse (default)", "salience.Salience"),
    "fastcoref": ("the neural model of the package fastcoref (needs its weights)", "neural.FastCoref"),
    "given": (
        "chains from JSON {document: [[[sentence, start, end], …], …]} or CoNLL-U with Entity brackets",
        "given.GivenChains",
    ),
}
"""What each is, and its class."""


def get(name: str = "salience", model: str | Path | None = None) -> Resolver:
    """The resolver of that name with its model or file; ``salience`` needs none."""
    if name not in BACK_ENDS:
        raise KontrastError(f"there is no resolver {name!r}; choose from {', '.join(BACK_ENDS)}")
    if name == "given" and model is None:
        raise KontrastError("the resolver 'given' needs a file of chains")
    module, _, kind = BACK_ENDS[name][1].partition(".")
    back_end: Any = getattr(importlib.import_module(f"{__name__}.{module}"), kind)
    made: Resolver = back_end(str(model)) if model and name != "salience" else back_end()
    return made
