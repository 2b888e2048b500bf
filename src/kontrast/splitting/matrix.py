"""Counts of a corpus: two sparse matrices with their vocabularies, in a folder, mapped into memory when read."""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kontrast.errors import InputError
from kontrast.splitting.tokens import Array

__all__ = ["CorpusCounts", "Lines", "Matrix", "load_counts", "save_counts"]

VERSION = 1


class Lines(Sequence[str]):
    """Strings in one block of bytes, a line each; only what is asked for is decoded.

    >>> lines = Lines.of(["a", "b\\tc"])
    >>> len(lines), lines[1]
    (2, 'b\\tc')
    """

    def __init__(self, blob: Any, ends: Array) -> None:
        self.blob, self.ends = blob, ends

    @classmethod
    def of(cls, strings: Iterable[str]) -> Lines:
        strings = list(strings)
        blob = "".join(f"{string}\n" for string in strings).encode()
        ends = np.flatnonzero(np.frombuffer(blob, np.uint8) == 10) + 1
        if len(ends) != len(strings):  # a name with a line end in it
            return cls.of([string.replace("\n", " ") for string in strings])
        return cls(blob, ends.astype(np.int64))

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        index = int(index) % len(self)
        start = int(self.ends[index - 1]) if index else 0
        return bytes(self.blob[start : int(self.ends[index]) - 1]).decode()


class Matrix(msgspec.Struct, frozen=True):
    """Rows are sentences: features ``indices[indptr[i]:indptr[i + 1]]``, each counted ``data`` times."""

    indptr: Array
    indices: Array
    data: Array
    names: Lines

    @property
    def features(self) -> int:
        return len(self.names)

    @property
    def rows(self) -> int:
        return len(self.indptr) - 1

    def sides(self, place: Array) -> Array:
        """How often each feature occurs in sentences of place 0 and of place 1; other places are left out."""
        from kontrast.splitting.compiled import readonly
        from kontrast.splitting.tallying import fill_sides

        sides = np.zeros((self.features, 2), np.int32)
        fill_sides(readonly(self.indptr), readonly(self.indices), readonly(self.data), place.astype(np.int8), sides)
        return sides

    def mass(self) -> Array:
        """How many features each sentence has, counted as often as they occur."""
        total = np.concatenate([[0], np.cumsum(self.data, dtype=np.int64)])
        return np.asarray(total[self.indptr[1:]] - total[self.indptr[:-1]])

    def counts_in(self, rows: Array) -> tuple[Array, Array]:
        """The features of some sentences, and how often each occurs in them."""
        places = np.concatenate([np.arange(self.indptr[row], self.indptr[row + 1]) for row in rows.tolist()])
        features, number = np.unique(self.indices[places], return_inverse=True)
        return features, np.bincount(number, self.data[places], minlength=len(features)).astype(np.int64)


class CorpusCounts(msgspec.Struct, frozen=True):
    """Atoms and compounds of every sentence, with its length, document and a hash of its words."""

    atoms: Matrix
    compounds: Matrix
    lengths: Array
    documents: Array
    texts: Array
    about: dict[str, Any] = {}

    @property
    def sentences(self) -> int:
        return len(self.lengths)


_ARRAYS = ("lengths", "documents", "texts")


def save_counts(counts: CorpusCounts, folder: str | Path) -> None:
    """Write the folder; ``counts.json`` comes last, so that a folder with it is whole."""
    from kontrast import __version__
    from kontrast.io.json_input import write_json

    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "counts.json").unlink(missing_ok=True)
        for name in _ARRAYS:
            np.save(folder / f"{name}.npy", getattr(counts, name))
        for name, matrix in (("atoms", counts.atoms), ("compounds", counts.compounds)):
            np.save(folder / f"{name}.indptr.npy", matrix.indptr)
            np.save(folder / f"{name}.indices.npy", matrix.indices)
            np.save(folder / f"{name}.data.npy", matrix.data)
            np.save(folder / f"{name}.ends.npy", matrix.names.ends)
            (folder / f"{name}.txt").write_bytes(matrix.names.blob)
    except OSError as error:
        raise InputError(folder, f"cannot be written ({error.strerror or error})") from error
    about = {
        "kontrast": __version__,
        "version": VERSION,
        "sentences": counts.sentences,
        "tokens": int(counts.lengths.sum()),
        "atoms": counts.atoms.features,
        "compounds": counts.compounds.features,
        **counts.about,
    }
    write_json(folder / "counts.json", about)


def load_counts(folder: str | Path) -> CorpusCounts:
    """Open a folder that `kontrast count` wrote; nothing is read before it is used."""
    folder = Path(folder)
    try:
        about = msgspec.json.decode((folder / "counts.json").read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(folder, "expected a folder written by `kontrast count` (it has counts.json)") from error
    if about.get("version") != VERSION:
        raise InputError(folder, f"has format version {about.get('version')}, expected {VERSION}; count again")
    try:
        atoms, compounds = (_open_matrix(folder, name) for name in ("atoms", "compounds"))
        lengths, documents, texts = (np.load(folder / f"{name}.npy", mmap_mode="r") for name in _ARRAYS)
    except (OSError, ValueError) as error:
        raise InputError(folder, f"is not whole ({error}); count again") from error
    return CorpusCounts(atoms, compounds, lengths, documents, texts, about)


def _open_matrix(folder: Path, name: str) -> Matrix:
    indptr, indices, data, ends = (
        np.load(folder / f"{name}.{part}.npy", mmap_mode="r") for part in ("indptr", "indices", "data", "ends")
    )
    path = folder / f"{name}.txt"
    blob: Any = b""
    if path.stat().st_size:
        with path.open("rb") as stream:
            blob = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    return Matrix(indptr, indices, data, Lines(blob, ends))
