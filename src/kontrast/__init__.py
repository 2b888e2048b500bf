"""kontrast: contrastive and compositional evaluation of machine translation.

Every command is a function here, loaded when it is first used.

>>> import kontrast
>>> suite = kontrast.Suite("tiny", ())
>>> suite.row_count
0
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from types import FunctionType
from typing import Any

__version__ = "0.2.0"

_STUB = Path(__file__).with_suffix(".pyi").read_text("utf-8")
_HOME = {name: home for home, name in re.findall(r"^from (\S+) import (\w+) as", _STUB, re.MULTILINE)}
"""The module of each public name, from the stub file: each name is written once."""

_WRITTEN = frozenset({"out", "items", "suspects"})
"""Arguments that name a file to be written."""

__all__ = ["__version__", *_HOME]


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'kontrast' has no attribute {name!r}")
    home = importlib.import_module(_HOME[name])
    value = getattr(home, name)
    if isinstance(value, FunctionType) and not _WRITTEN.isdisjoint(_arguments(value)):
        from kontrast.io.files import guarded

        value = guarded()(value)  # a call is a command: no output is an input
        setattr(home, name, value)  # one function under both names, so that it can be pickled
    globals()[name] = value
    return value


def _arguments(function: FunctionType) -> list[str]:
    """Their names, and those of the options that the function declares."""
    declared = function.__dict__.get("__signature__")
    return [*function.__code__.co_varnames, *(declared.parameters if declared else ())]
