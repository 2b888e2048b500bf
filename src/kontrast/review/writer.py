"""One writer at a time: each piece of work is whole or not at all, and nobody is answered before its commit."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from kontrast.errors import InputError

T = TypeVar("T")


def connect(path: Path) -> sqlite3.Connection:
    """A connection in autocommit mode; a commit is on the disk when it returns."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA cache_size = -65536")  # 64 MB
    return connection


def _unwritable(path: Path, error: Exception) -> InputError:
    """A full disk, a store that another program holds: what was committed before stays."""
    return InputError(path, f"cannot be read or written ({error}); earlier decisions are kept")


class Writer:
    """Runs pieces of work one after the other, each in a transaction of its own."""

    def __init__(self, path: Path) -> None:
        self.path, self._turn = path, threading.Lock()
        try:
            self._connection = connect(path)
        except sqlite3.OperationalError as error:
            raise _unwritable(path, error) from error

    def do(self, work: Callable[[sqlite3.Connection], T], after: Callable[[T], None] | None = None) -> T:
        """The result of ``work`` once it is on the disk; ``after`` runs in order, behind the commit."""
        with self._turn:
            try:
                result = self._committed(work)
            except sqlite3.OperationalError as error:
                raise _unwritable(self.path, error) from error
            if after is not None:
                after(result)
            return result

    def close(self) -> None:
        with self._turn:
            self._connection.close()

    def _committed(self, work: Callable[[sqlite3.Connection], T]) -> T:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            result = work(self._connection)
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        return result
