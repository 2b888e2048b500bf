"""kontrast's own format: JSON lines, a header first and then an item a line; ``.gz`` and ``.zst`` are packed.

The header is ``{"kontrast": 1, "name": …, "source_language": …, …}``: the fields of `Suite` but its items, and the
format's version. Every other line is an `Item`. The JSON Schema is ``docs/suite.schema.json``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import InputError
from kontrast.suites import files
from kontrast.suites.formats.format import Format, Lost, Peek
from kontrast.suites.model import Item, Suite

VERSION = 1

_suite_fields = tuple(f for f in Suite.__struct_fields__ if f != "items")


def detect(peek: Peek) -> bool:
    first, _, _ = peek.head.partition("\n")
    return first.startswith("{") and '"kontrast"' in first


def read(path: Path) -> Suite:
    lines = files.open_lines(path)
    header = _decode(msgspec.json.Decoder(dict[str, Any]), next(lines, ""), path, 1)
    if header.pop("kontrast", None) != VERSION:
        raise InputError(path, f'expected a header with "kontrast": {VERSION}', line=1)
    decoder = msgspec.json.Decoder(Item)
    items = []
    for number, line in enumerate(lines, start=2):
        if line.strip():
            item = _decode(decoder, line, path, number)
            if not 0 <= item.correct < len(item.variants):
                raise InputError(path, f"correct is {item.correct} of {len(item.variants)} variants", line=number)
            items.append(item)
    try:
        return msgspec.convert({**header, "items": ()}, Suite).__replace__(items=tuple(items))
    except msgspec.ValidationError as error:
        raise InputError(path, f"the header does not fit: {error}", line=1) from error


def _decode(decoder: msgspec.json.Decoder[Any], line: str, path: Path, number: int) -> Any:
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(path, f"expected a JSON object of the native format: {error}", line=number) from error


def write(suite: Suite, path: Path) -> list[Lost]:
    defaults = Suite("", ())
    header = {
        "kontrast": VERSION,
        **{f: getattr(suite, f) for f in _suite_fields if getattr(suite, f) != getattr(defaults, f)},
        "name": suite.name,
    }
    encode = msgspec.json.Encoder().encode
    with files.writing(path) as out:
        out.write(encode(header).decode() + "\n")
        for item in suite.items:
            out.write(encode(item).decode() + "\n")
    return []


FORMAT = Format(
    name="native",
    summary="kontrast's own JSON lines, all fields",
    detect=detect,
    read=read,
    write=write,
    examples=("suite.jsonl", "suite.jsonl.gz"),
)
