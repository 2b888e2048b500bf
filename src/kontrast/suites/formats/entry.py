"""JSON objects of the test sets' formats: parts are taken out by name and type, what is left over stays as tags.

LingEval97, ContraPro and ContraWSD share a shape, a list of references, each with its errors. A `Layout` says how one
of them names things. Keys that it does not name are kept as tags under their own name, so that what was read can be
written back equal.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.json_input import decode, decode_whole, element_line, read_json, write_json_list
from kontrast.suites.formats.format import Lost, Read, Write
from kontrast.suites.formats.loss import losses, lost_languages
from kontrast.suites.model import Item, Suite, Tags, Variant


class FileEntry:
    """An object with its place in the file, for errors a person can act on.

    >>> entry = FileEntry("a.json", "item 1", {"src": "Hello", "mood": "calm"})
    >>> entry.text("src"), entry.rest()
    ('Hello', {'mood': 'calm'})
    >>> entry.text("dst")
    Traceback (most recent call last):
    kontrast.errors.InputError: a.json: in item 1, expected text in "dst", found nothing
    """

    def __init__(self, path: str | Path, place: str, value: Any, what: str = "an object") -> None:
        self._path, self._place = path, place
        if not isinstance(value, dict):
            raise self.fault(f"expected {what}, found {_kind(value)}")
        self._left = dict(value)

    def __contains__(self, key: str) -> bool:
        return key in self._left

    def holds_text(self, key: str) -> bool:
        return isinstance(self._left.get(key), str)

    def holds_whole(self, key: str) -> bool:
        """A whole number that fits into 64 bits, as records hold it?"""
        value = self._left.get(key)
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63

    def fault(self, message: str) -> InputError:
        """An error about this object."""
        return InputError(self._path, f"in {self._place}, {message}")

    def text(self, key: str) -> str:
        value = self._left.pop(key, None)
        if not isinstance(value, str):
            raise self.fault(f'expected text in "{key}", found {_kind(value)}')
        return value

    def texts(self, key: str, least: int = 1) -> list[str]:
        """A list of at least so many texts."""
        value = self._left.pop(key, None)
        if not isinstance(value, list) or len(value) < least or not all(isinstance(text, str) for text in value):
            raise self.fault(f'expected a list of texts in "{key}", found {_kind(value)}')
        return value

    def whole(self, key: str) -> int:
        value = self._left.pop(key, None)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.fault(f'expected a whole number in "{key}", found {_kind(value)}')
        return value

    def entry(self, key: str) -> "FileEntry":
        return FileEntry(self._path, f"{self._place}, {key}", self._left.pop(key, None))

    def entries(self, key: str) -> list["FileEntry"]:
        value = self._left.pop(key, None)
        if not isinstance(value, list):
            raise self.fault(f'expected a list in "{key}", found {_kind(value)}')
        return [FileEntry(self._path, f"{self._place}, {key} {i}", part) for i, part in enumerate(value, start=1)]

    def rest(self, **names: str) -> dict[str, Any]:
        """All that was not taken; ``names`` renames tags (``distance="ctx_dist"``)."""
        tags = {tag: key for tag, key in names.items() if key in self._left}
        taken = set(tags.values())
        renamed = {tag: self._left[key] for tag, key in tags.items()}
        return {**renamed, **{key: value for key, value in self._left.items() if key not in taken}}


def read_entries(path: Path, expected: str) -> Iterator[tuple[int, FileEntry]]:
    """The objects of a JSON list, each with its number from 1; ``expected`` says which keys they have."""
    entries = read_json(path, list[Any], expected=f"a list of objects with {expected}")
    return ((i, FileEntry(path, f"item {i}", entry)) for i, entry in enumerate(entries, start=1))


def _kind(value: Any, nothing: str = "nothing") -> str:
    kinds = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): nothing}
    return kinds.get(type(value), "a number")


_RAW = "json:"
"""Before a key that would be taken for another one's tag."""


class Names:
    """Keys of a JSON object and the tags they become, one to one in both directions."""

    def __init__(self, tags: Mapping[str, str]) -> None:
        self._tags = dict(tags)
        self._keys = {tag: key for key, tag in tags.items()}

    def tag(self, key: str) -> str:
        found = self._tags.get(key)
        if found is None:
            found = _RAW + key if key in self._keys or key.startswith(_RAW) else key
            self._tags[key] = found  # the same few keys come thousands of times
        return found

    def key(self, tag: str) -> str:
        return self._keys.get(tag) or tag.removeprefix(_RAW)


@dataclass(frozen=True)
class Layout:
    """How a format names the parts; ``item_tags`` and ``error_tags`` give keys whose tag has another name."""

    expected: str
    source: str = "source"
    reference: str = "reference"
    document: str | None = None
    segment: str | None = None
    item_tags: Mapping[str, str] = field(default_factory=dict)
    error_tags: Mapping[str, str] = field(default_factory=dict)
    numbers: frozenset[str] = frozenset()
    digits: bool = False
    """May those be digits in a text?"""

    @cached_property
    def item_names(self) -> Names:
        return Names(self.item_tags)

    @cached_property
    def error_names(self) -> Names:
        return Names(self.error_tags)


def references_layout(declared: dict[str, Any] | None) -> Layout:
    """``[set.references]`` of a set's TOML file."""
    return msgspec.convert(declared, Layout)


def references_functions(
    name: str,
    layout: Layout,
    languages: Callable[[Path, Sequence[Item]], tuple[str | None, str | None]],
    needed: Mapping[str, str],
) -> tuple[Read, Write]:
    """``read`` and ``write`` of a set of this shape; ``languages`` are those of a file of this name and items.

    Without the tags ``needed`` (each with what it is) its file would be read again as another set's.
    """

    def read(path: Path) -> Suite:
        items, extra = read_references(path, files.read_bytes(path), layout)
        return Suite(files.suite_name(path), items, *languages(path, items), style=name, extra=extra)

    def write(suite: Suite, path: Path) -> list[Lost]:
        if any(not needed.keys() <= item.tags.keys() for item in suite.items):
            told = " and ".join(f"{tag} ({what})" for tag, what in needed.items())
            raise KontrastError(f"the {name} format stores only items with the tag{'s' * (len(needed) > 1)} {told}")
        return write_references(suite, path, layout) + lost_languages(suite, *languages(path, suite.items))

    return read, write


class _FaultError(Exception):
    """What is wrong with one entry."""


def read_references(path: Path, data: bytes, layout: Layout) -> tuple[tuple[Item, ...], Tags]:
    """The items, and what the suite must remember to write its ``errors`` back in the form they had."""
    as_lines = data.lstrip()[:1] == b"{"
    if as_lines:  # JSON lines, an object each, in which such lists are kept while they are made
        decoder, raw = msgspec.json.Decoder(dict[str, Any]), enumerate(data.split(b"\n"), start=1)
        entries = [decode(decoder, line, path, n, layout.expected) for n, line in raw if line.strip()]
    else:
        entries = decode_whole(data, list[dict[str, Any]], path, layout.expected)
    items = []
    forms: dict[str, list[str]] = {}
    for number, entry in enumerate(entries, start=1):
        errors = entry.get("errors")
        if not isinstance(errors, list):
            forms.setdefault("null" if errors is None else "object", []).append(str(number))
            entry["errors"] = [] if errors is None and "errors" in entry else [errors]
        try:
            items.append(_item(number, entry, layout))
        except _FaultError as fault:
            line = None if as_lines else element_line(data, number - 1)
            raise InputError(path, f"expected {layout.expected}; in item {number} {fault}", line=line) from None
    return tuple(items), {"errors_form": forms} if forms else {}


def _item(number: int, entry: dict[str, Any], layout: Layout) -> Item:
    source, reference = _text(entry, layout.source), _text(entry, layout.reference)
    variants = [Variant(reference)]
    for error in entry.pop("errors"):
        if not isinstance(error, dict):
            raise _FaultError(f"an error is {_kind(error)}, not an object")
        text = _text(error, "contrastive")
        kind = error.pop("type") if isinstance(error.get("type"), str) else None
        variants.append(Variant(text, kind, None, _tags(error, layout.error_names, layout)))
    document = segment = None
    if layout.document and isinstance(entry.get(layout.document), str):
        document = entry.pop(layout.document)
    if layout.segment and type(entry.get(layout.segment)) is int and abs(entry[layout.segment]) < 1 << 63:
        segment = entry.pop(layout.segment)
    tags = _tags(entry, layout.item_names, layout)
    return Item(str(number), source, tuple(variants), document=document, segment=segment, tags=tags)


def _text(entry: dict[str, Any], key: str) -> str:
    text = entry.pop(key, None)
    if not isinstance(text, str):
        raise _FaultError(f'"{key}" is {_kind(text, "missing or null")}, not text')
    return text


def _tags(entry: dict[str, Any], names: Names, layout: Layout) -> Tags:
    for key in layout.numbers & entry.keys():
        if not _is_number(entry[key], layout):
            raise _FaultError(f'"{key}" is {_kind(entry[key])}, not a number')
    return {names.tag(key): value for key, value in entry.items()}


def _is_number(value: Any, layout: Layout) -> bool:
    """A number or nothing; digits in a text where the layout allows them."""
    if isinstance(value, str):
        return layout.digits and re.fullmatch("[0-9]{1,9}", value) is not None
    return not isinstance(value, bool) and isinstance(value, int | float | None)


def write_references(suite: Suite, path: Path, layout: Layout) -> list[Lost]:
    """Write the suite as a JSON list. All tags are kept, but for those named as one of the format's own keys."""
    forms = suite.extra.get("errors_form")
    form_of = {id: form for form, ids in forms.items() for id in ids} if isinstance(forms, dict) else {}
    clashes: Counter[str] = Counter()
    write_json_list(path, (_entry(item, layout, form_of.get(item.id), clashes) for item in suite.items))
    place = {name for name in ("document", "segment") if getattr(layout, name)}
    lost = losses(suite, {"tags", "variant.tags", "error"} | place)
    return [*lost, *(Lost(f"tag {tag}", count) for tag, count in sorted(clashes.items()))]


def _entry(item: Item, layout: Layout, form: str | None, clashes: Counter[str]) -> dict[str, Any]:
    entry: dict[str, Any] = {layout.source: item.source, layout.reference: item.best.text, "errors": None}
    if layout.document and item.document is not None:
        entry[layout.document] = item.document
    if layout.segment and item.segment is not None:
        entry[layout.segment] = item.segment
    _put(entry, item.tags, layout.item_names, clashes, layout)
    errors: list[dict[str, Any]] = []
    for variant in item.foils:
        kind = {} if variant.error is None else {"type": variant.error}
        errors.append({**kind, "contrastive": variant.text})
        _put(errors[-1], variant.tags, layout.error_names, clashes, layout)
    entry["errors"] = errors[0] if form == "object" and len(errors) == 1 else errors
    if form == "null" and not errors:
        entry["errors"] = None
    return entry


def _put(entry: dict[str, Any], tags: Tags, names: Names, clashes: Counter[str], layout: Layout) -> None:
    own = set(entry)
    for tag, value in tags.items():
        key = names.key(tag)
        if key in own or ("contrastive" in own and key == "type" and isinstance(value, str)):
            clashes[tag] += 1
        elif key in layout.numbers and not _is_number(value, layout):
            clashes[f"{tag} that is not a number"] += 1
        else:
            entry[key] = value
