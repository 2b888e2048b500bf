"""CTXPro (Wicks and Post 2023): a generative suite; an item names the form that a right translation contains.

``[{"src segment", "ref segment", "expected", "rule", …}]``. Beside ``NAME.json`` there may be ``NAME.input`` (in the
published folders: ``../inputs/NAME``), a line per item: the source with the sentences before it, ``<eos>`` between.
The one variant is the reference.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.json_input import read_json, write_json
from kontrast.suites.formats.entry import FileEntry
from kontrast.suites.formats.format import Format, Lost, Peek
from kontrast.suites.formats.loss import losses, lost_languages
from kontrast.suites.formats.references import Names
from kontrast.suites.model import Item, Suite, Variant

SEPARATOR = "<eos>"

_NAMES = Names(
    {
        "ante distance": "distance",
        **{
            key: key.replace(" ", "_")
            for side in ("src", "ref")
            for key in (
                *(f"{side} {part}" for part in ("pronoun", "verb", "verb lemma", "ante segment", "ante verb lemma")),
                *(f"{side} ante {part}" for part in ("head", "phrase")),
                *(f"{side} ante head {part}" for part in ("id", "lemma", "gender", "number", "morpho", "pos")),
            )
        },
    }
)


def detect(peek: Peek) -> bool:
    return peek.has_keys("src segment", "ref segment", "expected")


def read(path: Path) -> Suite:
    entries = read_json(path, list[Any], expected="a list of objects with src segment, ref segment and expected")
    contexts = _contexts(path, len(entries))
    items = tuple(
        _item(FileEntry(path, f"item {i}", entry), i, contexts[i - 1] if contexts else None)
        for i, entry in enumerate(entries, start=1)
    )
    return Suite(files.suite_name(path), items, *_languages(path), style="ctxpro")


def _languages(path: Path) -> tuple[str | None, str | None]:
    pair = re.search(r"\b([a-z]{2,3})-([a-z]{2,3})\b", path.name)
    return (pair[1], pair[2]) if pair else (None, None)


def _beside(path: Path) -> tuple[Path, Path]:
    """Where the sources with their context may be: beside the file, and in the published folders."""
    name = files.suite_name(path)
    return path.with_name(f"{name}.input"), path.parent.parent / "inputs" / name


def _contexts(path: Path, items: int) -> list[tuple[str, ...]] | None:
    beside = next((place for place in _beside(path) if place.is_file()), None)
    if beside is None:
        return None
    lines = files.read_lines(beside)
    if len(lines) != items:
        message = f"expected {items} lines (one per item of {path.name}), found {len(lines)}"
        raise InputError(beside, message, line=min(len(lines), items) + 1)
    return [tuple(part.strip() for part in line.split(SEPARATOR)[:-1]) for line in lines]


def _item(entry: FileEntry, number: int, context: tuple[str, ...] | None) -> Item:
    source, reference, expected = entry.text("src segment"), entry.text("ref segment"), entry.text("expected")
    document = entry.text("document id") if entry.holds_text("document id") else None
    segment = entry.whole("segment id") if entry.holds_whole("segment id") else None
    tags = {"expected": expected, **{_NAMES.tag(key): value for key, value in entry.rest().items()}}
    return Item(
        str(number),
        source,
        (Variant(reference),),
        source_context=context,
        document=document,
        segment=segment,
        tags=tags,
    )


def write(suite: Suite, path: Path) -> list[Lost]:
    """The JSON, and the ``.input`` beside it where every item's context is known."""
    if any("expected" not in item.tags for item in suite.items):
        raise KontrastError("the ctxpro format holds items with the tag expected (the form that must be translated)")
    entries = []
    for item in suite.items:
        texts = {"src segment": item.source, "ref segment": item.best.text}
        entry = {**texts, **{_NAMES.key(tag): value for tag, value in item.tags.items()}, **texts}
        if item.document is not None:
            entry["document id"] = item.document
        if item.segment is not None:
            entry["segment id"] = item.segment
        entries.append(entry)
    kept = {"document", "segment", "tags", "correct"}
    beside, published = _beside(path)
    if published.is_file():
        raise KontrastError(f"{published} would be read with {path}: choose another name")
    inputs: dict[Path, list[str]] = {}
    if str(path) != "-" and all(item.source_context is not None for item in suite.items):
        kept.add("source_context")
        joined = [f"{SEPARATOR} ".join((*(item.source_context or ()), item.source)) for item in suite.items]
        inputs[beside] = joined
    write_json(path, entries, indent=2)
    files.write_columns(inputs, [beside])
    foils = sum(len(item.variants) > 1 for item in suite.items)
    lost = losses(suite, kept) + lost_languages(suite, *_languages(path))
    return [*lost, Lost("wrong variants", foils)] if foils else lost


FORMAT = Format(
    name="ctxpro",
    summary="CTXPro's JSON with its .input beside it: the form a right translation contains",
    detect=detect,
    read=read,
    write=write,
    examples=("gender.opensubtitles.en-de.test.json",),
)
