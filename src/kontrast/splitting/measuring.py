"""Divergences of two sets of sentences, with what helps to read them: chance, floor, what is new in test."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np

from kontrast.errors import InputError, KontrastError
from kontrast.record import Record
from kontrast.splitting.chernoff import ATOM_ALPHA, COMPOUND_ALPHA, contributions, divergence, floor
from kontrast.splitting.matrix import CorpusCounts, Matrix
from kontrast.splitting.tokens import Array
from kontrast.splitting.validity import SideDifference, mean_difference, side_difference

__all__ = ["Contribution", "Divergence", "compare_sets", "measure", "read_ids"]

OUT = 2


class Contribution(msgspec.Struct, frozen=True):
    """What one feature adds to a divergence, with its counts on both sides."""

    feature: str
    contribution: float
    train: int
    test: int


class Divergence(Record, frozen=True):
    """How far test is from train. Shares are of test's types, masses of its occurrences.

    ``random_…`` is the mean of random splits of the same sentences into the same sizes; no way to deal the same
    counts to sides of these sizes gets below ``…_floor``.
    """

    atom_divergence: float
    compound_divergence: float
    train_sentences: int
    test_sentences: int
    train_length: float
    test_length: float
    unseen_atoms: float
    unseen_compounds: float
    unseen_compound_mass: float
    difference: SideDifference | None = None
    """How test differs from train in length, duplicates and documents, and below it a random split's."""
    random_difference: SideDifference | None = None
    random_atom_divergence: float | None = None
    random_compound_divergence: float | None = None
    atom_floor: float | None = None
    compound_floor: float | None = None
    atom_alpha: float = ATOM_ALPHA
    compound_alpha: float = COMPOUND_ALPHA
    atom_contributions: tuple[Contribution, ...] = ()
    compound_contributions: tuple[Contribution, ...] = ()


def measure(
    counts: CorpusCounts,
    train: Array | Sequence[int],
    test: Array | Sequence[int],
    *,
    atom_alpha: float = ATOM_ALPHA,
    compound_alpha: float = COMPOUND_ALPHA,
    draws: int = 3,
    top: int = 0,
    seed: int = 1,
) -> Divergence:
    """The divergences of two sets of sentences of one corpus, given by their numbers.

    ``draws`` random splits are made for comparison (0: none, nor the floor); ``top`` contributions are listed.
    """
    place = _placed(counts.sentences, np.asarray(train, np.int64), np.asarray(test, np.int64))
    sides = counts.atoms.sides(place), counts.compounds.sides(place)
    alphas = atom_alpha, compound_alpha
    result = _result(counts, sides, alphas, counts.lengths[place == 0], counts.lengths[place == 1], top)
    if not draws or not len(train) or not len(test):
        return result
    used = np.flatnonzero(place != OUT)
    drawn, differences = [], []
    for draw in range(draws):
        shuffled = np.full(counts.sentences, OUT, np.int8)
        order = np.random.default_rng([seed, draw]).permutation(used)
        shuffled[order[: len(train)]] = 0
        shuffled[order[len(train) :]] = 1
        differences.append(side_difference(counts, order[: len(train)], order[len(train) :]))
        drawn.append(
            [_of(m.sides(shuffled), a) for m, a in zip((counts.atoms, counts.compounds), alphas, strict=True)]
        )
    floors = [floor(s.sum(1), int(s[:, 0].sum()), int(s[:, 1].sum()), a) for s, a in zip(sides, alphas, strict=True)]
    chance = np.mean(drawn, axis=0)
    return msgspec.structs.replace(
        result,
        difference=side_difference(counts, np.flatnonzero(place == 0), np.flatnonzero(place == 1)),
        random_difference=mean_difference(differences),
        random_atom_divergence=float(chance[0]),
        random_compound_divergence=float(chance[1]),
        atom_floor=floors[0],
        compound_floor=floors[1],
    )


def compare_sets(
    train: Iterable[tuple[CorpusCounts, Array | None]],
    test: tuple[CorpusCounts, Array | None],
    *,
    atom_alpha: float = ATOM_ALPHA,
    compound_alpha: float = COMPOUND_ALPHA,
    top: int = 0,
) -> Divergence:
    """The divergences of sets from different corpora (pretraining and training against test, say).

    Each set is counts and the numbers of its sentences, ``None`` for all; features are matched by their names.
    """
    train = list(train)
    if not train:
        raise KontrastError("no training set is given")
    sides, merged_names = [], []
    for name in ("atoms", "compounds"):
        numbers: dict[str, int] = {}
        columns = []
        for counts, rows in [*train, test]:
            matrix: Matrix = getattr(counts, name)
            total = matrix.sides(_placed(counts.sentences, rows, None))[:, 0]
            columns.append(([numbers.setdefault(n, len(numbers)) for n in matrix.names], total))
        both = np.zeros((len(numbers), 2), np.int64)
        for i, (places, total) in enumerate(columns):
            both[places, int(i == len(columns) - 1)] += total
        sides.append(both)
        merged_names.append(list(numbers))
    lengths = [counts.lengths if rows is None else counts.lengths[rows] for counts, rows in [*train, test]]
    alphas = atom_alpha, compound_alpha
    return _result(None, (sides[0], sides[1]), alphas, np.concatenate(lengths[:-1]), lengths[-1], top, merged_names)


def _of(sides: Array, alpha: float) -> float:
    return divergence(sides[:, 0], sides[:, 1], alpha)


def _result(
    counts: CorpusCounts | None,
    sides: tuple[Array, Array],
    alphas: tuple[float, float],
    train_lengths: Array,
    test_lengths: Array,
    top: int,
    names: Sequence[Sequence[str]] = (),
) -> Divergence:
    names = names or ((counts.atoms.names, counts.compounds.names) if counts else ())
    atoms, compounds = sides
    new = (compounds[:, 0] == 0) & (compounds[:, 1] > 0)
    return Divergence(
        atom_divergence=_of(atoms, alphas[0]),
        compound_divergence=_of(compounds, alphas[1]),
        train_sentences=len(train_lengths),
        test_sentences=len(test_lengths),
        train_length=_mean(train_lengths),
        test_length=_mean(test_lengths),
        unseen_atoms=_share((atoms[:, 0] == 0) & (atoms[:, 1] > 0), atoms[:, 1] > 0),
        unseen_compounds=_share(new, compounds[:, 1] > 0),
        unseen_compound_mass=float(compounds[new, 1].sum() / max(1, compounds[:, 1].sum())),
        atom_alpha=alphas[0],
        compound_alpha=alphas[1],
        atom_contributions=_top(atoms, alphas[0], names[0], top),
        compound_contributions=_top(compounds, alphas[1], names[1], top),
    )


def _top(sides: Array, alpha: float, names: Sequence[str], top: int) -> tuple[Contribution, ...]:
    if not top or not sides[:, 0].any() or not sides[:, 1].any():
        return ()
    adds = contributions(sides[:, 0], sides[:, 1], alpha)
    most = np.argsort(-adds, kind="stable")[:top].tolist()
    return tuple(Contribution(names[i], float(adds[i]), int(sides[i, 0]), int(sides[i, 1])) for i in most)


def _mean(values: Array) -> float:
    return float(values.mean()) if len(values) else 0.0


def _share(part: Array, whole: Array) -> float:
    return float(part.sum() / max(1, whole.sum()))


def _placed(sentences: int, train: Array | None, test: Array | None) -> Array:
    """0 for sentences of train, 1 for those of test, 2 for the others."""
    place = np.full(sentences, OUT if train is not None else 0, np.int8)
    if train is not None:
        place[train] = 0
    if test is not None:
        both = np.intersect1d(train, test) if train is not None else test[:0]
        if len(both):
            raise KontrastError(f"{len(both)} sentences are in train and in test, {both[0]} for one")
        place[test] = 1
    return place


def read_ids(path: str | Path, sentences: int) -> Array:
    """Sentence numbers counted from 0, one per line."""
    from kontrast.io.files import read_lines

    ids: list[int] = []
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        text = line.strip()
        if not (text.isascii() and text.isdigit()) or len(text) > 12:  # int() takes 1_0 and digits of other scripts
            raise InputError(path, f"expected a sentence number, found {line[:40]!r}", line=number)
        value = int(text)
        if not 0 <= value < sentences:
            raise InputError(path, f"sentence {value} is not among the {sentences} (counted from 0)", line=number)
        ids.append(value)
    if len(set(ids)) < len(ids):
        raise InputError(path, "a sentence number is given twice")
    return np.array(ids, np.int64)
