"""JSON at the edge: decoded into types in one go, with an error that names the line, and written for people.

A key that comes twice in an object is refused: of two values the last would win.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from kontrast.errors import InputError
from kontrast.io import files

T = TypeVar("T")

FAILURES = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""All that msgspec raises on bytes that it cannot take."""


def read_json(path: str | Path, type: type[T], *, expected: str = "JSON") -> T:
    """The file's JSON as ``type``, or an `InputError` that says what was expected and where it went wrong."""
    return decode_whole(files.read_bytes(path), type, path, expected)


def decode_whole(data: bytes, type: type[T], path: str | Path, expected: str) -> T:
    """The same of bytes that were read from ``path``."""
    try:
        value = msgspec.json.decode(data, type=type)
    except FAILURES as error:
        raise problem(path, data, error, expected) from error
    refuse_repeated_keys(data, path)
    return value


def write_json(path: str | Path, value: object, indent: int = 1) -> None:
    """Write a value as indented JSON."""
    with files.writing(path) as out:
        out.write(msgspec.json.format(msgspec.json.encode(value), indent=indent).decode() + "\n")


def write_json_lines(path: str | Path, values: Iterable[object]) -> None:
    """A JSON object per line."""
    with files.writing(path) as out:
        out.writelines(_ENCODE(value).decode() + "\n" for value in values)


def write_json_list(path: str | Path, values: Iterable[object]) -> None:
    """The same for a list, a value at a time."""
    with files.writing(path) as out:
        between = "[\n "
        for value in values:
            text = msgspec.json.format(msgspec.json.encode(value), indent=1).decode()
            out.write(between + text.replace("\n", "\n "))
            between = ",\n "
        out.write("\n]\n" if between.startswith(",") else "[]\n")


def decode(decoder: msgspec.json.Decoder[T], line: str | bytes, path: str | Path, number: int, expected: str) -> T:
    """One line of a JSON lines file."""
    try:
        value = decoder.decode(line)
    except FAILURES as error:
        raise InputError(path, f"expected {expected}: {_message(error)}", line=number) from error
    if not _written_once(line.encode() if isinstance(line, str) else line, value):
        refuse_repeated_keys(line, path, number)
    return value


def read_json_lines(path: str | Path, type: type[T], expected: str) -> Iterator[tuple[int, T]]:
    """The values of a file of JSON lines one at a time, each with its line; blank lines are passed over."""
    decoder = msgspec.json.Decoder(type)
    for number, line in enumerate(files.open_lines(path), start=1):
        if line.strip():
            yield number, decode(decoder, line, path, number, expected)


def decode_lines(
    decoder: msgspec.json.Decoder[T], lines: list[bytes], path: str | Path, first: int, expected: str
) -> list[T]:
    """Some lines of a JSON lines file, with their ends, from line ``first`` on; blank ones are passed over."""
    data = b"".join(lines)
    try:
        values = decoder.decode_lines(data)
        if _ENCODER.encode_lines(values) == data:
            return values
    except FAILURES:
        pass  # which line it is comes out below
    texts = ((number, files.line_text(line, path, number)) for number, line in enumerate(lines, start=first))
    return [decode(decoder, text, path, number, expected) for number, text in texts if text.strip()]


def _written_once(line: bytes, value: object) -> bool:
    """Is it sure that no key comes twice? As we write it, none does; nor where a copy has as many keys."""
    if (encoded := _ENCODE(value)) == line or encoded == (compact := msgspec.json.format(line, indent=-1)):
        return True
    try:
        copy = _ENCODE(msgspec.json.decode(line))
    except FAILURES:
        return False
    return not _ESCAPED.search(compact) and compact.count(b'":') == copy.count(b'":')


def refuse_repeated_keys(data: str | bytes, path: str | Path, first: int = 1) -> None:
    """An error where an object has one key twice: a decoder keeps the last. ``first`` is the line of ``data``."""
    text = data if isinstance(data, str) else _text(data, path, first)
    try:
        _ONCE.decode(text)
    except _RepeatedError:
        key, place = _repeated(text)
        line = first + text.count("\n", 0, place)
        raise InputError(
            path, f"expected each key of an object once, found {key} again: remove one", line=line
        ) from None
    except RecursionError:
        raise InputError(path, "expected JSON that is less deeply nested") from None


class _RepeatedError(Exception):
    """An object has a key twice."""


def _once(pairs: list[tuple[str, Any]]) -> None:
    if len({key for key, _ in pairs}) < len(pairs):
        raise _RepeatedError


_ENCODER = msgspec.json.Encoder()
_ENCODE = _ENCODER.encode
_ESCAPED = re.compile(rb"\\u00(?:22|3[aA])")
"""A quotation mark or a colon in a string that a copy writes otherwise."""
_ONCE = json.JSONDecoder(object_pairs_hook=_once, parse_int=bool, parse_float=bool, strict=False)
"""Looks at keys alone: it keeps no object, and numbers may be of any length."""
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]', re.DOTALL)


def _repeated(text: str) -> tuple[str, int]:
    """The first key that comes twice in its object, as it is written, and its place."""
    open_objects: list[set[str] | None] = []
    key = ("", 0)
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in "{[":
            open_objects.append(set() if mark == "{" else None)
        elif mark in "}]":
            open_objects.pop()
        elif mark == ":" and (keys := open_objects[-1]) is not None:
            if (name := json.loads(key[0], strict=False)) in keys:
                break
            keys.add(name)
        else:
            key = mark, token.start()
    return key


def problem(path: str | Path, data: bytes, error: Exception, expected: str) -> InputError:
    """What was wrong with ``data``, as an error for a person."""
    try:
        _text(data, path)
    except InputError as wrong:
        return wrong
    return InputError(path, f"expected {expected}: {_message(error)}", line=_line(data, error))


def _text(data: bytes, path: str | Path, first: int = 1) -> str:
    """The text of ``data``. msgspec does not look into the strings of keys that it skips."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        line = first + data.count(b"\n", 0, wrong.start)
        raise InputError(path, f"expected UTF-8, found byte 0x{data[wrong.start]:02x}", line=line) from None


def _message(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    if str(error) == "Input data was truncated":
        return "the file ends too early"
    return re.sub(r"^JSON is malformed: (.*) \(byte \d+\)$", r"not JSON, \1", str(error))


def _line(data: bytes, error: Exception) -> int | None:
    """The line of the byte that msgspec names, or of the list's element in which it found a wrong type."""
    if isinstance(error, RecursionError):
        return None
    if byte := re.search(r"\(byte (\d+)\)$", str(error)):
        return data.count(b"\n", 0, int(byte[1])) + 1
    if element := re.search(r"at `\$\[(\d+)\]", str(error)):
        return element_line(data, int(element[1]))
    return data.rstrip().count(b"\n") + 1 if "truncated" in str(error) else 1


def element_line(data: bytes, index: int) -> int | None:
    """The line on which the element of that index begins, if the JSON is a list."""
    text = data.decode("utf-8", errors="replace")
    space, decoder = re.compile(r"[\s,]*"), json.JSONDecoder()
    place = text.find("[") + 1
    try:
        for _ in range(index):
            _, place = decoder.raw_decode(text, _skip(space, text, place))
    except (ValueError, RecursionError):
        return None
    return text.count("\n", 0, _skip(space, text, place)) + 1


def _skip(space: re.Pattern[str], text: str, place: int) -> int:
    found: Any = space.match(text, place)
    return int(found.end())
