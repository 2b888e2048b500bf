"""Parallel text: two files line by line, or the documents of a folder."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import msgspec

from kontrast.errors import InputError
from kontrast.io.files import open_lines, read_lines

__all__ = ["Document", "parallel_documents", "parallel_lines"]


class Document(msgspec.Struct, frozen=True):
    """One document in two languages, line by line."""

    name: str
    source: tuple[str, ...]
    target: tuple[str, ...]


def parallel_lines(source: str | Path, target: str | Path) -> Iterator[tuple[str, str]]:
    """Pairs of lines; files of unequal length are an error at the line where one ends."""
    for number, (a, b) in enumerate(zip_longest(open_lines(source), open_lines(target)), start=1):
        if a is None or b is None:
            short, long = (source, target) if a is None else (target, source)
            raise InputError(short, f"ends here, but {long} goes on: expected files of equal length", line=number)
        yield a, b


def parallel_documents(folder: str | Path, source_language: str, target_language: str) -> Iterator[Document]:
    """The documents below a folder (``YEAR/NAME.LANGUAGE``) that have both languages, in the order of their names."""
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError(folder, "expected a folder of documents, YEAR/NAME.LANGUAGE, as `kontrast documents` writes")
    paths = sorted(folder.rglob(f"*.{source_language}"))
    found = False
    for path in paths:
        other = path.with_suffix(f".{target_language}")
        if not other.exists():
            continue
        found = True
        source, target = read_lines(path), read_lines(other)
        if len(source) != len(target):
            line = min(len(source), len(target)) + 1
            raise InputError(other, f"has {len(target)} lines, {path.name} has {len(source)}", line=line)
        yield Document(path.stem, tuple(source), tuple(target))
    if not found:
        raise InputError(folder, f"has no document in both {source_language} and {target_language}")
