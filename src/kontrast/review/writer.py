"""One thread that writes: what waits together is committed together, and nobody is answered before the commit."""

from __future__ import annotations

import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from kontrast.errors import InputError

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], Any]
After = Callable[[Any], None]
_Job = tuple[Work, After | None, "Future[Any]"]

MOST = 256


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
    return InputError(path, f"cannot be read or written ({error}); what was decided before is kept")


class Writer:
    """Runs pieces of work one after the other, each whole or not at all, many in one transaction."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._connection = connect(path)
        except sqlite3.OperationalError as error:
            raise _unwritable(path, error) from error
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="review-writer", daemon=True)
        self._thread.start()

    def do(self, work: Callable[[sqlite3.Connection], T], after: Callable[[T], None] | None = None) -> T:
        """The result of ``work`` once it is on the disk; ``after`` runs in order, behind the commit."""
        done: Future[T] = Future()
        self._jobs.put((work, after, done))
        try:
            return done.result()
        except sqlite3.OperationalError as error:
            raise _unwritable(self.path, error) from error

    def close(self) -> None:
        self._jobs.put(None)
        self._thread.join()
        self._connection.close()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            batch, last = [job], False
            while len(batch) < MOST and not last:
                try:
                    more = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if more is None:
                    last = True
                else:
                    batch.append(more)
            self._commit(batch)
            if last:
                return

    def _commit(self, batch: list[_Job]) -> None:
        results: list[tuple[Any, BaseException | None]] = []
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            for work, _, _ in batch:
                results.append(self._one(work))
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            results = [(None, error)] * len(batch)
        for (_, after, done), (result, failure) in zip(batch, results, strict=True):
            if failure is None and after is not None:
                try:
                    after(result)
                except Exception as error:
                    failure = error
            if failure is not None:
                done.set_exception(failure)
            else:
                done.set_result(result)

    def _one(self, work: Work) -> tuple[Any, BaseException | None]:
        self._connection.execute("SAVEPOINT work")
        try:
            result = work(self._connection)
        except Exception as error:
            self._connection.execute("ROLLBACK TO work")
            self._connection.execute("RELEASE work")
            return None, error
        self._connection.execute("RELEASE work")
        return result, None
