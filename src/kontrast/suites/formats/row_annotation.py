"""Annotation for rows: tags, documents and errors from another suite's items, joined by group number."""

from __future__ import annotations

from pathlib import Path

import msgspec

from kontrast.errors import InputError
from kontrast.io import files
from kontrast.suites.model import Item, Suite, Variant


def annotate(suite: Suite, annotation: Path, groups: Path | None, *, only: bool) -> Suite:
    """``suite`` with the annotation of another file's items.

    A line of ``groups`` gives the place (from 0) among our items of each of theirs; a blank one: not among them.
    """
    from kontrast.suites.formats import load

    theirs = load(annotation)
    path = groups or annotation.with_name(f"{files.suite_name(annotation)}.groups")
    places = _places(path, len(theirs.items), len(suite.items))
    joined: dict[int, Item] = {}
    for item, place in zip(theirs.items, places, strict=True):
        if place is not None and place not in joined:
            joined[place] = _join(suite.items[place], item)
    items = tuple(joined.get(i, item) for i, item in enumerate(suite.items) if i in joined or not only)
    return msgspec.structs.replace(
        suite,
        items=items,
        source_language=suite.source_language or theirs.source_language,
        target_language=suite.target_language or theirs.target_language,
        unit=theirs.unit,
        style=theirs.style,
        extra={"annotated": len(joined), "annotation_without_rows": places.count(None)},
    )


def _places(path: Path, expected: int, count: int) -> list[int | None]:
    lines = files.read_lines(path)
    if len(lines) != expected:
        raise InputError(path, f"expected {expected} lines, one per annotated item, found {len(lines)}")
    places: list[int | None] = []
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if text and not (text.isascii() and text.isdigit() and int(text) < count):
            raise InputError(path, f"expected an item from 0 to {count - 1} or a blank, found {text!r}", line=number)
        places.append(int(text) if text else None)
    return places


def _join(ours: Item, theirs: Item) -> Item:
    wrong = {v.text: v for i, v in enumerate(theirs.variants) if i != theirs.correct}
    in_order = theirs.variants if len(theirs.variants) == len(ours.variants) and not theirs.correct else ()

    def variant(place: int, row: Variant) -> Variant:
        if place == ours.correct:
            return row
        found = wrong.get(row.text) or (in_order[place] if in_order else None)
        return msgspec.structs.replace(row, error=found.error, tags=found.tags) if found else row

    return msgspec.structs.replace(
        ours,
        variants=tuple(variant(i, row) for i, row in enumerate(ours.variants)),
        document=theirs.document,
        segment=theirs.segment,
        tags=theirs.tags,
    )
