"""Tables of tokens that are parts of one corpus: a common vocabulary, put together, and as bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kontrast.splitting.tokens import Array, TokenTable, Vocabulary

__all__ = ["Growing", "TablesOnDisk", "joined", "packed", "unpacked"]

_COLUMNS = {"word": "words", "relation": "relations", "tag": "tags", "morph": "morphs"}
_NUMBERS = {**dict.fromkeys(("word", "relation", "head", "tag", "morph", "document"), np.int32), "starts": np.int64}
_NUMBERS |= {"text": np.int64}


class Growing:
    """The vocabularies of a corpus that is read table by table."""

    def __init__(self) -> None:
        self._names = {column: Vocabulary() for column in _COLUMNS}

    def number(self, column: str, name: str) -> int:
        return self._names[column].number(name)

    def count(self, column: str) -> int:
        return len(self._names[column])

    def add(self, table: TokenTable) -> TokenTable:
        """A table with names of its own in the numbers of the whole corpus."""
        columns = {}
        for column, field in _COLUMNS.items():
            own = self._names[column]
            number = np.array([own.number(name) for name in getattr(table, field)], np.int32)
            values = getattr(table, column)
            columns[column] = number[values] if len(number) else values
        empty: dict[str, list[str]] = {field: [] for field in _COLUMNS.values()}
        return msgspec.structs.replace(table, **columns, **empty)

    def named(self, table: TokenTable, frequency: Array | None = None) -> TokenTable:
        """The table with all the names that there are by now."""
        names = {field: self._names[column].strings for column, field in _COLUMNS.items()}
        return msgspec.structs.replace(table, **names, frequency=frequency)


def joined(tables: Iterable[TokenTable], tokens: int | None = None) -> Iterator[TokenTable]:
    """Tables of a corpus put together, each of at least so many tokens; all in one for None."""
    waiting: list[TokenTable] = []
    for table in tables:
        waiting.append(table)
        if tokens is not None and sum(each.tokens for each in waiting) >= tokens:
            yield _concatenated(waiting)
            waiting = []
    if waiting:
        yield _concatenated(waiting)


def _concatenated(tables: list[TokenTable]) -> TokenTable:
    if len(tables) == 1:
        return tables[0]
    names = (*_COLUMNS, "head", "document", "text")
    columns = {name: np.concatenate([getattr(table, name) for table in tables]) for name in names}
    sizes = np.concatenate([np.diff(table.starts) for table in tables])
    return msgspec.structs.replace(tables[0], starts=np.concatenate([[0], np.cumsum(sizes)]), **columns)


class _Packed(msgspec.Struct):
    numbers: dict[str, bytes]
    names: dict[str, list[str]]


def packed(table: TokenTable) -> bytes:
    """The table as bytes."""
    numbers = {name: np.ascontiguousarray(getattr(table, name), kind).tobytes() for name, kind in _NUMBERS.items()}
    return msgspec.msgpack.encode(_Packed(numbers, {field: getattr(table, field) for field in _COLUMNS.values()}))


def unpacked(data: bytes) -> TokenTable:
    """The table that `packed` packed."""
    found = msgspec.msgpack.decode(data, type=_Packed)
    numbers = {name: np.frombuffer(found.numbers[name], kind) for name, kind in _NUMBERS.items()}
    fields: dict[str, Any] = {**numbers, **found.names}
    return TokenTable(**fields)


class TablesOnDisk:
    """Tables in one file, to be walked through again and again."""

    def __init__(self, path: Path, tables: Iterable[TokenTable]) -> None:
        self._path, self._sizes = path, list[int]()
        with open(path, "wb") as out:
            for table in tables:
                self._sizes.append(out.write(packed(table)))

    def __call__(self) -> Iterator[TokenTable]:
        with open(self._path, "rb") as stream:
            for size in self._sizes:
                yield unpacked(stream.read(size))
