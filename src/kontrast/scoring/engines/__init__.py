"""Engines by name, one file each, imported when asked for."""

from __future__ import annotations

import importlib
from typing import Any

from kontrast.errors import KontrastError
from kontrast.scoring.engine import Engine, EngineOptions, SuiteEngine

__all__ = ["ENGINES", "load_engine"]

ENGINES = {
    "hf": "Transformers models, encoder-decoder or decoder-only: a local folder or a hub name",
    "ct2": "CTranslate2 models: a converted folder",
    "marian": "Marian models, scored by pymarian or the marian-scorer program",
    "openai": "any OpenAI-compatible server that gives log-probabilities of the prompt",
    "command": "any program: rows in as TSV, one score per line out",
    "file": "scores made elsewhere, one per row",
}


def load_engine(model: str, options: EngineOptions | None = None) -> Engine | SuiteEngine:
    """The engine that ``ENGINE:NAME`` names; ``tiny`` is the model inside the package.

    >>> load_engine("nmt:x")
    Traceback (most recent call last):
    kontrast.errors.KontrastError: --model nmt:x: expected ENGINE:NAME with hf, ct2, marian, openai, command, file
    """
    name, colon, rest = ("hf:kontrast-tiny" if model == "tiny" else model).partition(":")
    if not colon or name not in ENGINES or not rest:
        meant = f"; did you mean hf:{model}?" if not colon and model else ""
        raise KontrastError(f"--model {model}: expected ENGINE:NAME with {', '.join(ENGINES)}{meant}")
    module: Any = importlib.import_module(f"kontrast.scoring.engines.{name}")
    engine: Engine | SuiteEngine = module.load(rest, options or EngineOptions())
    return engine
