"""kontrast's own format: JSON lines, a header first and then an item a line; ``.gz`` and ``.zst`` are packed.

The header is ``{"kontrast": 1, "name": …, "source_language": …, …}``: the fields of `Suite` but its items, and the
format's version. Every other line is an `Item`. The JSON Schema is ``docs/suite.schema.json``.
"""

from inspect import cleandoc
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from kontrast.errors import InputError
from kontrast.io import files
from kontrast.io.json_input import decode, decode_lines
from kontrast.io.names import is_language
from kontrast.suites.formats.format import Lost, Peek
from kontrast.suites.model import Item, Suite
from kontrast.suites.packed import BLOCK, Packing

VERSION: Final = 1


_SHARED = [field for field in msgspec.structs.fields(Suite) if field.name != "items"]


def _declared(field: Any) -> tuple[Any, ...]:
    if field.required:
        return field.name, field.type
    made = field.default is msgspec.NODEFAULT
    return field.name, field.type, msgspec.field(default_factory=field.default_factory) if made else field.default


Header: Any = msgspec.defstruct(
    "Header",
    [("kontrast", Literal[1]), *map(_declared, _SHARED)],
    namespace={"__doc__": "The first line: the version of the format and what a suite holds beside its items."},
    omit_defaults=True,
    forbid_unknown_fields=True,
)


def detect(peek: Peek) -> bool:
    first, _, _ = peek.head.partition("\n")
    return first.startswith("{") and '"kontrast"' in first


def read(path: Path) -> Suite:
    lines = files.open_raw_lines(path)
    first = files.line_text(next(lines, b""), path, 1)
    header = decode(msgspec.json.Decoder(Header), first, path, 1, f'a header with "kontrast": {VERSION} and a name')
    for language in (header.source_language, header.target_language):
        if language is not None and not is_language(language):
            raise InputError(path, f"expected a language such as en or pt-BR, found {language[:40]!r}", line=1)
    decoder = msgspec.json.Decoder(Item)
    packing = Packing()
    number = 2
    while block := list(islice(lines, BLOCK)):
        items = decode_lines(decoder, block, path, number, "an item of the native format")
        if not all(0 <= item.correct < len(item.variants) for item in items):
            for line, raw in enumerate(block, start=number):
                for item in decoder.decode_lines(raw):
                    if not 0 <= item.correct < len(item.variants):
                        found = f"correct {item.correct} of {len(item.variants)}"
                        raise InputError(path, f"expected variants, one of them correct, found {found}", line=line)
        packing.add(items, b"".join(block))
        number += len(block)
    return Suite(items=packing.items(), **{field.name: getattr(header, field.name) for field in _SHARED})


def write(suite: Suite, path: Path) -> list[Lost]:
    header = Header(kontrast=VERSION, **{field.name: getattr(suite, field.name) for field in _SHARED})
    encode = msgspec.json.Encoder().encode
    with files.writing(path) as out:
        out.write(encode(header).decode() + "\n")
        for item in suite.items:
            out.write(encode(item).decode() + "\n")
    return []


def schema() -> dict[str, Any]:
    """The JSON Schema of a line of the format, made from the model; ``docs/suite.schema.json`` holds it."""
    (header, item), definitions = msgspec.json.schema_components((Header, Item), ref_template="#/$defs/{name}")
    found = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a kontrast suite",
        "description": "The first line is a Header, every other line an Item.",
        "oneOf": [header, item],
        "$defs": definitions,
    }
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(found))  # defaults are tuples in Python only
    for each in plain["$defs"].values():
        each["description"] = cleandoc(each["description"])  # Python 3.13 takes the indentation out itself
    return plain
