"""Into the store: what was read from the file, the first time and whenever the file has changed."""

from __future__ import annotations

import sqlite3

import msgspec

from kontrast.progress import progress
from kontrast.review.entries import ReviewEntry, ReviewFiles, lacks_context
from kontrast.review.index import searchable, source_hash
from kontrast.review.store import ReviewStore, unsearched
from kontrast.suites.model import Item, Suite


class Changes(msgspec.Struct, frozen=True):
    """What a reading brought: decisions on changed entries no longer stand (the log keeps them)."""

    added: int = 0
    changed: int = 0
    gone: int = 0
    reopened: int = 0

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.gone)

    def __str__(self) -> str:
        parts = [f"{self.added:,} new", f"{self.changed:,} changed", f"{self.gone:,} gone"]
        return f"{', '.join(parts)}; {self.reopened:,} decisions are open again"


def take_in(store: ReviewStore, reading: ReviewFiles, fingerprint: str | None) -> Changes:
    """Bring the store to what was read. An entry is known again by its key, unchanged if its digest is the same."""

    def work(connection: sqlite3.Connection) -> Changes:
        known = {
            row["key"]: row
            for row in connection.execute("SELECT key, number, item, digest, gone, authored FROM entry")
        }
        next_item = connection.execute("SELECT coalesce(max(number), -1) + 1 FROM item").fetchone()[0]
        connection.execute("INSERT OR IGNORE INTO meta VALUES ('unsearched', ?)", (str(next_item),))
        tally = {"added": 0, "changed": 0, "gone": 0, "reopened": 0}
        item: Item | None = None
        number, free = next_item - 1, len(known)
        seen: set[str] = set()
        without_context = 0
        for place, entry in enumerate(reading.entries):
            advance(1)
            seen.add(entry.key)
            without_context += lacks_context(entry.item)
            row, digest = known.get(entry.key), entry.digest
            if row is not None and row["authored"]:
                continue  # changed by hand in the app: that stands
            if row is not None and row["digest"] == digest:
                if row["gone"]:
                    tally["added"] += 1
                connection.execute(
                    "UPDATE entry SET place = ?, gone = 0, authored = 0 WHERE number = ?", (place, row["number"])
                )
                continue
            if entry.item is not item:
                item, number = entry.item, number + 1
                _insert_item(connection, number, entry.item)
            place_of = free if row is None else row["number"]
            _put(connection, place_of, entry, (number, digest, place, 0))
            if row is None:
                tally["added"] += 1
                free += 1
            else:
                tally["changed"] += 1
                tally["reopened"] += _reopen(connection, row["number"])
        for key, row in known.items():
            if key not in seen and not row["gone"] and not row["authored"]:
                tally["gone"] += 1
                connection.execute("UPDATE entry SET gone = 1 WHERE number = ?", (row["number"],))
        values = {
            "name": reading.name,
            "headers": msgspec.json.encode(reading.headers).decode(),
            "fingerprint": fingerprint or "",
            "without_context": str(without_context),
        }
        connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())
        return Changes(**tally)

    with progress("taking in", unit="candidates") as advance:
        changes = store.write(work)
    store.reload()
    return changes


def put_item(
    connection: sqlite3.Connection, entries: list[ReviewEntry], item: int | None, place: int, annotator: int, at: str
) -> int:
    """Add an item that was written by hand, or change one: its number. Its entries are ``authored``."""
    record, changed = entries[0].item, item is not None
    if item is None:
        item = int(connection.execute("SELECT coalesce(max(number), -1) + 1 FROM item").fetchone()[0])
    waiting = unsearched(connection)
    has_words = waiting is None or item < waiting
    if changed:
        before = connection.execute("SELECT record FROM item WHERE number = ?", (item,)).fetchone()[0]
        if has_words:
            old = searchable(msgspec.json.decode(before, type=Item))
            connection.execute("INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)", (item, old))
        connection.execute("DELETE FROM item WHERE number = ?", (item,))
    _insert_item(connection, item, record)
    if has_words:
        connection.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (item, searchable(record)))
    encoded = msgspec.json.encode(record)
    connection.execute(
        "INSERT INTO revision (item, annotator, at, record) VALUES (?, ?, ?, ?)", (item, annotator, at, encoded)
    )
    known = {row["key"]: row for row in connection.execute("SELECT * FROM entry WHERE item = ?", (item,))}
    size = connection.execute("SELECT coalesce(max(number), -1) + 1 FROM entry").fetchone()[0]
    for entry in entries:
        digest = entry.digest
        row = known.pop(entry.key, None)
        if row is None:
            _put(connection, size, entry, (item, digest, place, 1))
            size += 1
        elif row["digest"] != digest or row["gone"]:
            _reopen(connection, row["number"])
            _put(connection, row["number"], entry, (item, digest, row["place"], 1))
    for row in known.values():
        connection.execute("UPDATE entry SET gone = 1 WHERE number = ?", (row["number"],))
    return item


def headers(store: ReviewStore) -> dict[str, Suite]:
    """Each part's suite without its items."""
    return msgspec.json.decode(store.get("headers") or "{}", type=dict[str, Suite])


_NAMES = "key variant part phenomenon confidence document forms item digest place authored".split()
_PUT = (
    f"INSERT INTO entry (number, {', '.join(_NAMES)}, pair) VALUES (?{', ?' * len(_NAMES)}, ?) "
    f"ON CONFLICT (number) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in _NAMES)}, gone = 0, "
    "pair = coalesce(excluded.pair, pair)"
)


def _put(connection: sqlite3.Connection, number: int, entry: ReviewEntry, where: tuple[int, str, int, int]) -> None:
    """Add an entry or change one; ``where``: the number of its item, its digest, its place, and if it is authored."""
    forms, pair = (msgspec.json.encode(each).decode() if each else None for each in (entry.forms, entry.pair))
    seen = (entry.key, entry.variant, entry.part, entry.phenomenon, entry.confidence, entry.item.document)
    connection.execute(_PUT, (number, *seen, forms or "[]", *where, pair))


def _insert_item(connection: sqlite3.Connection, number: int, item: Item) -> None:
    connection.execute(
        "INSERT INTO item VALUES (?, ?, ?)", (number, msgspec.json.encode(item), source_hash(item.source))
    )


def _reopen(connection: sqlite3.Connection, entry: int) -> int:
    """Decisions on a text that is no longer there do not stand."""
    return connection.execute("DELETE FROM current WHERE entry = ?", (entry,)).rowcount
