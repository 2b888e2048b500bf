"""Items of a large suite as the bytes of their JSON: a tenth of the objects' memory, decoded when they are looked at.

A suite with more than `PACKED_FROM` items in the native format has its items so. They are walked through and indexed
as a tuple's are; each look makes the objects anew. Who needs few fields of all items says which (`fields_of`).
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, islice
from typing import TYPE_CHECKING, TypeVar, cast, overload

import msgspec

from kontrast.suites.model import Item

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

PACKED_FROM = 20_000
"""Suites with more items than this are packed."""
BLOCK = 64
"""Items that are decoded at a time: small enough to look at a single one."""

T = TypeVar("T")
_ENCODER, _CANONICAL = msgspec.json.Encoder(), msgspec.json.Encoder(order="deterministic")
_DECODER = msgspec.json.Decoder(Item)


class PackedItems(Sequence[Item]):
    """What `Packing` made: so many items a block, and what every command asks of each item."""

    def __init__(self, blocks: list[bytes], sizes: array[int], correct: array[int], fingerprint: str) -> None:
        self._blocks, self.sizes, self.correct, self.fingerprint = blocks, sizes, correct, fingerprint

    @property
    def row_count(self) -> int:
        return sum(self.sizes)

    def __len__(self) -> int:
        return len(self.sizes)

    def __iter__(self) -> Iterator[Item]:
        return self.fields(Item)

    def fields(self, kind: type[T]) -> Iterator[T]:
        """Every item as a struct with some of its fields."""
        return chain.from_iterable(map(msgspec.json.Decoder(kind).decode_lines, self._blocks))

    def lines(self) -> Iterator[bytes]:
        """Every item as JSON."""
        return chain.from_iterable(block.splitlines() for block in self._blocks)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, index: int | slice) -> Item | tuple[Item, ...]:
        if isinstance(index, slice):
            return tuple(map(self.__getitem__, range(*index.indices(len(self)))))
        if not -len(self) <= index < len(self):
            raise IndexError("tuple index out of range")
        block, line = divmod(index % len(self), BLOCK)
        return _DECODER.decode(self._blocks[block].split(b"\n", line + 1)[line])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PackedItems):
            return self._blocks == other._blocks
        return isinstance(other, tuple) and tuple(self) == other

    def __hash__(self) -> int:
        return hash(self.fingerprint)


class Packing:
    """Takes the items of a suite as they are read."""

    def __init__(self) -> None:
        self._blocks: list[bytes] = []
        self._items: list[Item] = []
        self._sizes, self._correct = array("q"), array("q")
        self._digest = hashlib.sha256()

    def add(self, items: Sequence[Item], lines: bytes) -> None:
        """Take items, and the lines that they were read from."""
        self._items += items
        if self._blocks or len(self._items) > PACKED_FROM:
            self._pack(len(self._items) // BLOCK * BLOCK, lines)

    def _pack(self, count: int, lines: bytes = b"") -> None:
        for start in range(0, count, BLOCK):
            items = self._items[start : min(start + BLOCK, count)]
            self._sizes.extend([len(item.variants) for item in items])
            self._correct.extend([item.correct for item in items])
            canonical = _CANONICAL.encode_lines(items)
            self._digest.update(canonical)
            # As they were read, where that is how we write them; bytes() leaves out the room that they were made in.
            self._blocks.append(lines if canonical == lines else bytes(memoryview(_ENCODER.encode_lines(items))))
        del self._items[:count]

    def items(self) -> Sequence[Item]:
        """All of them; few ones as they are."""
        if not self._blocks:
            return tuple(self._items)
        self._pack(len(self._items))
        return PackedItems(self._blocks, self._sizes, self._correct, self._digest.hexdigest())


def packed(items: Iterable[Item]) -> Sequence[Item]:
    """Items that are made one by one, all of whose values JSON can hold."""
    packing, items = Packing(), iter(items)
    while some := list(islice(items, BLOCK)):
        packing.add(some, b"")
    return packing.items()


def as_held(made: Iterable[Item], items: Sequence[Item]) -> Sequence[Item]:
    """Items that are made of others, packed where those are."""
    return packed(made) if isinstance(items, PackedItems) else tuple(made)


def fields_of(items: Sequence[Item], kind: type[T]) -> Iterator[T]:
    """Every item as far as ``kind`` has its fields: a struct with some of an item's, by the same names."""
    return items.fields(kind) if isinstance(items, PackedItems) else iter(cast("Sequence[T]", items))


def unusual(items: Sequence[Item]) -> Iterator[tuple[int, Item]]:
    """The items that may hold a character other than printable ASCII, with their places."""
    if not isinstance(items, PackedItems):
        yield from enumerate(items)
        return
    for i, line in enumerate(items.lines()):
        if not line.isascii() or b"\\" in line or b"\x7f" in line:
            yield i, _DECODER.decode(line)


def shape_of(items: Sequence[Item]) -> tuple[Ints, Ints]:
    """How many variants each item has, and which of them is correct."""
    import numpy as np

    if isinstance(items, PackedItems):
        return np.array(items.sizes, dtype=np.int64), np.array(items.correct, dtype=np.int64)
    sizes = np.array([len(item.variants) for item in items], dtype=np.int64)
    return sizes, np.array([item.correct for item in items], dtype=np.int64)


def row_starts(items: Sequence[Item]) -> list[int]:
    """The number of each item's first row, and of all rows."""
    return list(accumulate(shape_of(items)[0].tolist(), initial=0))


def numbered_keys(keys: Callable[[], Iterator[Hashable]], hashes: array[int] | None = None) -> Ints:
    """The same number for the same key, by first occurrence; of keys that come once only the hash is kept.

    ``hashes`` are those of the keys, where they were seen before.
    """
    import numpy as np

    if hashes is None:
        hashes = array("q", map(hash, keys()))
    _, first, number, counts = np.unique(hashes, return_index=True, return_inverse=True, return_counts=True)
    alike: dict[int, Hashable] = {}
    for n, key in zip(number.tolist(), keys(), strict=True) if (counts > 1).any() else ():
        if counts[n] > 1 and alike.setdefault(n, key) != key:  # two keys with one hash
            every: dict[Hashable, int] = {}
            return np.array([every.setdefault(each, len(every)) for each in keys()], dtype=np.int64)
    return np.argsort(np.argsort(first))[number].astype(np.int64)
