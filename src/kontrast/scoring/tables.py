"""The tables of the store, and its models: which are the same, and which a run is using.

Numbers of models are never used twice, so that a row cannot come to belong to another model.
"""

from __future__ import annotations

import os
import socket
import sqlite3
import struct
import time

from kontrast.scoring.engine import Identity
from kontrast.scoring.fingerprint import combine

VERSION = 2
SCHEMA = (
    """CREATE TABLE models (
        id INTEGER PRIMARY KEY AUTOINCREMENT, engine TEXT NOT NULL, name TEXT NOT NULL, fingerprint TEXT NOT NULL,
        known TEXT NOT NULL, answers BLOB NOT NULL, used REAL NOT NULL, UNIQUE (engine, fingerprint))""",
    """CREATE TABLE scores (
        key BLOB PRIMARY KEY, model INTEGER NOT NULL REFERENCES models (id), plan BLOB NOT NULL,
        source TEXT NOT NULL, prefix TEXT NOT NULL, target TEXT NOT NULL, value BLOB NOT NULL, checksum BLOB NOT NULL
        ) WITHOUT ROWID""",
    "CREATE INDEX scores_of_model ON scores (model)",
    """CREATE TABLE holds (
        model INTEGER NOT NULL REFERENCES models (id) ON DELETE CASCADE, host TEXT NOT NULL, process INTEGER NOT NULL,
        since REAL NOT NULL)""",
)
NEAR = 0.01
"""Mean difference up to which a server's answers count as the same: rounding and batches, not another model."""
DAY = 86400.0


def register(connection: sqlite3.Connection, engine: str, name: str, identity: Identity) -> tuple[int, str]:
    """(number, fingerprint) of the model: a known one with the same fingerprint and near answers, else a new one."""
    rows = connection.execute(
        "SELECT id, fingerprint, answers FROM models WHERE engine = ? AND known = ?", (engine, identity.fingerprint)
    )
    for number, fingerprint, answers in rows.fetchall():
        if near(_unpack(answers), identity.answers):
            connection.execute("UPDATE models SET used = ? WHERE id = ?", (time.time(), number))
            return number, fingerprint
    fingerprint = full_fingerprint(identity)
    values = (engine, name, fingerprint, identity.fingerprint, _pack(identity.answers), time.time())
    made = connection.execute(
        "INSERT INTO models (engine, name, fingerprint, known, answers, used) VALUES (?, ?, ?, ?, ?, ?)", values
    )
    return made.lastrowid or 0, fingerprint


def full_fingerprint(identity: Identity) -> str:
    """The fingerprint with the answers in it."""
    return combine(identity.fingerprint, identity.answers) if identity.answers else identity.fingerprint


def near(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Whether two sets of answers are of the same model.

    >>> near((-1.0, -2.0), (-1.001, -2.0)), near((-1.0, -2.0), (-1.3, -2.0)), near((-1.0,), ())
    (True, False, False)
    """
    if len(one) != len(other):
        return False
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) <= NEAR * len(one)


def hold(connection: sqlite3.Connection, model: int) -> int:
    """Note that this process uses the model; gives the number of the note."""
    values = (model, socket.gethostname(), os.getpid(), time.time())
    made = connection.execute("INSERT INTO holds (model, host, process, since) VALUES (?, ?, ?, ?)", values)
    return made.lastrowid or 0


def held_by(connection: sqlite3.Connection, model: int) -> list[int]:
    """Processes that use the model: alive where they run here, elsewhere within a day of their start."""
    here, now = socket.gethostname(), time.time()
    rows = connection.execute("SELECT host, process, since FROM holds WHERE model = ?", (model,)).fetchall()
    return [
        process
        for host, process, since in rows
        if (_alive(process) if host == here and os.name == "posix" else now - since < DAY)
    ]


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _pack(values: tuple[float, ...]) -> bytes:
    return struct.pack(f"<{len(values)}d", *values)


def _unpack(data: bytes) -> tuple[float, ...]:
    if not isinstance(data, bytes):  # SQLite keeps any type in any column
        raise sqlite3.DatabaseError("the answers of a model are damaged")
    return struct.unpack(f"<{len(data) // 8}d", data[: len(data) // 8 * 8])
