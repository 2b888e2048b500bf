"""LingEval97 (Sennrich 2017, EN-DE): a JSON list of references, each with its errors.

``{"source", "reference", "origin", "errors": [{"type", "contrastive", "distance"?, "frequency"?}]}``; each error is a
decision of its own against its reference. Other keys are kept as tags and written back.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from kontrast.io import files
from kontrast.io.json_input import FAILURES, refuse_repeated_keys
from kontrast.suites.formats.format import Format, Lost, Peek
from kontrast.suites.formats.references import Layout, read_references, write_references
from kontrast.suites.model import Item, Suite, Tags, Variant

LAYOUT = Layout(
    expected="LingEval97's list of objects with source, reference and errors",
    numbers=frozenset({"distance", "frequency"}),
    digits=True,
)

UNSET = msgspec.UNSET
Number = int | float | None | msgspec.UnsetType


class _Error(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    contrastive: str
    type: str
    distance: Number = UNSET
    frequency: Number = UNSET


class _Reference(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    source: str
    reference: str
    errors: list[_Error]
    origin: str | msgspec.UnsetType | None = UNSET


def detect(peek: Peek) -> bool:
    return peek.has_keys("source", "reference", "errors")


def read(path: Path) -> Suite:
    data = files.read_bytes(path)
    try:
        entries = msgspec.json.decode(data, type=list[_Reference])
    except FAILURES:
        items, extra = read_references(path, data, LAYOUT)  # keys of its own, or a fault: slower, keeps and explains
    else:
        refuse_repeated_keys(data, path)
        items, extra = tuple(map(_item, range(1, len(entries) + 1), entries)), {}
    name = files.suite_name(path)
    return Suite(name, items, "en", "de", unit="pair", style="lingeval97", extra=extra)


class Pairs(msgspec.Struct, frozen=True):
    """A file's pairs in columns, without their texts: what its evaluation needs, in less time and memory.

    The columns have a value per error in file order (None: not given); ``sizes`` is how many each reference has.
    """

    name: str
    sizes: list[int]
    types: list[str]
    distances: list[Number]
    frequencies: list[Number]
    style: str = "lingeval97"

    @property
    def row_count(self) -> int:
        return len(self.sizes) + len(self.types)


def read_pairs(path: Path) -> Pairs | None:
    """The pairs, or None where the file needs `read` (keys of its own, or a fault to explain)."""
    data = files.read_bytes(path)
    try:
        entries = msgspec.json.decode(data, type=list[_Reference])
    except FAILURES:
        return None
    refuse_repeated_keys(data, path)
    errors = [error for entry in entries for error in entry.errors]
    return Pairs(
        files.suite_name(path),
        [len(entry.errors) for entry in entries],
        [error.type for error in errors],
        [error.distance for error in errors],
        [error.frequency for error in errors],
    )


def _item(number: int, entry: _Reference) -> Item:
    variants = [Variant(entry.reference)]
    for error in entry.errors:
        tags: Tags = {}
        if error.distance is not UNSET:
            tags["distance"] = error.distance
        if error.frequency is not UNSET:
            tags["frequency"] = error.frequency
        variants.append(Variant(error.contrastive, error.type, None, tags))
    tags = {} if entry.origin is UNSET else {"origin": entry.origin}
    return Item(str(number), entry.source, tuple(variants), tags=tags)


def write(suite: Suite, path: Path) -> list[Lost]:
    return write_references(suite, path, LAYOUT)


FORMAT = Format(
    name="lingeval97",
    summary="LingEval97's JSON: references with typed errors, each pair a decision",
    detect=detect,
    read=read,
    write=write,
    unit="pair",
    languages=("en", "de"),
    extra=frozenset({"errors_form"}),
    examples=("lingeval97.json",),
)
