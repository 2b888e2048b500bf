"""Writing items in the app: kept in the store at once, and in the file where the review began with a new one."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from itertools import count, groupby
from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.review.candidates import languages_of
from kontrast.review.drafts import Draft, DraftFinding, drafted, findings, made
from kontrast.review.entries import entries_of_item
from kontrast.review.index import Index
from kontrast.review.intake import put_item
from kontrast.review.session import Review
from kontrast.review.store import now
from kontrast.suites.formats import save
from kontrast.suites.model import Item, Suite


def begin(path: str | Path, pair: str) -> None:
    """Make a suite of no items, to be filled in the app."""
    place = Path(path)
    if place.exists():
        raise KontrastError(f"{path}: already exists; open it without --new")
    if not str(path).endswith(".jsonl"):
        raise KontrastError(f"{path}: the name of a new suite must end in .jsonl")
    save(Suite(place.name.removesuffix(".jsonl"), (), *languages_of(pair)), place)


def form(session: Review, key: str) -> dict[str, Any]:
    """An item for the form."""
    entry = session.store.entry(session.number(key))
    return {"key": entry.key, "draft": drafted(entry.item), "findings": checked(session, drafted(entry.item))}


def checked(session: Review, draft: Draft, key: str | None = None) -> list[DraftFinding]:
    """Lint of a draft, and whether the suite has the same item already."""
    found = findings(draft, *session.languages)
    own = session.store.entry(session.number(key)).item.id if key is not None else None
    for other in session.store.same_source(draft.source.strip()):
        if other.item.id != own:
            level = "warning" if other.item.best.text == draft.right.strip() else "note"
            found.append(DraftFinding("source", level, "same-source", f"{other.key} has the same source"))
            break
    return found


def keep(session: Review, drafts: Sequence[Draft], annotator: int, key: str | None = None) -> list[str]:
    """Add drafts to the review, or (one draft, with ``key``) change that entry's item: the keys of their entries."""
    for draft in drafts:
        if not draft.source.strip() or not draft.right.strip():
            raise KontrastError("an item needs a source and a right variant")
    store, index, part = session.store, session.store.index, next(iter(session.headers), "")
    before = store.entry(session.number(key)) if key is not None else None

    keys: list[str] = []

    def work(connection: sqlite3.Connection) -> list[int]:
        numbers: list[int] = []
        fresh: set[str] = set()
        for draft in drafts:
            number = int(index.items[index.number[before.key]]) if before is not None else None
            if before is not None:
                entries = entries_of_item(made(draft, before.item.id, before.item), before.part)
            else:
                entries = entries_of_item(made(draft, _free(draft.id, index, fresh, part)), part)
            for entry in entries:
                known = index.number.get(entry.key)
                if entry.key in fresh or (known is not None and index.items[known] != number):
                    raise KontrastError(f"another item has the key {entry.key!r}")
            place = int(index.place.max(initial=-1)) + 1 + len(numbers)
            numbers.append(put_item(connection, entries, number, place, annotator, now()))
            fresh |= {entry.key for entry in entries}
            keys.extend(entry.key for entry in entries)
        return numbers

    for number in store.writer.do(work):
        store.follow(number)
    _write(session)
    return keys


def _free(wanted: str, index: Index, fresh: set[str], part: str) -> str:
    """An id that no item has: the one wanted, or the next number."""

    def used(id: str) -> bool:
        key = f"{part}:{id}" if part else id
        return any(each in index.number or each in fresh for each in (key, f"{key}/1"))

    if wanted:
        if used(wanted):
            raise KontrastError(f"there is already an item {wanted!r}")
        return wanted
    return next(str(n) for n in count(int(index.items.max(initial=-1)) + 2) if not used(str(n)))


def remove(session: Review, key: str) -> None:
    """Take an item out of the review; the store keeps it and its decisions."""
    item = int(session.store.index.items[session.number(key)])

    def work(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE entry SET gone = 1, authored = 1 WHERE item = ?", (item,))

    session.store.writer.do(work)
    session.store.follow(item)
    _write(session)


def _write(session: Review) -> None:
    """Bring the file to what the review holds, where the file began here."""
    if session.store.get("ours") != "yes":
        return
    if session.stale:
        raise KontrastError(
            f"{session.path} has changed on disk; your items are kept in the review; read the file again"
        )
    items: list[Item] = []
    for _, pairs in groupby(session.store.entries(), key=lambda pair: int(session.store.index.items[pair[0]])):
        items.append(next(pairs)[1].item)
    header = next(iter(session.headers.values()))
    save(msgspec.structs.replace(header, items=tuple(items)), session.path)
    session.store.writer.do(lambda c: c.execute("UPDATE entry SET authored = 0"))
    session.wrote()
