"""Items written in the app: a form's fields, a pasted table, and what lint finds in them, field by field.

They are kept in the store at once, and in the file where the review began with a new one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import count, groupby
from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.io.tables import parse, refuse_repeated
from kontrast.review.entries import entries_of_item, languages_of
from kontrast.review.index import Index
from kontrast.review.intake import put_item
from kontrast.review.session import Review
from kontrast.review.store import now
from kontrast.suites.formats import save
from kontrast.suites.lint import checks, lint
from kontrast.suites.model import Item, Suite, Tags, Variant

ABOUT_SUITES = frozenset({"ignorant-scorers"})
"""Findings about a suite as a whole, which say nothing of one item."""
COLUMNS = ("source", "right", "wrong", "phenomenon", "context")
"""What a pasted table without a heading holds."""


class DraftFoil(msgspec.Struct, forbid_unknown_fields=True):
    """A wrong variant: its text and the error that it has."""

    text: str
    error: str = ""


class Draft(msgspec.Struct, forbid_unknown_fields=True):
    """An item as the form has it. Contexts have a sentence per line, oldest first."""

    source: str
    right: str
    wrong: list[DraftFoil]
    id: str = ""
    context: str = ""
    target_context: str = ""
    tags: dict[str, str] = {}


class DraftFinding(msgspec.Struct, frozen=True):
    """A finding of lint and the field that it is about (empty: the item)."""

    field: str
    level: str
    id: str
    message: str


def made(draft: Draft, id: str, before: Item | None = None) -> Item:
    """The item that a draft describes; what the form does not show is kept from ``before``."""
    variants = [Variant(draft.right.strip())]
    old = before.foils if before else ()
    for i, wrong in enumerate(draft.wrong):
        if wrong.text.strip():
            kept = old[i] if i < len(old) else Variant("")
            error = wrong.error.strip() or None
            variants.append(msgspec.structs.replace(kept, text=wrong.text.strip(), error=error))
    if before is not None:
        variants[0] = msgspec.structs.replace(before.best, text=draft.right.strip())
    item = before or Item(id, "", ())
    return msgspec.structs.replace(
        item,
        id=id,
        source=draft.source.strip(),
        variants=tuple(variants),
        correct=0,
        source_context=_sentences(draft.context, item.source_context),
        target_context=_sentences(draft.target_context, item.target_context),
        tags=_tags(draft.tags, item.tags),
    )


def _sentences(text: str, before: tuple[str, ...] | None) -> tuple[str, ...] | None:
    found = tuple(line.strip() for line in text.splitlines() if line.strip())
    return found or (() if before is not None else None)


def _tags(texts: dict[str, str], before: Tags) -> Tags:
    """Tags as the form has them; a value that was not touched keeps its type, numbers are numbers."""
    hidden = {name: value for name, value in before.items() if not isinstance(value, str | int | float)}
    found: Tags = dict(hidden)
    for name, text in texts.items():
        if name.strip() and text.strip():
            plain = text.strip()
            number = plain.isascii() and plain.isdigit() and len(plain) < 10
            unchanged = name in before and str(before[name]) == text
            found[name.strip()] = before[name] if unchanged else int(plain) if number else plain
    return found


def drafted(item: Item) -> Draft:
    """An item as the form shows it."""
    wrong = [DraftFoil(v.text, v.error or "") for v in item.foils]
    tags = {name: str(value) for name, value in item.tags.items() if isinstance(value, str | int | float)}
    return Draft(
        source=item.source,
        right=item.best.text,
        wrong=wrong,
        id=item.id,
        context="\n".join(item.source_context or ()),
        target_context="\n".join(item.target_context or ()),
        tags=tags,
    )


def findings(draft: Draft, source: str | None, target: str | None) -> list[DraftFinding]:
    """What lint finds in one item. A finding is about the field without which it would not be there."""
    summaries = {check.id: check.summary for check in checks()}
    found = []
    for id, level in _ids(draft, source, target).items():
        field = next((name for name, other in _without(draft) if id not in _ids(other, source, target)), "")
        found.append(DraftFinding(field, level, id, summaries.get(id, id)))
    return found


def _ids(draft: Draft, source: str | None, target: str | None) -> dict[str, str]:
    suite = Suite("draft", (made(draft, draft.id or "draft"),), source, target)
    return {f.id: f.level for f in lint(suite) if f.items and f.id not in ABOUT_SUITES}


def _without(draft: Draft) -> Iterator[tuple[str, Draft]]:
    """The draft with one field at a time replaced by something harmless, the likeliest culprit first."""
    replace = msgspec.structs.replace
    for i, wrong in enumerate(draft.wrong):
        others = [*draft.wrong[:i], DraftFoil("…", wrong.error), *draft.wrong[i + 1 :]]
        yield f"wrong.{i}", replace(draft, wrong=others)
    yield "right", replace(draft, right="… .")
    yield "source", replace(draft, source=".. .")
    yield "context", replace(draft, context="")
    yield "target_context", replace(draft, target_context="")
    if not any(wrong.text.strip() for wrong in draft.wrong):
        yield "wrong.0", replace(draft, wrong=[DraftFoil("…")])


def pasted(text: str) -> list[Draft]:
    r"""The items of a table, as a spreadsheet copies it (tabs) or as CSV, with or without a heading.

    Columns: source, right, wrong (wrong2 …), phenomenon, context; any other is a tag.

    >>> [d.wrong[0].text for d in pasted("source\tright\twrong\nIt\tEr\tSie\nIt\tEs\tEr\n")]
    ['Sie', 'Er']
    """
    lines = text.strip("\n")
    if not lines.strip():
        raise KontrastError("the table is empty")
    read = parse("the table", lines, "\t" if "\t" in lines.splitlines()[0] else None)
    rows = [row for row in read if any(cell.strip() for cell in row.cells)]
    heading = [cell.strip().casefold() for cell in rows[0].cells]
    if {"source", "right"} <= set(heading):
        refuse_repeated("the table", rows.pop(0), heading)
    else:
        heading = list(COLUMNS)
    return [_row(heading, row.cells, number) for number, row in enumerate(rows, start=1)]


def _row(heading: list[str], row: list[str], number: int) -> Draft:
    if len(row) > len(heading):
        raise KontrastError(
            f"row {number} has {len(row)} columns, expected at most {len(heading)} ({', '.join(heading)})"
        )
    cells = dict(zip(heading, row, strict=False))
    phenomenon = cells.pop("phenomenon", "").strip()
    wrong = [cells.pop(name) for name in list(cells) if name.startswith("wrong")]
    return Draft(
        source=cells.pop("source", ""),
        right=cells.pop("right", ""),
        wrong=[DraftFoil(each, phenomenon) for each in wrong if each.strip()],
        id=cells.pop("id", "").strip(),
        context=cells.pop("context", ""),
        target_context=cells.pop("target_context", cells.pop("target context", "")),
        tags={name: cell for name, cell in cells.items() if name and cell.strip()},
    )


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

    for number in store.write(work):
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

    session.store.write(work)
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
    session.store.write(lambda c: c.execute("UPDATE entry SET authored = 0"))
    session.wrote()
