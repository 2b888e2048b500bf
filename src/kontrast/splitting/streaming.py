"""Counts of a corpus of any size: tables of some thousand sentences lie on disk, and so do the counts as they grow.

What is held in memory are the vocabularies, the names of compounds with their totals, and one table. The bytes
written are those that `count_table` and `save_counts` would write.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from kontrast.errors import KontrastError
from kontrast.splitting.features import about_features, occurrences
from kontrast.splitting.filters import Filters
from kontrast.splitting.matrix import CorpusCounts, Lines, Numbers, load_counts, write_counts
from kontrast.splitting.occurrences import Occurrences, compound_names
from kontrast.splitting.sentence_filter import SentenceFilter, filter_sentences
from kontrast.splitting.tables import Growing, joined
from kontrast.splitting.tokens import Array, TokenTable

__all__ = ["can_stream", "count_tables", "nothing_left", "one_piece"]

_AT_ONCE = 1 << 20
"""Tokens that are counted at a time."""
_PIECE = 1 << 20
"""Numbers that are renumbered at a time."""
_STREAMED = ("dependency", "morphology", "ngram", "relations")


def can_stream(features: str, filters: Filters, sentences: SentenceFilter | None) -> bool:
    """Whether each table can be counted by itself: no compound's weight, no sentence that another one excludes."""
    whole = sentences is not None and (sentences.duplicates or bool(sentences.parallel))
    return features in _STREAMED and not (whole or filters.weight or filters.heads_depend)


def one_piece(tables: Callable[[], Iterator[TokenTable]]) -> TokenTable | None:
    """The tables as one where the corpus is small enough to be counted at once."""
    pieces = list(itertools.islice(joined(tables(), _AT_ONCE), 2))
    return pieces[0] if len(pieces) == 1 else None


def count_tables(
    tables: Callable[[], Iterator[TokenTable]],
    vocabulary: Growing,
    out: Path,
    work: Path,
    *,
    features: str,
    filters: Filters,
    order: int,
    sentences: SentenceFilter | None,
    about: dict[str, Any],
) -> CorpusCounts:
    """Count table by table into ``out``, as `count_table` would count them together."""
    frequency = np.zeros(vocabulary.count("word"), np.int64)
    for table in tables():
        kept = table if sentences is None else filter_sentences(table, sentences)[0]
        frequency += np.bincount(kept.word, minlength=vocabulary.count("word"))
    atoms, compounds = _Side(work, "atoms"), _Side(work, "compounds")
    names: dict[bytes, int] = {}
    rows = _Columns(work)
    shown: list[str] = []
    for table in joined(tables(), _AT_ONCE):
        table, filtered = (table, np.zeros(0, np.uint8)) if sentences is None else filter_sentences(table, sentences)
        found = occurrences(vocabulary.named(table, frequency), features, filters, order=order)
        shown = found.atom_names
        atoms.add(found.atom_sentence, found.atom, table.sentences, len(found.atom_names))
        compounds.add(found.compound_sentence, _numbers(found, names), table.sentences, len(names))
        rows.add(np.diff(table.starts), table.document, table.text, filtered)
    for each in (atoms, compounds, rows):
        each.close()
    kept_atoms = atoms.totals > 0
    kept_compounds = compounds.totals >= max(1, filters.min_compound)
    if filters.max_compound is not None:
        kept_compounds &= compounds.totals <= filters.max_compound
    if not kept_atoms.any() or not kept_compounds.any():
        raise nothing_left(about["corpus"], rows.sentences)
    arrays = {**rows.arrays(), **atoms.arrays(kept_atoms), **compounds.arrays(kept_compounds)}
    chosen = [shown[i] for i in np.flatnonzero(kept_atoms).tolist()]
    compound_lines = (name for name, keep in zip(names, kept_compounds.tolist(), strict=True) if keep)
    blobs = {"atoms": Lines.of(chosen), "compounds": Lines.joined(compound_lines)}
    about |= about_features(features, filters, order)
    write_counts(out, arrays, blobs, about | ({"sentence_filter": sentences} if sentences is not None else {}))
    return load_counts(out)


def nothing_left(corpus: str | Path, sentences: int) -> KontrastError:
    return KontrastError(
        f"{corpus} gives no compound at all: {sentences} sentences were read, and the filters left nothing"
        " (a corpus too small for the preset, or too strict a filter?)"
    )


def _numbers(found: Occurrences, names: dict[bytes, int]) -> Array:
    """The number of each compound in the whole corpus, in order of first sight."""
    lines = compound_names(found, np.arange(len(found.compound_parts)))
    blob = bytes(lines.blob)
    starts = [0, *lines.ends.tolist()]
    used = np.bincount(found.compound, minlength=len(found.compound_parts)) > 0
    number = np.zeros(len(found.compound_parts), np.int32)
    for i in np.flatnonzero(used).tolist():
        number[i] = names.setdefault(blob[starts[i] : starts[i + 1]], len(names))
    return number[found.compound]


class _Spool:
    """Numbers of one kind, written one after the other and read back in pieces."""

    def __init__(self, path: Path, kind: str) -> None:
        self.path, self.kind, self.length = path, np.dtype(kind), 0
        self._file: IO[bytes] = open(path, "wb")  # noqa: SIM115

    def add(self, values: Array) -> None:
        self._file.write(values.astype(self.kind).tobytes())
        self.length += len(values)

    def close(self) -> None:
        self._file.close()

    def pieces(self, sizes: Iterable[int]) -> Iterator[Array]:
        with open(self.path, "rb") as stream:
            for size in sizes:
                yield np.frombuffer(stream.read(size * self.kind.itemsize), self.kind)

    def column(self) -> Numbers:
        whole, rest = divmod(self.length, _PIECE)
        return Numbers(self.kind, self.length, lambda: self.pieces([_PIECE] * whole + [rest] * bool(rest)))


class _Columns:
    """What is known of each sentence."""

    def __init__(self, work: Path) -> None:
        kinds = {"lengths": "int32", "documents": "int32", "texts": "int64", "filtered": "uint8"}
        self._spools = {name: _Spool(work / name, kind) for name, kind in kinds.items()}

    def add(self, *columns: Array) -> None:
        for spool, values in zip(self._spools.values(), columns, strict=True):
            spool.add(values)

    def close(self) -> None:
        for spool in self._spools.values():
            spool.close()

    @property
    def sentences(self) -> int:
        return self._spools["lengths"].length

    def arrays(self) -> dict[str, Numbers]:
        return {f"{name}.npy": spool.column() for name, spool in self._spools.items()}


class _Side:
    """The rows of one matrix, as they come: features still by their old numbers, rare ones among them."""

    def __init__(self, work: Path, name: str) -> None:
        self.name = name
        self.totals = np.zeros(0, np.int64)
        self._rows_with = np.zeros(0, np.int64)
        self._sizes = _Spool(work / f"{name}.sizes", "int32")
        self._indices = _Spool(work / f"{name}.indices", "int32")
        self._data = _Spool(work / f"{name}.data", "int32")
        self._tables: list[tuple[int, int]] = []
        self._most = 0

    def add(self, sentence: Array, feature: Array, rows: int, features: int) -> None:
        from kontrast.splitting.scanning import csr_rows

        starts, indices, data = csr_rows(sentence.astype(np.int32), feature.astype(np.int32), rows)
        for name, weights in (("totals", data), ("_rows_with", None)):
            known = np.zeros(features, np.int64)
            known[: len(getattr(self, name))] = getattr(self, name)
            setattr(self, name, known + np.bincount(indices, weights, features).astype(np.int64))
        self._sizes.add(np.diff(starts))
        self._indices.add(indices)
        self._data.add(data)
        self._tables.append((rows, len(indices)))
        self._most = max(self._most, int(data.max(initial=0)))

    def close(self) -> None:
        for spool in (self._sizes, self._indices, self._data):
            spool.close()

    def arrays(self, keep: Array) -> dict[str, Numbers]:
        """The parts of the matrix without the features that are not kept, the others numbered anew."""
        number = np.cumsum(keep, dtype=np.int32) - 1
        count, rows = int(self._rows_with[keep].sum()), sum(rows for rows, _ in self._tables)

        def indices() -> Iterator[Array]:
            return self._indices.pieces(size for _, size in self._tables)

        def data() -> Iterator[Array]:
            values = self._data.pieces(size for _, size in self._tables)
            return (value[keep[index]] for value, index in zip(values, indices(), strict=True))

        def starts() -> Iterator[Array]:
            total = 0
            yield np.zeros(1, np.int64)
            for sizes, index in zip(self._sizes.pieces(rows for rows, _ in self._tables), indices(), strict=True):
                kept = np.concatenate([[0], np.cumsum(keep[index])])[np.cumsum(sizes)] + total
                total = int(kept[-1]) if len(kept) else total
                yield kept

        small = self._most <= 255 or all(values.max(initial=0) <= 255 for values in data())
        parts = {
            "indptr": Numbers(np.dtype("int64"), rows + 1, starts),
            "indices": Numbers(np.dtype("int32"), count, lambda: (number[i[keep[i]]] for i in indices())),
            "data": Numbers(np.dtype("uint8" if small else "int32"), count, data),
        }
        return {f"{self.name}.{part}.npy": column for part, column in parts.items()}
