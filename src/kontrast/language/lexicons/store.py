"""A sorted table of words on disk, memory-mapped: small (shared beginnings are stored once), nothing to load.

Layout: a magic line, four 32-bit numbers (entries, block size, bytes of blocks, bytes of values), the blocks'
offsets, the blocks, the distinct values one per line. An entry is the length of what it shares with the one before,
the rest and its length, and the number of its value (little-endian, 3 bytes).
"""

from __future__ import annotations

import mmap
import struct
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from kontrast.errors import InputError
from kontrast.language.lexicons.paradigms import shared_length

FOLDER = Path(__file__).resolve().parents[2] / "data" / "lexicons"
_MAGIC = b"kontrast table 1\n"
_BLOCK = 16
_MOST = 255
"""Bytes that a byte can count."""


def write_table(path: str | Path, entries: Iterable[tuple[str, str]]) -> None:
    """Write (word, value) pairs; words are unique, frequent values get small numbers."""
    ordered = sorted((word.encode(), value.encode()) for word, value in entries)
    common = Counter(value for _, value in ordered)
    values = sorted(common, key=lambda value: (-common[value], value))
    number = {value: i for i, value in enumerate(values)}
    blocks = bytearray()
    offsets: list[int] = []
    previous = b""
    for i, (word, value) in enumerate(ordered):
        if i % _BLOCK == 0:
            offsets.append(len(blocks))
            previous = b""
        shared = min(shared_length(word, previous), _MOST)
        rest = word[shared:]
        blocks += bytes((shared, len(rest))) + rest + number[value].to_bytes(3, "little")
        previous = word
    packed = b"\n".join(values)
    head = _MAGIC + struct.pack("<4I", len(ordered), _BLOCK, len(blocks), len(packed))
    Path(path).write_bytes(head + struct.pack(f"<{len(offsets)}I", *offsets) + blocks + packed)


@cache
def table(name: str) -> LexiconTable:
    """A table of the package, opened once."""
    return LexiconTable(FOLDER / name)


class LexiconTable:
    """Look words up in a file of `write_table`."""

    def __init__(self, path: str | Path) -> None:
        with open(path, "rb") as stream:
            self._map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        if self._map[: len(_MAGIC)] != _MAGIC:
            raise InputError(path, "expected a word table of kontrast")
        at = len(_MAGIC)
        self._count, self._block, size, value_size = struct.unpack_from("<4I", self._map, at)
        at += 16
        blocks = -(-self._count // self._block)
        self._offsets = struct.unpack_from(f"<{blocks}I", self._map, at)
        self._start = at + 4 * blocks
        self._end = self._start + size
        self._values = self._map[self._end : self._end + value_size].decode().split("\n")
        self._found: dict[str, str | None] = {}
        self._heads: list[bytes] = []
        """The first word of each block, once a word is looked up."""

    def __len__(self) -> int:
        return int(self._count)

    def get(self, word: str) -> str | None:
        """The value of a word, None where it is not there."""
        found = self._found.get(word, "")
        if found != "":
            return found
        value = self._search(word.encode())
        if len(self._found) > 200_000:
            self._found.clear()
        self._found[word] = value
        return value

    def __contains__(self, word: str) -> bool:
        return self.get(word) is not None

    def items(self) -> Iterator[tuple[str, str]]:
        """All (word, value) pairs in byte order."""
        for block in range(len(self._offsets)):
            for word, value in self._entries(block):
                yield word.decode(), self._values[value]

    def _search(self, wanted: bytes) -> str | None:
        if not self._heads:
            self._heads = self._first_words()
        low = bisect_right(self._heads, wanted)
        if low == 0:
            return None
        at, end = self._bounds(low - 1)
        data = self._map
        same = 0  # bytes that the entry before has in common with the word, as far as entries count them
        while at < end:
            shared, length = data[at], data[at + 1]
            if shared < same:
                return None  # beyond it
            if shared == same:
                rest, left = data[at + 2 : at + 2 + length], wanted[same:]
                if rest >= left:
                    at += 2 + length
                    return self._values[int.from_bytes(data[at : at + 3], "little")] if rest == left else None
                same = min(same + shared_length(rest, left), _MOST)
            at += 5 + length
        return None

    def _bounds(self, block: int) -> tuple[int, int]:
        following = self._offsets[block + 1] if block + 1 < len(self._offsets) else self._end - self._start
        return self._start + self._offsets[block], self._start + following

    def _first_words(self) -> list[bytes]:
        data, start = self._map, self._start
        return [data[start + at + 2 : start + at + 2 + data[start + at + 1]] for at in self._offsets]

    def _entries(self, block: int) -> Iterator[tuple[bytes, int]]:
        at, end = self._bounds(block)
        word = b""
        while at < end:
            shared, length = self._map[at], self._map[at + 1]
            word = word[:shared] + self._map[at + 2 : at + 2 + length]
            at += 2 + length
            yield word, int.from_bytes(self._map[at : at + 3], "little")
            at += 3
