"""A corpus made ready for the search: units that move as one, features that can matter, where each unit may go."""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np

from kontrast.errors import KontrastError
from kontrast.splitting import moving, tallying
from kontrast.splitting.compiled import readonly
from kontrast.splitting.matrix import CorpusCounts, Matrix
from kontrast.splitting.occurrences import build_matrix
from kontrast.splitting.tokens import Array

__all__ = ["Features", "Problem", "prepare", "unit_numbers"]

Together = Literal["", "documents", "duplicates"]
ShareOf = Literal["compounds", "sentences", "tokens"]
SHARES: tuple[ShareOf, ...] = ("compounds", "sentences", "tokens")

ANYWHERE = 0b111
TO_TRAIN, TO_TEST, TO_DISCARD = (1 << place for place in (moving.TRAIN, moving.TEST, moving.DISCARD))


class Features(msgspec.Struct, frozen=True):
    """A matrix of units without the features of one unit only: those add nothing to S, and their mass is kept."""

    indptr: Array
    indices: Array
    data: Array
    mass: Array
    totals: Array
    other_train: Array
    """Of each feature, how often it occurs in the train side of another corpus; 0 where there is none."""
    other_mass: int
    has_unique: Array
    """Of each unit, whether it has a feature that no other has, nor the other corpus."""


class Problem(msgspec.Struct, frozen=True):
    """What the search works on; ``unit`` is the number of each sentence's unit, -1 for one that takes no part."""

    atoms: Features
    compounds: Features
    unit: Array
    sentences: Array
    tokens: Array
    weight: Array
    allowed: Array
    other_sentences: int = 0
    other_tokens: int = 0

    @property
    def units(self) -> int:
        return len(self.sentences)

    @property
    def against(self) -> bool:
        """Whether train is another corpus."""
        return self.other_sentences > 0

    @property
    def movable(self) -> Array:
        """Numbers of the units that have a choice."""
        return np.flatnonzero((self.allowed & (self.allowed - 1)) > 0)

    @property
    def entries(self) -> int:
        """Numbers that one sweep looks at."""
        return len(self.atoms.indices) + len(self.compounds.indices)


def prepare(
    counts: CorpusCounts,
    *,
    together: str = "",
    share_of: str = "compounds",
    featureless: bool = False,
    fixed_train: Array | None = None,
    no_unseen_atoms: bool = False,
    discard: bool = True,
    against: CorpusCounts | None = None,
) -> Problem:
    """Make a problem of counts; ``together`` keeps documents or duplicate sentences on one side.

    Sentences without a compound take no part unless ``featureless``. With ``against`` that corpus is train, and
    sentences of this one go to test or are discarded.
    """
    if share_of not in SHARES:
        raise KontrastError(f"{share_of!r} is not a measure of size; expected one of {', '.join(SHARES)}")
    rows = np.flatnonzero(counts.kept if featureless else np.diff(counts.compounds.indptr) > 0)
    if not len(rows):
        raise KontrastError("nothing to split by: the counts have no compounds (too strict a filter?)")
    number = unit_numbers(counts, together)[rows] if together else np.arange(len(rows))
    if together:
        number = np.unique(number, return_inverse=True)[1]
    unit = np.full(counts.sentences, -1, np.int64)
    unit[rows] = number
    units = int(number.max()) + 1
    if units < 2:
        what = f"{units} {together or 'sentences'}"
        raise KontrastError(f"nothing to split: the counts have {what} with compounds, and a split needs two")
    sentences = np.bincount(number, minlength=units).astype(np.int32)
    tokens = np.bincount(number, counts.lengths[rows], minlength=units).astype(np.int64)
    alone = units == len(rows)

    def features(matrix: Matrix, other: Matrix | None) -> Features:
        if alone:
            return _features(matrix, rows, other)
        return _features(_grouped(matrix, unit, units), np.arange(units), other)

    atoms = features(counts.atoms, None if against is None else against.atoms)
    compounds = features(counts.compounds, None if against is None else against.compounds)
    if not atoms.mass.any():
        raise KontrastError("nothing to split by: the counts have no atoms (too strict a filter?)")
    weight = {"compounds": compounds.mass, "sentences": sentences.astype(np.int64), "tokens": tokens}[share_of]
    if not weight.any():
        raise KontrastError(f"--share-of {share_of}: the corpus has none")
    allowed = np.full(units, ANYWHERE if discard else ANYWHERE ^ TO_DISCARD, np.uint8)
    if against is not None:
        allowed[:] = TO_TEST | TO_DISCARD
    if no_unseen_atoms:
        allowed[atoms.has_unique] &= ANYWHERE ^ TO_TEST
    if fixed_train is not None:
        fixed = unit[fixed_train]
        allowed[np.unique(fixed[fixed >= 0])] = TO_TRAIN
    other = (0, 0) if against is None else (against.sentences, int(against.lengths.sum()))
    return Problem(atoms, compounds, unit, sentences, tokens, weight, allowed, *other)


def unit_numbers(counts: CorpusCounts, together: str) -> Array:
    """The unit of each sentence: itself, its document, or all sentences of the same words."""
    if not together:
        return np.arange(counts.sentences)
    if together == "documents":
        return np.unique(counts.documents, return_inverse=True)[1]
    if together == "duplicates":
        return np.unique(counts.texts, return_inverse=True)[1]
    raise KontrastError(f"--together {together}: expected documents or duplicates")


def _grouped(matrix: Matrix, unit: Array, units: int) -> Matrix:
    """The matrix of units; sentences that take no part (-1) are left out."""
    row = unit[np.repeat(np.arange(matrix.rows), np.diff(matrix.indptr))]
    times = np.where(row >= 0, matrix.data, 0).astype(np.int64)
    return build_matrix(np.repeat(row, times), np.repeat(matrix.indices, times), units, matrix.names)


def _features(matrix: Matrix, rows: Array, other: Matrix | None) -> Features:
    starts, features, data = map(readonly, (matrix.indptr, matrix.indices, matrix.data))
    occurs, totals, mass = tallying.tally(starts, features, data, rows, matrix.features)
    elsewhere, other_mass = _elsewhere(matrix, other)
    shared = np.flatnonzero((occurs > 1) | ((occurs > 0) & (elsewhere > 0)))
    shared = shared[np.argsort(-totals[shared], kind="stable")]  # frequent ones side by side in the cache
    new = np.full(matrix.features, -1, np.int32)
    new[shared] = np.arange(len(shared), dtype=np.int32)
    sizes = starts[rows + 1] - starts[rows]
    entries = int(sizes.sum()) - int(((occurs == 1) & (elsewhere == 0)).sum())
    indptr, indices, kept = tallying.keep_features(starts, features, data, rows, new, entries)
    has_unique = sizes > np.diff(indptr)
    return Features(
        readonly(indptr), readonly(indices), readonly(kept), mass, totals[shared], elsewhere[shared], other_mass,
        has_unique,
    )  # fmt: skip


def _elsewhere(matrix: Matrix, other: Matrix | None) -> tuple[Array, int]:
    """How often each feature occurs in another corpus, matched by name, and the mass of that corpus."""
    found = np.zeros(matrix.features, np.int64)
    if other is None:
        return found, 0
    totals = other.sides(np.zeros(other.rows, np.int8))[:, 0]
    number = {name: i for i, name in enumerate(matrix.names)}
    for name, total in zip(other.names, totals.tolist(), strict=True):
        if name in number:
            found[number[name]] = total
    return found, int(totals.sum())
