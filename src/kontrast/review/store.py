"""The review in SQLite: entries, decisions, annotators. A decision is on the disk before anyone is told of it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
import numpy as np

from kontrast.errors import InputError, KontrastError
from kontrast.review.entries import ReviewEntry
from kontrast.review.index import (
    ACCEPTED,
    CHANGED,
    FINAL,
    OPEN,
    REJECTED,
    STATUS,
    Filter,
    Index,
    Places,
    searchable,
    searched,
    source_hash,
)
from kontrast.suites.model import Item

T = TypeVar("T")
VERSION = "1"
FILLED = 5_000
"""Items whose words are taken in at once: a decision waits for no more."""
Verb = Literal["accept", "reject", "clear"]


class ReviewDecision(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one annotator said of one entry. ``text`` is the candidate as changed, where it was.

    ``number`` grows with every decision of the review: the page sends the one that it saw, so that two tabs do not
    overwrite each other.
    """

    number: int
    entry: int
    annotator: int
    made_by: int
    status: str
    at: str
    text: str | None = None
    reason: str = ""
    note: str = ""
    seconds: float | None = None
    digest: str = ""


class ConflictError(KontrastError):
    """The entry was decided elsewhere since the page looked; ``current`` is what stands."""

    def __init__(self, message: str, current: ReviewDecision | None) -> None:
        super().__init__(message)
        self.current = current


class ReviewStore:
    """A review on disk, with its `Index` in memory."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        fresh = not self.path.exists()
        if fresh:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch(mode=0o600)
        self._turn = threading.Lock()
        try:
            self._connection = _connect(self.path)
            if fresh or not self.write(lambda c: c.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]):
                script = resources.files(__package__).joinpath("schema.sql").read_text("utf-8")
                script = f"BEGIN IMMEDIATE;{script}INSERT INTO meta VALUES ('version', '{VERSION}');"
                self.write(lambda c: c.executescript(script))  # it ends what `write` began
        except sqlite3.OperationalError as error:
            raise _unwritable(self.path, error) from error
        except sqlite3.DatabaseError as error:
            raise InputError(self.path, f"is not a review store ({error})") from error
        if (version := self.get("version")) != VERSION:
            raise InputError(self.path, f"expected a review store of version {VERSION}, found {version}")
        self._local = threading.local()
        self._searched: tuple[str, int, Places] | None = None
        self.index = Index()
        self.reload()

    def write(self, work: Callable[[sqlite3.Connection], T], after: Callable[[T], None] | None = None) -> T:
        """The result of ``work``, done whole or not at all, once it is on the disk; one piece of work at a time.

        ``after`` runs in order, behind the commit: nobody is answered before it.
        """
        with self._turn:
            connection = self._connection
            try:
                connection.execute("BEGIN IMMEDIATE")
                try:
                    result = work(connection)
                    connection.execute("COMMIT")
                except BaseException:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise
            except sqlite3.OperationalError as error:
                raise _unwritable(self.path, error) from error
            if after is not None:
                after(result)
            return result

    def close(self) -> None:
        with self._turn:
            self._connection.close()

    @property
    def reader(self) -> sqlite3.Connection:
        """This thread's own connection."""
        found: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if found is None:
            found = self._local.connection = _connect(self.path)
        return found

    def get(self, key: str) -> str | None:
        query = "SELECT value FROM meta WHERE key = ?"
        row = self.write(lambda c: c.execute(query, (key,)).fetchone())
        return row[0] if row else None

    def put(self, **values: str) -> None:
        def work(connection: sqlite3.Connection) -> None:
            connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())

        self.write(work)

    def reload(self) -> None:
        """Fill the index from the tables."""
        reader = _connect(self.path)
        entries = reader.execute(f"SELECT {_COLUMNS} FROM entry ORDER BY number")
        current = reader.execute(
            "SELECT c.annotator, c.entry, d.status FROM current c JOIN decision d ON d.number = c.decision"
        ).fetchall()
        self.index.load(entries, [tuple(row) for row in current])
        reader.close()

    def follow(self, item: int) -> None:
        """Bring the index to what the tables have of one item, without reading the rest."""
        rows = self.reader.execute(f"SELECT {_COLUMNS} FROM entry WHERE item = ?", (item,)).fetchall()
        self.index.put(rows)
        for row in rows:
            for annotator in list(self.index.status):
                self._mark(row["number"], annotator, self.current(row["number"], annotator))

    def same_source(self, source: str) -> list[ReviewEntry]:
        """Entries that have exactly this source and are not gone, at most a few."""
        query = f"{_ENTRIES} WHERE i.source = ? AND NOT e.gone LIMIT 20"
        rows = self.reader.execute(query, (source_hash(source),))
        return [entry for entry in map(_entry, rows) if entry.item.source == source]

    def entry(self, number: int) -> ReviewEntry:
        return _entry(self.reader.execute(f"{_ENTRIES} WHERE e.number = ?", (number,)).fetchone())

    def entries(self, places: Places | None = None) -> Iterator[tuple[int, ReviewEntry]]:
        """Those at these places in that order, or all that are not gone in the order of the file."""
        if places is not None:
            yield from ((n, self.entry(n)) for n in places.tolist())
            return
        rows = self.reader.execute(f"{_ENTRIES} WHERE NOT e.gone ORDER BY e.place, e.number")
        yield from ((row["number"], _entry(row)) for row in rows)

    def fill(self, stop: threading.Event | None = None) -> None:
        """Take the words of all new items into the index of words, a few items at a time."""
        while unsearched(self.reader) is not None and not (stop and stop.is_set()):
            self.write(_fill)

    def search(self, words: str) -> Places | None:
        """Entries whose item has words that begin so, in any of its texts; None where nothing is searched for.

        It waits until the words of all items are in the index.
        """
        query = searched(words)
        if not query:
            return None
        if self._searched is None or self._searched[:2] != (query, self.index.version):
            version, items = self.index.version, self.index.items
            self.fill()
            # One text of all numbers is read much faster than a row for each.
            sql = "SELECT group_concat(rowid) FROM words WHERE words MATCH ?"
            found = self.reader.execute(sql, (query,)).fetchone()[0] or ""
            hits = np.zeros(int(items.max(initial=0)) + 1, np.bool_)
            numbers = np.fromstring(found, dtype=np.int64, sep=",")
            hits[numbers[numbers < len(hits)]] = True
            self._searched = query, version, np.flatnonzero(hits[items])
        return self._searched[2]

    def view(self, chosen: Filter, annotator: int) -> Places:
        return self.index.view(chosen, annotator, self.search(chosen.search))

    def annotator(self, name: str) -> int:
        """The number of the annotator called so, new or known."""
        name = " ".join(name.split())
        if not name or len(name) > 80:
            raise KontrastError("an annotator's name has 1 to 80 characters")
        row = self.reader.execute("SELECT number FROM annotator WHERE name = ?", (name,)).fetchone()
        if row:
            return int(row[0])

        def work(connection: sqlite3.Connection) -> int:
            connection.execute("INSERT OR IGNORE INTO annotator (name) VALUES (?)", (name,))
            return int(connection.execute("SELECT number FROM annotator WHERE name = ?", (name,)).fetchone()[0])

        return self.write(work)

    def annotators(self) -> dict[int, str]:
        """Everyone who decided something, by number; not the adjudicated decision."""
        names = self.names()
        return {number: names[number] for number in self.index.readers()}

    def names(self) -> dict[int, str]:
        """Everyone who ever said a name, by number."""
        return {row[0]: row[1] for row in self.reader.execute("SELECT number, name FROM annotator")}

    def name(self, annotator: int) -> str:
        row = self.reader.execute("SELECT name FROM annotator WHERE number = ?", (annotator,)).fetchone()
        return str(row[0]) if row else ""

    def current(self, entry: int, annotator: int) -> ReviewDecision | None:
        return _current(self.reader, entry, annotator)

    def standing(self) -> Iterator[ReviewDecision]:
        """Every decision on an entry that is there, by entry and annotator; adjudicated ones (annotator 0) first."""
        rows = self.reader.execute(
            f"SELECT {_DECISION} FROM current c JOIN decision d ON d.number = c.decision "
            "JOIN entry e ON e.number = c.entry WHERE NOT e.gone ORDER BY c.entry, c.annotator"
        )
        yield from map(_decision, rows)

    def decide(
        self,
        entry: int,
        annotator: int,
        verb: Verb,
        *,
        seen: int | None = None,
        text: str | None = None,
        reason: str = "",
        note: str = "",
        seconds: float | None = None,
        made_by: int | None = None,
    ) -> ReviewDecision | None:
        """Keep a decision and return it once it is on the disk; ``clear`` takes one back and returns None.

        ``seen`` is the number of the decision that the page showed for the entry (0: none); where another stands by
        now this is a `ConflictError`. None decides in any case.
        """
        if not 0 <= entry < len(self.index):
            raise KontrastError(f"there is no entry {entry}")
        maker = annotator if made_by is None else made_by

        def work(connection: sqlite3.Connection) -> ReviewDecision | None:
            standing = _current(connection, entry, annotator)
            if seen is not None and (standing.number if standing else 0) != seen:
                raise ConflictError("this entry was decided in another tab in the meantime", standing)
            if annotator != FINAL and _current(connection, entry, FINAL):
                raise ConflictError("this entry is adjudicated; annotators can no longer change it", standing)
            row = connection.execute("SELECT digest, variant, item FROM entry WHERE number = ?", (entry,)).fetchone()
            status = OPEN if verb == "clear" else ACCEPTED if verb == "accept" else REJECTED
            if status == ACCEPTED and text is not None:
                status = CHANGED
            cursor = connection.execute(
                "INSERT INTO decision (entry, annotator, made_by, status, text, reason, note, seconds, at, digest) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (entry, annotator, maker, status, text, reason, note, seconds, now(), row["digest"]),
            )
            _stand(connection, entry, annotator, None if status == OPEN else cursor.lastrowid)
            return _current(connection, entry, annotator)

        return self.write(work, lambda made: self._mark(entry, annotator, made))

    def undo(self, made_by: int) -> tuple[int, ReviewDecision | None] | None:
        """Take back this person's last decision that is not undone: its entry, and what stands there now."""

        def work(connection: sqlite3.Connection) -> tuple[int, int, ReviewDecision | None] | None:
            row = connection.execute(
                "SELECT number, entry, annotator FROM decision WHERE made_by = ? AND NOT undone "
                "ORDER BY number DESC LIMIT 1",
                (made_by,),
            ).fetchone()
            if row is None:
                return None
            entry, annotator = row["entry"], row["annotator"]
            if annotator != FINAL and _current(connection, entry, FINAL):
                raise ConflictError("the last decision has been adjudicated and cannot be undone", None)
            connection.execute("UPDATE decision SET undone = 1 WHERE number = ?", (row["number"],))
            before = connection.execute(
                "SELECT d.number, d.status FROM decision d JOIN entry e ON e.number = d.entry WHERE d.entry = ? "
                "AND d.annotator = ? AND NOT d.undone AND d.digest = e.digest ORDER BY d.number DESC LIMIT 1",
                (entry, annotator),
            ).fetchone()
            _stand(connection, entry, annotator, before["number"] if before and before["status"] else None)
            return entry, annotator, _current(connection, entry, annotator)

        found = self.write(work, lambda made: self._mark(made[0], made[1], made[2]) if made else None)
        return (found[0], found[2]) if found else None

    def _mark(self, entry: int, annotator: int, made: ReviewDecision | None) -> None:
        self.index.mark(annotator, entry, STATUS.index(made.status) if made else OPEN)


_ENTRIES = (
    "SELECT e.number, e.key, e.variant, e.part, e.forms, e.pair, i.record "
    "FROM entry e JOIN item i ON i.number = e.item"
)
_COLUMNS = "number, key, item, phenomenon, part, confidence, place, gone, authored"
_DECISION = "d.number, d.entry, d.annotator, d.made_by, d.status, d.at, d.text, d.reason, d.note, d.seconds, d.digest"


def _connect(path: Path) -> sqlite3.Connection:
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


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def unsearched(connection: sqlite3.Connection) -> int | None:
    """The first item whose words are not yet in the index; None where all are."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'unsearched'").fetchone()
    return int(row[0]) if row else None


def _fill(connection: sqlite3.Connection) -> None:
    first = unsearched(connection)
    if first is None:
        return
    query = "SELECT number, record FROM item WHERE number >= ? ORDER BY number LIMIT ?"
    rows = connection.execute(query, (first, FILLED)).fetchall()
    texts = ((number, searchable(msgspec.json.decode(record, type=Item))) for number, record in rows)
    connection.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", texts)
    if rows:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'unsearched'", (str(rows[-1]["number"] + 1),))
    else:
        connection.execute("DELETE FROM meta WHERE key = 'unsearched'")


def _decision(row: Any) -> ReviewDecision:
    values = dict(zip(row.keys(), row, strict=True))
    return ReviewDecision(**values | {"status": STATUS[values["status"]]})


def _current(connection: sqlite3.Connection, entry: int, annotator: int) -> ReviewDecision | None:
    row = connection.execute(
        f"SELECT {_DECISION} FROM current c JOIN decision d ON d.number = c.decision "
        "WHERE c.annotator = ? AND c.entry = ?",
        (annotator, entry),
    ).fetchone()
    return _decision(row) if row else None


def _stand(connection: sqlite3.Connection, entry: int, annotator: int, decision: int | None) -> None:
    if decision is None:
        connection.execute("DELETE FROM current WHERE annotator = ? AND entry = ?", (annotator, entry))
    else:
        connection.execute("INSERT OR REPLACE INTO current VALUES (?, ?, ?)", (annotator, entry, decision))


def _entry(row: Any) -> ReviewEntry:
    item = msgspec.json.decode(row["record"], type=Item)
    forms = msgspec.json.decode(row["forms"], type=tuple[str, ...])
    pair = msgspec.json.decode(row["pair"], type=tuple[int, int]) if row["pair"] else None
    return ReviewEntry(row["key"], item, row["variant"], row["part"], forms, pair)
