"""Counts of a corpus: two sparse matrices with their vocabularies, in a folder, mapped into memory when read."""

from __future__ import annotations

import hashlib
import mmap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

import msgspec
import numpy as np

from kontrast.errors import InputError
from kontrast.io.files import refuse_input
from kontrast.io.json_input import FAILURES, write_json
from kontrast.record import short_facts
from kontrast.splitting.token_table import Array

VERSION = 2
MOST = 1 << 24
"""Words of a sentence, and documents without a sentence: tables as long as the largest of them are made."""


class Lines(Sequence[str]):
    """Strings in one block of bytes, a line each; only what is asked for is decoded."""

    def __init__(self, blob: Any, ends: Array | None = None) -> None:
        self.blob = blob
        self.ends = np.flatnonzero(np.frombuffer(blob, np.uint8) == 10) + 1 if ends is None else ends

    @classmethod
    def of(cls, strings: Iterable[str]) -> Lines:
        strings = list(strings)
        lines = cls("".join(f"{string}\n" for string in strings).encode())
        if len(lines) != len(strings):  # a name with a line end in it
            return cls.of([string.replace("\n", " ") for string in strings])
        return lines

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        index = int(index) % len(self)
        start = int(self.ends[index - 1]) if index else 0
        return bytes(self.blob[start : int(self.ends[index]) - 1]).decode(errors="replace")


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
        from kontrast.splitting.compiled_loops import fill_sides, readonly

        sides = np.zeros((self.features, 2), np.int32)
        fill_sides(readonly(self.indptr), readonly(self.indices), readonly(self.data), place.astype(np.int8), sides)
        return sides

    def mass(self) -> Array:
        """How many features each sentence has, counted as often as they occur."""
        from kontrast.splitting.compiled_loops import readonly, tally

        arrays = readonly(self.indptr), readonly(self.indices), readonly(self.data)
        return np.asarray(tally(*arrays, np.arange(self.rows), self.features)[2])

    def counts_in(self, rows: Array) -> tuple[Array, Array]:
        """The features of some sentences, and how often each occurs in them."""
        places = np.concatenate([np.arange(self.indptr[row], self.indptr[row + 1]) for row in rows.tolist()])
        features, number = np.unique(self.indices[places], return_inverse=True)
        return features, np.bincount(number, self.data[places], minlength=len(features)).astype(np.int64)


def csr_rows(sentence: Array, feature: Array, sentences: int) -> tuple[Array, Array, Array]:
    """Occurrences as a sparse matrix: (row starts, features in order, how often each)."""
    size = int(feature.max(initial=0)) + 1
    key = np.sort(sentence.astype(np.int64) * size + feature)
    first = np.flatnonzero(np.diff(key, prepend=-1))
    times = np.diff(first, append=len(key)).astype(np.int32)
    key = key[first]
    return np.searchsorted(key, np.arange(sentences + 1) * size), (key % size).astype(np.int32), times


def build_matrix(sentence: Array, feature: Array, sentences: int, names: Lines) -> Matrix:
    """A matrix from occurrences; counts take one byte each where they fit."""
    indptr, indices, data = csr_rows(sentence, feature, sentences)
    return Matrix(indptr, indices, data.astype(np.uint8) if data.max(initial=0) <= 255 else data, names)


REASONS = ("kept", "length", "duplicate", "ratio")
"""Why a sentence was left out, by its number in ``filtered``."""


class CorpusCounts(msgspec.Struct, frozen=True):
    """Atoms and compounds of every sentence, with its length, document and a hash of its words.

    ``filtered`` is the reason for which a sentence was left out before counting (0: none); empty if nothing was
    filtered.
    """

    atoms: Matrix
    compounds: Matrix
    lengths: Array
    documents: Array
    texts: Array
    about: dict[str, Any] = {}
    filtered: Array = np.zeros(0, np.uint8)

    @property
    def sentences(self) -> int:
        return len(self.lengths)

    @property
    def kept(self) -> Array:
        """Of each sentence, whether it passed the filter."""
        return self.filtered == 0 if len(self.filtered) else np.ones(self.sentences, np.bool_)

    def __str__(self) -> str:
        return f"CorpusCounts: {short_facts(self.to_dict())}"

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        """Sizes, and how many sentences were left out and why, as `kontrast count --json` prints them."""
        summary = {
            "sentences": self.sentences,
            "tokens": int(self.lengths.sum()),
            "atoms": self.atoms.features,
            "compounds": self.compounds.features,
            "featureless": int(((np.diff(self.compounds.indptr) == 0) & self.kept).sum()),
        }
        if len(self.filtered):
            for number, reason in enumerate(REASONS[1:], start=1):
                summary[f"left out: {reason}"] = int((self.filtered == number).sum())
        if mismatch := self.about.get("mismatch"):
            summary["lines cut"] = mismatch["lines"] if isinstance(mismatch, dict) else mismatch.lines
        return summary


ARRAYS = {"lengths": "int32", "documents": "int32", "texts": "int64", "filtered": "uint8"}
"""What there is of each sentence, and its type."""
_MATRICES = ("atoms", "compounds")
_PARTS = {"indptr": "int64", "indices": "int32", "data": "", "ends": "int64"}
Columns = dict[str, Array]
"""The arrays of counts by the names of their files, or a piece of each."""


def counts_of(pieces: Iterable[Columns], names: Mapping[str, Lines], about: dict[str, Any]) -> CorpusCounts:
    """Counts in memory."""
    pieces = list(pieces)
    columns = pieces[0]
    if len(pieces) > 1:
        columns = {name: np.concatenate([piece[name] for piece in pieces]) for name in columns}

    def matrix(name: str) -> Matrix:
        return Matrix(columns[f"{name}.indptr"], columns[f"{name}.indices"], columns[f"{name}.data"], names[name])

    lengths, documents, texts, filtered = (columns[name] for name in ARRAYS)
    return CorpusCounts(matrix("atoms"), matrix("compounds"), lengths, documents, texts, about, filtered)


def save_counts(counts: CorpusCounts, folder: str | Path) -> None:
    """Write the folder of counts that are in memory."""
    columns = {name: np.asarray(getattr(counts, name)) for name in ARRAYS}
    matrices = {name: getattr(counts, name) for name in _MATRICES}
    for name, matrix in matrices.items():
        columns |= {f"{name}.{part}": getattr(matrix, part) for part in ("indptr", "indices", "data")}
    write_counts(Path(folder), [columns], {name: matrix.names for name, matrix in matrices.items()}, counts.about)


def write_counts(
    folder: Path, pieces: Iterable[Columns], names: Mapping[str, Lines], about: Mapping[str, Any]
) -> None:
    """Write the folder; ``counts.json``, with the checksum of every file, comes last: a folder with it is whole."""
    from kontrast import __version__

    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "counts.json").unlink(missing_ok=True)
        for name, lines in names.items():
            refuse_input(folder / f"{name}.txt")
            (folder / f"{name}.txt").write_bytes(lines.blob)
            np.save(folder / f"{name}.ends.npy", lines.ends)
        sentences, tokens = _write_columns(folder, pieces)
        sums = {file: _checksum(folder / file) for file in _files()}
    except OSError as error:
        raise InputError(folder, f"cannot be written ({error.strerror or error})") from error
    about = {
        "kontrast": __version__,
        "version": VERSION,
        "sentences": sentences,
        "tokens": tokens,
        **{name: len(lines) for name, lines in names.items()},
        **about,
        "checksums": sums,
    }
    write_json(folder / "counts.json", about)


def _write_columns(folder: Path, pieces: Iterable[Columns]) -> tuple[int, int]:
    """Each column as an array's file, whose header is written again with the length; gives sentences and tokens."""
    files: dict[str, IO[bytes]] = {}
    lengths: Counter[str] = Counter()
    tokens = 0
    with ExitStack() as stack:
        for piece in pieces:
            tokens += int(piece["lengths"].sum())
            for name, values in piece.items():
                if name not in files:
                    files[name] = stack.enter_context(open(folder / f"{name}.npy", "wb"))
                    _write_header(files[name], values, 0)
                lengths[name] += len(values)
                files[name].write(np.ascontiguousarray(values).data)
        for name, values in piece.items():
            files[name].seek(0)
            _write_header(files[name], values, lengths[name])
    return lengths["lengths"], tokens


def _write_header(out: IO[bytes], values: Array, length: int) -> None:
    described = {"descr": values.dtype.str, "fortran_order": False, "shape": (length,)}
    np.lib.format.write_array_header_1_0(out, described)


def load_counts(folder: str | Path) -> CorpusCounts:
    """Open a folder that `kontrast count` wrote; it is checked, then mapped into memory."""
    folder = Path(folder)
    try:
        about = msgspec.json.decode((folder / "counts.json").read_bytes(), type=dict[str, Any])
    except (OSError, ValueError, *FAILURES) as error:
        raise InputError(folder, "expected a folder written by `kontrast count` (it has counts.json)") from error
    if about.get("version") != VERSION:
        raise InputError(folder, f"has format version {about.get('version')}, expected {VERSION}; count again")
    sums = about.pop("checksums", None)
    mismatch = about.get("mismatch", {"lines": 0})
    if not isinstance(mismatch, dict) or not isinstance(mismatch.get("lines"), int):
        raise InputError(folder, "is damaged (mismatch in counts.json has no number of lines); count again")
    try:
        matrices = [_open_matrix(folder, name) for name in _MATRICES]
        arrays = [_array(folder / f"{name}.npy", kind) for name, kind in ARRAYS.items()]
        if not isinstance(sums, dict) or any(_checksum(folder / file) != sums.get(file) for file in _files()):
            raise ValueError("a file was changed after counting")
        _check_matrices(matrices, arrays)
    except (OSError, ValueError, EOFError) as error:
        raise InputError(folder, f"is damaged ({error}); count again") from error
    lengths, documents, texts, filtered = arrays
    return CorpusCounts(matrices[0], matrices[1], lengths, documents, texts, about, filtered)


def _files() -> list[str]:
    parts = [f"{name}.{part}.npy" for name in _MATRICES for part in _PARTS]
    return [*(f"{name}.npy" for name in ARRAYS), *parts, "atoms.txt", "compounds.txt"]


def _checksum(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _array(path: Path, kind: str) -> Array:
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except OSError:
        raise
    except Exception as error:  # of a damaged header NumPy raises what its parser does
        raise ValueError(f"{path.name} is not an array") from error
    if not isinstance(array, np.ndarray):
        raise ValueError(f"{path.name} is not an array")
    if array.ndim != 1 or array.dtype.kind not in "iu" or (kind and array.dtype != np.dtype(kind)):
        raise ValueError(f"{path.name} holds {array.dtype} of {array.ndim} dimensions, not {kind or 'whole numbers'}")
    return np.asarray(array) if not len(array) else array


def _open_matrix(folder: Path, name: str) -> Matrix:
    indptr, indices, data, ends = (_array(folder / f"{name}.{part}.npy", kind) for part, kind in _PARTS.items())
    path = folder / f"{name}.txt"
    blob: Any = b""
    if path.stat().st_size:
        with path.open("rb") as stream:
            blob = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    return Matrix(indptr, indices, data, Lines(blob, ends))


def _check_matrices(matrices: list[Matrix], arrays: list[Array]) -> None:
    """Every index must be inside what it points to: the compiled loops do not look."""
    sentences = len(arrays[0])
    if any(len(array) != sentences for array in arrays[1:3]) or len(arrays[3]) not in (0, sentences):
        raise ValueError("lengths, documents and texts have different numbers of sentences")
    if any(len(a) and (a.min() < 0 or a.max() >= MOST + len(a)) for a in arrays[:2]):
        raise ValueError("a length or document is negative or too large")
    for matrix in matrices:
        starts, indices, data, ends = matrix.indptr, matrix.indices, matrix.data, matrix.names.ends
        if len(starts) != sentences + 1 or starts[0] != 0 or _falls(starts, 0):
            raise ValueError("a row does not begin at the end of the previous one")
        if starts[-1] != len(indices) or len(indices) != len(data):
            raise ValueError("rows and counts have different sizes")
        if len(indices) and (indices.min() < 0 or indices.max() >= len(ends) or data.min() < 1 or data.max() > MOST):
            raise ValueError("a feature number or count is out of range")
        if len(ends) and (ends[0] < 1 or _falls(ends, 1) or ends[-1] != len(matrix.names.blob)):
            raise ValueError("a name does not end at the beginning of the next one")


def _falls(array: Array, least: int) -> bool:
    """Whether a number is less than ``least`` above the one before; looked at in pieces."""
    return any(bool((np.diff(array[a : b + 1]) < least).any()) for a, b in _stretches(len(array)))


def _stretches(length: int, size: int = 1 << 20) -> Iterator[tuple[int, int]]:
    return ((start, min(start + size, length)) for start in range(0, length, size))
