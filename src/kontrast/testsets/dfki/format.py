"""The DFKI test suite's JSON: ``{"items": [{source_sentence, positive_regex, negative_regex, positive_tokens, …}]}``.

``positive_tokens`` and ``negative_tokens`` are outputs that people judged: the first right one is the correct
variant, the wrong ones are its rivals, further right ones are references. The expressions are tags. An item without a
right output has one blank variant, so that scores decide nothing in it, and its wrong outputs in the tag
``judged_wrong``; without expressions it is left out. Both are counted in ``extra``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from kontrast.errors import InputError
from kontrast.io import files
from kontrast.io.json_input import read_json
from kontrast.suites.formats.entry import FileEntry
from kontrast.suites.formats.format import Format, Peek
from kontrast.suites.model import Item, Suite, Tags, Variant


def detect(peek: Peek) -> bool:
    return peek.has_keys("source_sentence", "positive_regex", "negative_regex")


def read(path: Path) -> Suite:
    whole = read_json(path, dict[str, Any], expected="an object with items")
    listed = whole.get("items")
    entries = [
        FileEntry(path, f"item {i}", each)
        for i, each in enumerate(listed if isinstance(listed, list) else (), start=1)
    ]
    if not entries:
        raise InputError(path, 'expected a list of objects in "items", found none')
    pairs = {entry.text("langpair") for entry in entries}
    if len(pairs) != 1 or len(pair := pairs.pop()) != 4 or not pair.isalpha():
        raise InputError(
            path, f'expected one "langpair" of four letters such as ende, found {", ".join(sorted(pairs))}'
        )
    items = [item for entry in entries if (item := _item(entry)) is not None]
    blank = sum(not item.best.text for item in items)
    if dropped := len(entries) - len(items):
        told = f"{dropped} of {len(entries)} items have neither a right output nor an expression and are left out"
        print(f"kontrast: warning: {path}: {told}", file=sys.stderr)
    extra: Tags = {"without_right_output": blank, "without_output_and_expression": len(entries) - len(items)}
    name = files.suite_name(path)  # the repository has testset/en-de/items.json
    name = f"dfki-{pair[:2]}-{pair[2:]}" if name == "items" else name
    return Suite(name, tuple(items), pair[:2], pair[2:], style="dfki", extra=extra)


def _item(entry: FileEntry) -> Item | None:
    name, source = entry.text("id"), entry.text("source_sentence").strip()
    positive, negative = (
        [text.strip() for text in _texts(entry, f"{kind}_tokens")] for kind in ("positive", "negative")
    )
    right = list(dict.fromkeys(text for text in positive if text))
    phenomenon = entry.text("phenomenon")
    wrong = [text for text in dict.fromkeys(negative) if text and text not in right]
    tags: Tags = {"phenomenon": phenomenon}
    if both := [text for text in dict.fromkeys(negative) if text in right]:
        tags["judged_both_ways"] = both
    tags |= {key: value for key, value in entry.rest().items() if value != ""}
    if not right:
        if not tags.keys() & {"positive_regex", "negative_regex"}:
            return None
        return Item(name, source, (Variant(""),), tags=tags | ({"judged_wrong": wrong} if wrong else {}))
    return Item(
        name,
        source,
        (Variant(right[0]), *(Variant(text, error=phenomenon) for text in wrong)),
        references=tuple(map(Variant, right[1:])),
        tags=tags,
    )


def _texts(entry: FileEntry, key: str) -> list[str]:
    """A list of texts that may be empty."""
    value = entry.rest().get(key)
    if value == []:
        entry.drop(key)
        return []
    return entry.texts(key)


FORMAT = Format(
    name="dfki",
    summary="the DFKI test suite's JSON: expressions, and outputs that people judged as variants",
    detect=detect,
    read=read,
    examples=("en-de.items.json",),
)
