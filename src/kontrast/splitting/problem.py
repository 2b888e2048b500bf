"""A corpus made ready for the search: units that move as one, features that can matter, where each unit may go."""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np

from kontrast.errors import KontrastError
from kontrast.splitting import moving
from kontrast.splitting.compiled import readonly
from kontrast.splitting.features import build_matrix
from kontrast.splitting.matrix import Counts, Matrix
from kontrast.splitting.tokens import Array

__all__ = ["Features", "Problem", "prepare", "unit_numbers"]

Together = Literal["", "documents", "duplicates"]

ANYWHERE = 0b111


class Features(msgspec.Struct, frozen=True):
    """A matrix of units without the features of one unit only: those add nothing to S, and their mass is kept."""

    indptr: Array
    indices: Array
    data: Array
    mass: Array
    totals: Array
    lonely: Array
    """Of each unit, whether it has a feature that no other has."""


class Problem(msgspec.Struct, frozen=True):
    """What the search works on; ``unit`` says to which unit each sentence belongs."""

    atoms: Features
    compounds: Features
    unit: Array
    sizes: Array
    lengths: Array
    allowed: Array

    @property
    def units(self) -> int:
        return len(self.sizes)

    @property
    def sentences(self) -> int:
        return len(self.unit)

    @property
    def entries(self) -> int:
        """Numbers that one sweep looks at."""
        return len(self.atoms.indices) + len(self.compounds.indices)


def prepare(
    counts: Counts,
    *,
    together: str = "",
    fixed_train: Array | None = None,
    no_unseen_atoms: bool = False,
    discard: bool = True,
) -> Problem:
    """Make a problem of counts; ``together`` keeps documents or duplicate sentences on one side."""
    unit = unit_numbers(counts, together)
    units = int(unit.max()) + 1 if len(unit) else 0
    if units < 2:
        what = f"{units} {together or 'sentences'}"
        raise KontrastError(f"nothing to split: the counts have {what}, and a split needs at least two")
    alone = units == counts.sentences
    sizes = np.bincount(unit, minlength=units).astype(np.int32)
    lengths = np.bincount(unit, counts.lengths, minlength=units).astype(np.int64)
    atoms = _features(counts.atoms if alone else _grouped(counts.atoms, unit, units))
    compounds = _features(counts.compounds if alone else _grouped(counts.compounds, unit, units))
    if not atoms.mass.any() or not compounds.mass.any():
        raise KontrastError("nothing to split by: the counts have no atoms or no compounds (too strict a filter?)")
    allowed = np.full(units, ANYWHERE if discard else ANYWHERE ^ (1 << moving.DISCARD), np.uint8)
    if no_unseen_atoms:
        allowed[atoms.lonely] &= 0b111 ^ (1 << moving.TEST)
    if fixed_train is not None:
        allowed[np.unique(unit[fixed_train])] = 1 << moving.TRAIN
    return Problem(atoms, compounds, unit, sizes, lengths, allowed)


def unit_numbers(counts: Counts, together: str) -> Array:
    """The unit of each sentence: itself, its document, or all sentences of the same words."""
    if not together:
        return np.arange(counts.sentences)
    if together == "documents":
        return np.unique(counts.documents, return_inverse=True)[1]
    if together == "duplicates":
        return np.unique(counts.texts, return_inverse=True)[1]
    raise KontrastError(f"{together!r} cannot be kept together; expected documents or duplicates")


def _grouped(matrix: Matrix, unit: Array, units: int) -> Matrix:
    sentence = np.repeat(np.arange(matrix.rows), np.diff(matrix.indptr))
    times = matrix.data.astype(np.int64)
    return build_matrix(np.repeat(unit[sentence], times), np.repeat(matrix.indices, times), units, matrix.names)


def _features(matrix: Matrix) -> Features:
    starts, features, data = map(readonly, (matrix.indptr, matrix.indices, matrix.data))
    rows, totals, mass = moving.tally(starts, features, data, matrix.features)
    shared = np.flatnonzero(rows > 1)
    shared = shared[np.argsort(-totals[shared], kind="stable")]  # frequent ones side by side in the cache
    new = np.full(matrix.features, -1, np.int32)
    new[shared] = np.arange(len(shared), dtype=np.int32)
    kept = len(matrix.indices) - int((rows == 1).sum())
    indptr, indices, kept_data = moving.drop_lonely(starts, features, data, new, kept)
    lonely = np.diff(matrix.indptr) > np.diff(indptr)
    return Features(readonly(indptr), readonly(indices), readonly(kept_data), mass, totals[shared], lonely)
