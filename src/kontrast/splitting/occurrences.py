"""Occurrences of features in sentences, and how they become a sparse matrix."""

from __future__ import annotations

import msgspec
import numpy as np

from kontrast.splitting.filters import Filters
from kontrast.splitting.matrix import Lines, Matrix
from kontrast.splitting.tokens import Array

__all__ = ["Occurrences", "atom_matrix", "build_matrix", "compound_matrix", "compound_names"]


class Occurrences(msgspec.Struct, frozen=True):
    """Occurrences: the sentence and the number of each; and the strings that name a number, by parts."""

    atom_sentence: Array
    atom: Array
    atom_names: list[str]
    compound_sentence: Array
    compound: Array
    compound_parts: Array
    part_names: list[str]


def atom_matrix(found: Occurrences, sentences: int) -> Matrix:
    kept, number = _renumbered(found.atom, np.bincount(found.atom, minlength=len(found.atom_names)) > 0)
    names = [found.atom_names[i] for i in kept.tolist()]
    return build_matrix(found.atom_sentence, number, sentences, Lines.of(names))


def compound_matrix(found: Occurrences, sentences: int, filters: Filters) -> Matrix:
    totals = np.bincount(found.compound, minlength=len(found.compound_parts))
    keep = totals >= max(1, filters.min_compound)
    if filters.max_compound is not None:
        keep &= totals <= filters.max_compound
    kept, number = _renumbered(found.compound, keep)
    mask = keep[found.compound]
    return build_matrix(found.compound_sentence[mask], number[mask], sentences, compound_names(found, kept))


def compound_names(found: Occurrences, numbers: Array) -> Lines:
    """The names of some compounds: their parts with tabs between them."""
    from kontrast.splitting.scanning import join_parts

    names = Lines.of(found.part_names)
    lengths = np.diff(names.ends, prepend=0)
    blob = np.frombuffer(names.blob, np.uint8)
    joined, ends = join_parts(found.compound_parts[numbers], blob, names.ends - lengths, names.ends - 1)
    return Lines(joined.tobytes(), ends)


def _renumbered(numbers: Array, keep: Array) -> tuple[Array, Array]:
    """Close the gaps that features left out have left: (the kept old numbers, new number of each occurrence)."""
    new = np.cumsum(keep, dtype=np.int32) - 1
    return np.flatnonzero(keep), new[numbers]


def build_matrix(sentence: Array, feature: Array, sentences: int, names: Lines) -> Matrix:
    """A matrix from occurrences; counts take one byte each where they fit."""
    from kontrast.splitting.scanning import csr_rows

    indptr, indices, data = csr_rows(sentence.astype(np.int32), feature.astype(np.int32), sentences)
    small = not data.size or data.max() <= 255
    return Matrix(indptr, indices, data.astype(np.uint8) if small else data, names)
