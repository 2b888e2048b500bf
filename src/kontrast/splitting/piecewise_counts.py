"""Counts in the making: pieces of a corpus are added one after the other, in memory or, for a large corpus, on disk.

What is always held in memory are the names of features with their totals, and one piece. The counts are the same
however the corpus is cut into pieces.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kontrast.splitting.corpus_counts import Lines, Numbers
from kontrast.splitting.features import Occurrences, compound_names
from kontrast.splitting.options import Filters
from kontrast.splitting.token_table import Array

_SENTENCES = {"lengths": "int32", "documents": "int32", "texts": "int64", "filtered": "uint8"}


class CorpusPiece(NamedTuple):
    """Sentences that are counted together: their features, and length, document, hash and reason left out of each."""

    found: Occurrences
    lengths: Array
    documents: Array
    texts: Array
    filtered: Array


class PiecewiseCounts:
    """The counts of the pieces added so far. Without a folder to ``work`` in there can be only one piece."""

    def __init__(self, work: Path | None) -> None:
        self._sentences = {name: _Spool(kind, work and work / name) for name, kind in _SENTENCES.items()}
        self._atoms, self._compounds = _Rows("atoms", work), _Rows("compounds", work)
        self._names: dict[bytes, int] | None = None if work is None else {}
        self._last: Occurrences | None = None

    @property
    def sentences(self) -> int:
        return sum(self._sentences["lengths"].sizes)

    def add(self, piece: CorpusPiece) -> None:
        found, rows = piece.found, len(piece.lengths)
        number, count = found.compound, len(found.compound_parts)
        if self._names is not None:
            number = _numbers(found, self._names)
            count = len(self._names)
        self._atoms.add(found.atom_sentence, found.atom, rows, len(found.atom_names))
        self._compounds.add(found.compound_sentence, number, rows, count)
        for name, spool in self._sentences.items():
            spool.add(getattr(piece, name))
        self._last = found

    def finish(self, filters: Filters) -> tuple[dict[str, Numbers], dict[str, Lines]] | None:
        """The columns and the names of features, rare and frequent compounds left out; None where nothing is left."""
        found = self._last
        atoms, compounds = self._atoms.totals > 0, self._compounds.totals >= max(1, filters.min_compound)
        if filters.max_compound is not None:
            compounds &= self._compounds.totals <= filters.max_compound
        if found is None or not atoms.any() or not compounds.any():
            return None
        columns = {f"{name}.npy": spool.numbers() for name, spool in self._sentences.items()}
        columns |= {**self._atoms.columns(atoms), **self._compounds.columns(compounds)}
        if self._names is None:
            names = compound_names(found, np.flatnonzero(compounds))
        else:
            names = Lines.joined(name for name, kept in zip(self._names, compounds.tolist(), strict=True) if kept)
        return columns, {
            "atoms": Lines.of(found.atom_names[i] for i in np.flatnonzero(atoms).tolist()),
            "compounds": names,
        }


def _numbers(found: Occurrences, names: dict[bytes, int]) -> Array:
    """The number of each compound in the whole corpus, in order of first sight."""
    lines = compound_names(found, np.arange(len(found.compound_parts)))
    blob = bytes(lines.blob)
    starts = [0, *lines.ends.tolist()]
    number = np.zeros(len(found.compound_parts), np.int32)
    for i in np.flatnonzero(np.bincount(found.compound, minlength=len(number))).tolist():
        number[i] = names.setdefault(blob[starts[i] : starts[i + 1]], len(names))
    return number[found.compound]


class _Spool:
    """Numbers of one kind, read back in the pieces in which they were added; in a file where there is one."""

    def __init__(self, kind: str, path: Path | None) -> None:
        self._kind, self._path, self.sizes = np.dtype(kind), path, list[int]()
        self._kept: list[Array] = []
        if path is not None:
            path.write_bytes(b"")

    def add(self, values: Array) -> None:
        self.sizes.append(len(values))
        if self._path is None:
            self._kept.append(values.astype(self._kind, copy=False))
            return
        with open(self._path, "ab") as out:
            out.write(values.astype(self._kind).tobytes())

    def pieces(self) -> Iterator[Array]:
        if self._path is None:
            yield from self._kept
            return
        with open(self._path, "rb") as stream:
            for size in self.sizes:
                yield np.frombuffer(stream.read(size * self._kind.itemsize), self._kind)

    def numbers(self) -> Numbers:
        return Numbers(self._kind, sum(self.sizes), self.pieces)


class _Rows:
    """The rows of one matrix, as they come: features by their first numbers, those to be left out among them."""

    def __init__(self, name: str, work: Path | None) -> None:
        self.name, self.totals = name, np.zeros(0, np.int64)
        self._sizes, self._indices, self._data = (
            _Spool("int32", work and work / f"{name}.{part}") for part in ("sizes", "indices", "data")
        )
        self._most = 0

    def add(self, sentence: Array, feature: Array, rows: int, features: int) -> None:
        from kontrast.splitting.compiled_loops import csr_rows

        starts, indices, data = csr_rows(sentence.astype(np.int32), feature.astype(np.int32), rows)
        totals = np.bincount(indices, data, features).astype(np.int64)
        totals[: len(self.totals)] += self.totals
        self.totals, self._most = totals, max(self._most, int(data.max(initial=0)))
        for spool, values in ((self._sizes, np.diff(starts)), (self._indices, indices), (self._data, data)):
            spool.add(values)

    def columns(self, keep: Array) -> dict[str, Numbers]:
        """The parts of the matrix without the features that are not kept, the others numbered anew."""
        number = np.cumsum(keep, dtype=np.int32) - 1
        every = not (self.totals[~keep] > 0).any()

        def indices() -> Iterator[Array]:
            return (number[i if every else i[keep[i]]] for i in self._indices.pieces())

        def data() -> Iterator[Array]:
            for values, index in zip(self._data.pieces(), self._indices.pieces(), strict=True):
                yield values if every else values[keep[index]]

        def starts() -> Iterator[Array]:
            total = 0
            yield np.zeros(1, np.int64)
            for sizes, index in zip(self._sizes.pieces(), self._indices.pieces(), strict=True):
                ends = np.cumsum(sizes, dtype=np.int64)
                if not every:
                    ends = np.concatenate([[0], np.cumsum(keep[index])])[ends]
                yield ends + total
                total += int(ends[-1]) if len(ends) else 0

        small = self._most <= 255 or all(values.max(initial=0) <= 255 for values in data())
        count = sum(self._indices.sizes) if every else sum(int(keep[i].sum()) for i in self._indices.pieces())
        rows = sum(self._sizes.sizes)
        parts = {
            "indptr": Numbers(np.dtype("int64"), rows + 1, starts),
            "indices": Numbers(np.dtype("int32"), count, indices),
            "data": Numbers(np.dtype("uint8" if small else "int32"), count, data),
        }
        return {f"{self.name}.{part}.npy": column for part, column in parts.items()}
