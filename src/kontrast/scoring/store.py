"""Where scores are kept: one SQLite file, written as groups finish, so that nothing is ever scored twice.

A key is the engine, the model's fingerprint and the rendered text; several runs may read and write at once.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.record import Record
from kontrast.suites.model import TokenScores

__all__ = ["Entry", "ModelUse", "Store", "StoreError", "default_path", "open_existing"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS models (
    id INTEGER PRIMARY KEY, engine TEXT NOT NULL, name TEXT NOT NULL, fingerprint TEXT NOT NULL, used REAL NOT NULL,
    UNIQUE (engine, fingerprint)
);
CREATE TABLE IF NOT EXISTS scores (
    key BLOB PRIMARY KEY, model INTEGER NOT NULL REFERENCES models (id),
    source TEXT NOT NULL, prefix TEXT NOT NULL, target TEXT NOT NULL, value BLOB NOT NULL
) WITHOUT ROWID;
"""
_NAMED = "?1 IS NULL OR name = ?1 OR substr(fingerprint, 1, length(?1)) = ?1"
_PART = 500


class StoreError(KontrastError):
    """The store cannot be read or written; what was stored before stays."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One target of one rendered source, as the model was given it."""

    source: str
    prefix: str
    target: str


class ModelUse(Record, frozen=True):
    """What the store holds of one model. ``used`` is a time in seconds since 1970."""

    engine: str
    name: str
    fingerprint: str
    rows: int
    used: float


def default_path() -> Path:
    """``KONTRAST_STORE``, else ``kontrast/scores.sqlite`` in the user's cache folder."""
    given = os.environ.get("KONTRAST_STORE")
    if given:
        return Path(given)
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "kontrast" / "scores.sqlite"


class Store:
    """An open store, bound to a model by `use` before rows are read or added."""

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = Path(path) if path is not None else default_path()
        self.model, self.seed = 0, b""
        with self._clear("cannot be opened"):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.connection = sqlite3.connect(self.path, timeout=60, isolation_level=None)
            self.connection.execute("PRAGMA journal_mode=WAL")
            self.connection.execute("PRAGMA synchronous=NORMAL")
            self.connection.executescript(_SCHEMA)

    def use(self, engine: str, name: str, fingerprint: str) -> None:
        """From here on rows belong to this model."""
        with self._clear("cannot be written"):
            self.connection.execute(
                "INSERT INTO models (engine, name, fingerprint, used) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (engine, fingerprint) DO UPDATE SET used = excluded.used",
                (engine, name, fingerprint, time.time()),
            )
            row = self.connection.execute(
                "SELECT id FROM models WHERE engine = ? AND fingerprint = ?", (engine, fingerprint)
            ).fetchone()
        self.model, self.seed = row[0], f"{engine}\0{fingerprint}\0".encode()

    def find(self, entries: Sequence[Entry]) -> dict[Entry, TokenScores]:
        """Those of the entries that are already scored."""
        found: dict[Entry, TokenScores] = {}
        with self._clear("cannot be read"):
            for start in range(0, len(entries), _PART):
                keys = {self._key(entry): entry for entry in entries[start : start + _PART]}
                marks = ",".join("?" * len(keys))
                query = f"SELECT key, value FROM scores WHERE key IN ({marks})"
                for key, value in self.connection.execute(query, list(keys)):
                    found[keys[key]] = msgspec.msgpack.decode(value, type=TokenScores)
        return found

    def add(self, rows: Iterable[tuple[Entry, TokenScores]]) -> None:
        """Keep finished rows, all or none of them."""
        values = [
            (self._key(entry), self.model, entry.source, entry.prefix, entry.target, msgspec.msgpack.encode(scores))
            for entry, scores in rows
        ]
        with self._clear("cannot be written"):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                self.connection.executemany("INSERT OR IGNORE INTO scores VALUES (?, ?, ?, ?, ?, ?)", values)
                self.connection.execute("COMMIT")
            except sqlite3.Error:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def info(self) -> list[ModelUse]:
        """What is held, most recently used first."""
        with self._clear("cannot be read"):
            rows = self.connection.execute(
                "SELECT engine, name, fingerprint, (SELECT count(*) FROM scores WHERE model = models.id), used "
                "FROM models ORDER BY used DESC"
            ).fetchall()
        return [ModelUse(*row) for row in rows]

    def export(self, model: str | None = None) -> Iterator[dict[str, Any]]:
        """Every row as a plain object; ``model`` is a name or the beginning of a fingerprint."""
        with self._clear("cannot be read"):
            for row in self.connection.execute(
                f"SELECT engine, name, fingerprint, source, prefix, target, value FROM scores, models "
                f"WHERE id = model AND ({_NAMED}) ORDER BY models.id, key",
                (model,),
            ):
                engine, name, fingerprint, source, prefix, target, value = row
                scores = msgspec.msgpack.decode(value, type=TokenScores)
                yield {
                    "engine": engine,
                    "model": name,
                    "fingerprint": fingerprint,
                    "source": source,
                    "prefix": prefix,
                    "target": target,
                    "tokens": scores.tokens,
                    "logprobs": scores.logprobs,
                }

    def prune(self, *, model: str | None = None, unused_days: float | None = None) -> int:
        """Forget models by name or fingerprint, or not used for so many days; gives the number of rows forgotten."""
        if model is None and unused_days is None:
            raise KontrastError("say what to forget: --model NAME or --unused DAYS")
        before = None if unused_days is None else time.time() - unused_days * 86400
        with self._clear("cannot be written"):
            ids = [
                row[0]
                for row in self.connection.execute(
                    f"SELECT id FROM models WHERE ({_NAMED}) AND (?2 IS NULL OR used < ?2)",
                    (model, before),
                )
            ]
            gone = 0
            for number in ids:
                gone += self.connection.execute("DELETE FROM scores WHERE model = ?", (number,)).rowcount
                self.connection.execute("DELETE FROM models WHERE id = ?", (number,))
            self.connection.execute("VACUUM")
        return gone

    def close(self) -> None:
        self.connection.close()

    def _key(self, entry: Entry) -> bytes:
        text = f"{entry.source}\0{entry.prefix}\0{entry.target}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(self.seed + text, digest_size=20).digest()

    @contextmanager
    def _clear(self, problem: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            hint = "what was stored is kept; free some space and run the same command again"
            if "full" not in str(error) and "I/O" not in str(error):
                hint = "choose another with --store FILE, or none with --no-store"
            raise StoreError(f"the store {self.path} {problem} ({error}): {hint}") from error


def open_existing(path: str | Path | None = None) -> Store:
    """The store at this place; an error where there is none."""
    place = Path(path) if path is not None else default_path()
    if not place.is_file():
        raise StoreError(f"there is no store at {place} yet; kontrast score makes one")
    return Store(place)
