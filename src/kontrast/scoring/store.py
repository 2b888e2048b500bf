"""Where scores and translations are kept: one SQLite file, written as groups finish: nothing is made twice.

A key is the engine, the model's fingerprint and the rendered text; several runs may read and write at once. Every row
has a checksum, and remembers the plan that it was scored in (see `kontrast.scoring.run`).
"""

from __future__ import annotations

import hashlib
import math
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from kontrast.errors import KontrastError
from kontrast.io.files import note_input
from kontrast.progress import say
from kontrast.record import Record
from kontrast.scoring.engine import Identity
from kontrast.scoring.tables import SCHEMA, VERSION, held_by, hold, register
from kontrast.scoring.translator import Translation
from kontrast.suites.model import TokenScores

_NAMED = "?1 IS NULL OR name = ?1 OR substr(fingerprint, 1, length(?1)) = ?1"
_PART = 500
_SECONDS = 0.5
"""Results are written so often, and not each for itself."""
_ROW = "key, model, plan, source, prefix, target, value, checksum"
_DAMAGED = sqlite3.Error, UnicodeDecodeError, MemoryError
"""What SQLite raises on damaged files; names that are no text and sizes that are none come as the last two."""


Value = TypeVar("Value", TokenScores, Translation)
K = TypeVar("K")
V = TypeVar("V")


class StoreError(KontrastError):
    """The store cannot be read or written; what was stored before stays."""


class StoreKey(msgspec.Struct, frozen=True, gc=False):
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


class Pruned(Record, frozen=True):
    """What `Store.prune` did: rows forgotten, and the models that were left because a run is using them."""

    rows: int
    in_use: tuple[str, ...] = ()


def default_path() -> Path:
    """``KONTRAST_STORE``, else ``kontrast/scores.sqlite`` in the user's cache folder."""
    given = os.environ.get("KONTRAST_STORE")
    if given:
        return Path(given)
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "kontrast" / "scores.sqlite"


class Store:
    """An open score cache; call `use` with a model before reading or adding rows."""

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = Path(path) if path is not None else default_path()
        self.model, self.seed, self.note = 0, b"", 0
        with self._clear("cannot be opened"):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.connection = sqlite3.connect(self.path, timeout=60, isolation_level=None)
            try:
                self.connection.execute("PRAGMA journal_mode=WAL")
                self.connection.execute("PRAGMA synchronous=NORMAL")
                self.connection.execute("PRAGMA foreign_keys=ON")
                self._upgrade()
            except BaseException:  # else it would stay open, with its locks, as long as the error is held
                self.connection.close()
                raise
            note_input(self.path)

    def use(self, engine: str, name: str, identity: Identity) -> str:
        """From here on rows belong to this model, which is held until `close`; gives its fingerprint in the store."""
        with self._clear("cannot be written"), self._transaction():
            self.model, fingerprint = register(self.connection, engine, name, identity)
            self._release()
            self.note = hold(self.connection, self.model)
        self.seed = f"{engine}\0{fingerprint}\0".encode()
        return fingerprint

    def find(self, entries: Sequence[StoreKey], kind: type[Value]) -> dict[StoreKey, tuple[Value, bytes]]:
        """Those of the entries that are already done, with the plan that each was made in.

        Damaged rows and numbers that are not finite are dropped.
        """
        found: dict[StoreKey, tuple[Value, bytes]] = {}
        damaged: list[bytes] = []
        with self._clear("cannot be read"):
            for start in range(0, len(entries), _PART):
                keys = {self._key(entry): entry for entry in entries[start : start + _PART]}
                marks = ",".join("?" * len(keys))
                query = f"SELECT {_ROW} FROM scores WHERE key IN ({marks})"
                for row in self.connection.execute(query, list(keys)):
                    value = _sound(row, kind)
                    if value is None:
                        damaged.append(row[0])
                    else:
                        found[keys[row[0]]] = value, row[2]
        if damaged:
            with self._clear("cannot be written"), self._transaction():
                self.connection.executemany("DELETE FROM scores WHERE key = ?", [(key,) for key in damaged])
            say(f"{len(damaged):,} rows of the store {self.path} are damaged: they are deleted and scored again")
        return found

    def add(self, rows: Iterable[tuple[StoreKey, Value]], plan: bytes = b"") -> None:
        """Keep finished rows, all or none of them."""
        values: list[tuple[Any, ...]] = []
        for entry, value in rows:
            text: tuple[str | bytes, ...] = (entry.source, entry.prefix, entry.target, msgspec.msgpack.encode(value))
            values.append(_signed((self._key(entry), self.model, plan, *text)))
        with self._clear("cannot be written"), self._transaction():
            marks = ", ".join("?" * (_ROW.count(",") + 1))
            self.connection.executemany(f"INSERT OR IGNORE INTO scores ({_ROW}) VALUES ({marks})", values)

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
        damaged = 0
        with self._clear("cannot be read"):
            for engine, name, fingerprint, *row in self.connection.execute(
                f"SELECT engine, name, fingerprint, {_ROW} FROM scores, models "
                f"WHERE id = model AND ({_NAMED}) ORDER BY models.id, key",
                (model,),
            ):
                value = _sound(tuple(row), TokenScores) or _sound(tuple(row), Translation)
                if value is None:
                    damaged += 1
                    continue
                yield {
                    "engine": engine,
                    "model": name,
                    "fingerprint": fingerprint,
                    "source": row[3],
                    "prefix": row[4],
                    "target": row[5],
                    **msgspec.to_builtins(value),
                }
        if damaged:
            say(f"{damaged:,} damaged rows of the store {self.path} were left out")

    def prune(self, *, model: str | None = None, unused_days: float | None = None) -> Pruned:
        """Forget models by name or fingerprint, or not used for so many days, unless a run is using them."""
        if model is None and unused_days is None:
            raise KontrastError("give --model NAME or --unused DAYS")
        if unused_days is not None and not unused_days >= 0:
            raise KontrastError(f"--unused: expected 0 days or more, found {unused_days:g}")
        before = None if unused_days is None else time.time() - unused_days * 86400
        rows, in_use = 0, []
        with self._clear("cannot be written"):
            with self._transaction():
                query = f"SELECT id, name FROM models WHERE ({_NAMED}) AND (?2 IS NULL OR used < ?2)"
                for number, name in self.connection.execute(query, (model, before)).fetchall():
                    if held_by(self.connection, number):
                        in_use.append(name)
                        continue
                    rows += self.connection.execute("DELETE FROM scores WHERE model = ?", (number,)).rowcount
                    self.connection.execute("DELETE FROM models WHERE id = ?", (number,))
            self.connection.execute("VACUUM")
        return Pruned(rows, tuple(in_use))

    def close(self) -> None:
        try:
            with suppress(*_DAMAGED):  # a note that stays is that of an ended process
                self._release()
        finally:
            self.connection.close()

    def _release(self) -> None:
        self.connection.execute("DELETE FROM holds WHERE rowid = ?", (self.note,))
        self.note = 0

    def _upgrade(self) -> None:
        """Make the tables. Keys of version 1 did not cover all that changes a number: its rows cannot be used."""
        with self._transaction():
            version = self.connection.execute("PRAGMA user_version").fetchone()[0]
            if version > VERSION:
                raise sqlite3.DatabaseError(f"it belongs to a newer kontrast, version {version} of the store")
            older = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'scores'"
            if version == 0 and self.connection.execute(older).fetchone()[0]:
                count = self.connection.execute("SELECT count(*) FROM scores").fetchone()[0]
                self.connection.execute("DROP TABLE scores")
                self.connection.execute("DROP TABLE models")
                say(f"the store {self.path} was written by an older kontrast: its {count:,} rows are deleted")
            if version < VERSION:
                for statement in SCHEMA:
                    self.connection.execute(statement)
                self.connection.execute(f"PRAGMA user_version={VERSION}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    def _key(self, entry: StoreKey) -> bytes:
        text = f"{entry.source}\0{entry.prefix}\0{entry.target}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(self.seed + text, digest_size=20).digest()

    @contextmanager
    def _clear(self, problem: str) -> Iterator[None]:
        try:
            yield
        except (OSError, *_DAMAGED) as error:
            hint = "stored rows are kept; free some space and repeat the command"
            if "full" not in str(error) and "I/O" not in str(error):
                hint = "choose another store with --store FILE, or use --no-store"
            why = str(error) or "it is damaged"
            raise StoreError(f"the store {self.path} {problem} ({why}): {hint}") from error


def open_existing(path: str | Path | None = None) -> Store:
    """The store at this place; an error where there is none."""
    place = Path(path) if path is not None else default_path()
    if not place.is_file():
        raise StoreError(f"there is no store at {place} yet; `kontrast score` makes one")
    return Store(place)


def portions(results: Iterable[dict[K, V]]) -> Iterator[dict[K, V]]:
    """What has come in half a second, joined. After an error what was finished before it comes first, then the error.

    >>> list(portions([{"a": 1}, {"b": 2}]))
    [{'a': 1, 'b': 2}]
    """
    pending: dict[K, V] = {}
    problem: BaseException | None = None
    last = time.perf_counter()
    try:
        for some in results:
            pending.update(some)
            if pending and time.perf_counter() - last > _SECONDS:
                yield pending
                pending, last = {}, time.perf_counter()
    except GeneratorExit:
        raise
    except BaseException as error:
        problem = error
    if pending:
        yield pending
    if problem is not None:
        raise problem


def _signed(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """The row with its checksum, which covers every column."""
    return (*row, hashlib.blake2b(msgspec.msgpack.encode(row), digest_size=8).digest())


def _sound(row: tuple[Any, ...], kind: type[Value]) -> Value | None:
    """The value of a row; None where it is not as it was written, or holds a number that is not finite."""
    try:
        if _signed(row[:-1]) != row:
            return None
        value = msgspec.msgpack.decode(row[-2], type=kind)
    except (msgspec.MsgspecError, UnicodeError, TypeError):
        return None
    if isinstance(value, TokenScores) and not (value.logprobs and math.isfinite(sum(value.logprobs))):
        return None
    return value
