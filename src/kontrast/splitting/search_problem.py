"""What is searched for and in what: divergences and sizes to reach, units that move as one, where each may go."""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np

from kontrast.errors import KontrastError
from kontrast.splitting import search_moves as moves
from kontrast.splitting.compiled_loops import keep_features, readonly, tally
from kontrast.splitting.corpus_counts import CorpusCounts, Matrix, build_matrix
from kontrast.splitting.token_table import Array

ShareOf = Literal["compounds", "sentences", "tokens"]
SHARES: tuple[ShareOf, ...] = ("compounds", "sentences", "tokens")

ANYWHERE = 0b111
TO_TRAIN, TO_TEST, TO_DISCARD = (1 << place for place in (moves.TRAIN, moves.TEST, moves.DISCARD))

EXCESS_WEIGHT = 1.25
"""What atom divergence beyond a random split's counts in addition, where the compound target lies above a random
split's: compounds are not to be bought with atoms that diverge more than by chance."""


class Aim(msgspec.Struct, frozen=True):
    """Divergences to reach and what a miss costs; with ``atom_cap`` the atom divergence need only stay below it,
    and beyond ``excess_from`` it counts more."""

    atom: float = 0.0
    compound: float = 1.0
    atom_weight: float = 1.0
    compound_weight: float = 1.0
    atom_cap: float | None = None
    no_unseen_atoms: bool = False
    atom_alpha: float = 0.5
    compound_alpha: float = 0.1
    excess_from: float | None = None

    def energy(self, atom: float, compound: float) -> float:
        off = abs(atom - self.atom) if self.atom_cap is None else max(0.0, atom - self.atom_cap)
        if self.excess_from is not None:
            off += EXCESS_WEIGHT * max(0.0, atom - self.excess_from)
        return self.atom_weight * off + self.compound_weight * abs(compound - self.compound)

    def array(self) -> Array:
        aim = np.zeros(moves.AIMS)
        aim[moves.ATOM_TARGET] = self.atom if self.atom_cap is None else self.atom_cap
        aim[moves.COMPOUND_TARGET] = self.compound
        aim[moves.ATOM_WEIGHT], aim[moves.COMPOUND_WEIGHT] = self.atom_weight, self.compound_weight
        aim[moves.ATOM_CAPPED] = self.atom_cap is not None
        if self.excess_from is not None:
            aim[moves.EXCESS_FROM], aim[moves.EXCESS_WEIGHT] = self.excess_from, EXCESS_WEIGHT
        aim[moves.UNSEEN_WEIGHT] = 20.0 if self.no_unseen_atoms else 0.0
        aim[moves.ATOM_ALPHA], aim[moves.COMPOUND_ALPHA] = self.atom_alpha, self.compound_alpha
        return aim


class Windows(msgspec.Struct, frozen=True):
    """Sizes a split must keep: share of test in train + test, sentences in test, share of the corpus discarded, mean
    length of test over that of train. ``share_of`` says what the share of test is a share of."""

    test_share: tuple[float, float] = (0.1, 0.2)
    test_size: tuple[int, int] | None = None
    discard: float = 0.25
    length_ratio: tuple[float, float] | None = None
    share_of: str = "compounds"

    @property
    def measure(self) -> str:
        """What test is measured in: a fixed size is a number of sentences."""
        return "sentences" if self.test_size else self.share_of

    def array(self, problem: Problem, slack: float = 0.0) -> Array:
        """The limits as the search has them; ``slack`` is how much they give way, as a share of the corpus."""
        sentences, weight = int(problem.sentences.sum()), int(problem.weight.sum())
        limits = np.zeros(moves.LIMITS)
        limits[moves.LEAST_SHARE], limits[moves.MOST_SHARE] = (0.0, 1.0) if self.test_size else self.test_share
        limits[moves.LEAST_TEST], limits[moves.MOST_TEST] = self.test_size or (0, weight)
        limits[moves.MOST_DISCARDED] = sentences if problem.against else int(self.discard * sentences + 1e-9)
        limits[moves.MOST_DISCARDED_WEIGHT] = weight if problem.against else int(self.discard * weight + 1e-9)
        limits[moves.LEAST_RATIO], limits[moves.MOST_RATIO] = self.length_ratio or (0.0, 1e9)
        limits[moves.ALL_SENTENCES], limits[moves.ALL_WEIGHT] = sentences, weight
        limits[moves.SHARE_OF_ALL] = problem.against
        limits[moves.SLACK] = slack
        return limits


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
        raise KontrastError("the counts have no compounds (a filter may be too strict)")
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
        raise KontrastError("the counts have no atoms (a filter may be too strict)")
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
    occurs, totals, mass = tally(starts, features, data, rows, matrix.features)
    elsewhere, other_mass = _elsewhere(matrix, other)
    shared = np.flatnonzero((occurs > 1) | ((occurs > 0) & (elsewhere > 0)))
    shared = shared[np.argsort(-totals[shared], kind="stable")]  # frequent ones side by side in the cache
    new = np.full(matrix.features, -1, np.int32)
    new[shared] = np.arange(len(shared), dtype=np.int32)
    sizes = starts[rows + 1] - starts[rows]
    entries = int(sizes.sum()) - int(((occurs == 1) & (elsewhere == 0)).sum())
    indptr, indices, kept = keep_features(starts, features, data, rows, new, entries)
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
