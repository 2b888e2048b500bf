"""What is kept of earlier runs: look into the store, export it, forget parts of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kontrast.errors import KontrastError
from kontrast.record import Record
from kontrast.scoring.store import ModelUse, Pruned, Store, open_existing


class StoreInfo(Record, frozen=True):
    """Where the store is, its size, and what it holds of each model."""

    path: str
    bytes: int
    models: list[ModelUse]


def store_info(store: Store | str | Path | None = None) -> StoreInfo:
    """How many rows of which models, as `kontrast store info` shows it.

    >>> import tempfile
    >>> import kontrast
    >>> kontrast.store_info(kontrast.Store(Path(tempfile.mkdtemp()) / "scores.sqlite")).models
    []
    """
    opened = _open(store)
    return StoreInfo(str(opened.path), opened.path.stat().st_size, opened.info())


def store_export(store: Store | str | Path | None = None, *, model: str | None = None) -> Iterator[dict[str, Any]]:
    """Every stored row, or those of one model, as `kontrast store export` writes them.

    >>> import tempfile
    >>> import kontrast
    >>> store = kontrast.Store(Path(tempfile.mkdtemp()) / "scores.sqlite")
    >>> [(row["model"], row["target"]) for row in kontrast.store_export(store)]
    []
    """
    return _holding(store, model).export(model)


def store_prune(
    store: Store | str | Path | None = None, *, model: str | None = None, unused: float | None = None
) -> Pruned:
    """Forget a model, or what was not used for so many days, as `kontrast store prune` does.

    >>> import tempfile
    >>> import kontrast
    >>> store = kontrast.Store(Path(tempfile.mkdtemp()) / "scores.sqlite")
    >>> kontrast.store_prune(store, unused=90).rows
    0
    """
    return _holding(store, model).prune(model=model, unused_days=unused)


def _open(store: Store | str | Path | None) -> Store:
    return store if isinstance(store, Store) else open_existing(store)


def _holding(store: Store | str | Path | None, model: str | None) -> Store:
    """The store, which must know the model if one is named."""
    opened = _open(store)
    known = opened.info()
    if model is not None and not any(m.name == model or m.fingerprint.startswith(model) for m in known):
        there = ", ".join(dict.fromkeys(m.name for m in known)) or "none"
        raise KontrastError(f"{opened.path}: there is no model {model!r} in it; there are {there}")
    return opened
