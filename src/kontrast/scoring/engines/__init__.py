"""Engines by name, one file each, imported when used. Other packages add theirs (``kontrast.engines``)."""

from __future__ import annotations

import importlib
from difflib import get_close_matches
from typing import Any

from kontrast.errors import KontrastError
from kontrast.plugins import loaded_plugin, plugin_names, plugin_package
from kontrast.scoring.engine import Engine, EngineOptions, SuiteEngine

ENGINES = ("hf", "ct2", "marian", "openai", "sglang", "command", "file")


def load_engine(model: str, options: EngineOptions | None = None) -> Engine | SuiteEngine:
    """The engine that ``ENGINE:NAME`` names; ``tiny`` is the model inside the package.

    >>> load_engine("nmt:x")
    Traceback (most recent call last):
    kontrast.errors.KontrastError: --model nmt:x: expected ENGINE:NAME with hf, ct2, marian, openai, sglang, \
command, file
    """
    name, colon, rest = ("hf:kontrast-tiny" if model == "tiny" else model).partition(":")
    added = plugin_names("engines", ENGINES)
    if not colon or name not in (*ENGINES, *added) or not rest:
        near = "tiny" if get_close_matches(model, ["tiny"]) else f"hf:{model}"
        meant = f"; did you mean {near}?" if not colon and model else ""
        raise KontrastError(f"--model {model}: expected ENGINE:NAME with {', '.join((*ENGINES, *added))}{meant}")
    if name in ENGINES:
        module: Any = importlib.import_module(f"kontrast.scoring.engines.{name}")
    elif (module := loaded_plugin("engines", name)) is None:
        raise KontrastError(f"--model {model}: the engine {name} of {plugin_package('engines', name)} is broken")
    engine: Engine | SuiteEngine = module.load(rest, options or EngineOptions())
    return engine


def engine_package(model: str | Engine | SuiteEngine) -> dict[str, str]:
    """The package that adds the engine of ``ENGINE:NAME``, for the signature: its version can change a number."""
    name = model.partition(":")[0] if isinstance(model, str) else model.name
    return {"package": plugin_package("engines", name)} if name in plugin_names("engines", ENGINES) else {}
