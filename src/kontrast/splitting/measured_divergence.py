"""Divergences of two sets of sentences, beside chance and floor, and how test differs from train in other things.

A divergence of compounds says something of generalisation only where length, sentences without a compound, duplicates
and documents are as they would be by chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import numpy as np

from kontrast.errors import KontrastError
from kontrast.record import Record
from kontrast.splitting.corpus_counts import CorpusCounts, Matrix
from kontrast.splitting.token_table import Array

ATOM_ALPHA = 0.5
COMPOUND_ALPHA = 0.1
OUT = 2
LENGTH = 0.25
"""Warn where test's mean length is further than this from train's, or where the length distributions are."""
SHARE = 0.05
"""Warn where a share exceeds that of a random split by more than this."""


class SideDifference(msgspec.Struct, frozen=True):
    """How test differs from train, apart from atoms and compounds.

    ``length_distance`` is the largest gap between the cumulated distributions of sentence length (Kolmogorov and
    Smirnov); ``duplicates`` the share of test sentences whose words are a train sentence too; ``…_featureless`` the
    share of sentences without a compound; ``document_divergence`` that of how many sentences each document has
    (alpha 0.5), 0 where the corpus has one document.
    """

    length_ratio: float
    length_distance: float
    duplicates: float
    train_featureless: float
    test_featureless: float
    document_divergence: float


class Contribution(msgspec.Struct, frozen=True):
    """What one feature adds to a divergence, with its counts on both sides."""

    feature: str
    contribution: float
    train: int
    test: int


class Divergence(Record, frozen=True):
    """The divergence of test from train. Shares refer to test's types, masses to its occurrences.

    ``random_…`` is the mean of random splits of the same sentences into the same sizes; no split of the same counts
    into these sizes is below ``…_floor``.
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
    lengths = counts.lengths[place == 0], counts.lengths[place == 1]
    result = _result(sides, alphas, lengths, top, (counts.atoms.names, counts.compounds.names))
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
        random_difference=_mean_difference(differences),
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
    for counts, _ in train:
        refuse_other_features(counts, test[0])
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
    both_lengths = np.concatenate(lengths[:-1]), lengths[-1]
    return _result(sides, (atom_alpha, compound_alpha), both_lengths, top, merged_names)


def refuse_other_features(one: CorpusCounts, other: CorpusCounts) -> None:
    """An error where two corpora were counted by other features: they would have nothing in common."""
    ours, theirs = _features_of(one), _features_of(other)
    if ours != theirs and "given" not in (ours[0], theirs[0]):
        told = f"{one.about.get('corpus')} was counted by {ours[1]}, {other.about.get('corpus')} by {theirs[1]}"
        raise KontrastError(f"{told}: count both in the same way")


def _features_of(counts: CorpusCounts) -> tuple[str, str]:
    """The kind of features, and what else tells whose names are alike; counts made elsewhere do not say it."""
    kind = str(counts.about.get("features", "given"))
    size = counts.about.get("bin") or {"length": 5, "depth": 1}.get(kind)
    more = {"order": counts.about.get("order"), "bin": size}
    return kind, ", ".join([f"{kind} features", *(f"{name} {value}" for name, value in more.items() if value)])


def _of(sides: Array, alpha: float) -> float:
    return divergence(sides[:, 0], sides[:, 1], alpha)


def _result(
    sides: Sequence[Array], alphas: tuple[float, float], lengths: tuple[Array, Array], top: int,
    names: Sequence[Sequence[str]],
) -> Divergence:  # fmt: skip
    atoms, compounds = sides
    new = [(each[:, 0] == 0) & (each[:, 1] > 0) for each in sides]
    unseen = [float(fresh.sum() / max(1, (each[:, 1] > 0).sum())) for fresh, each in zip(new, sides, strict=True)]
    return Divergence(
        atom_divergence=_of(atoms, alphas[0]),
        compound_divergence=_of(compounds, alphas[1]),
        train_sentences=len(lengths[0]),
        test_sentences=len(lengths[1]),
        train_length=_mean(lengths[0]),
        test_length=_mean(lengths[1]),
        unseen_atoms=unseen[0],
        unseen_compounds=unseen[1],
        unseen_compound_mass=float(compounds[new[1], 1].sum() / max(1, compounds[:, 1].sum())),
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


def _placed(sentences: int, train: Array | None, test: Array | None) -> Array:
    """0 for sentences of train, 1 for those of test, 2 for the others."""
    place = np.full(sentences, OUT if train is not None else 0, np.int8)
    if train is not None:
        place[train] = 0
    if test is not None:
        both = np.intersect1d(train, test) if train is not None else test[:0]
        if len(both):
            raise KontrastError(f"{len(both)} sentences are both in train and in test, such as sentence {both[0]}")
        place[test] = 1
    return place


def side_difference(counts: CorpusCounts, train: Array, test: Array) -> SideDifference:
    """Compare two sets of sentences of one corpus, given by their numbers; both must not be empty."""
    lengths, bare = np.asarray(counts.lengths), np.diff(counts.compounds.indptr) == 0
    documents = np.asarray(counts.documents)
    top = int(documents.max()) + 1
    in_train, in_test = (np.bincount(documents[side], minlength=top) for side in (train, test))
    return SideDifference(
        length_ratio=float(lengths[test].mean() / max(1e-9, lengths[train].mean())),
        length_distance=_distance(lengths[train], lengths[test]),
        duplicates=float(np.isin(counts.texts[test], counts.texts[train]).mean()),
        train_featureless=float(bare[train].mean()),
        test_featureless=float(bare[test].mean()),
        document_divergence=divergence(in_train, in_test, 0.5) if top > 1 else 0.0,
    )


def _distance(one: Array, other: Array) -> float:
    top = int(max(one.max(), other.max())) + 1
    cumulated = [np.cumsum(np.bincount(side, minlength=top)) / len(side) for side in (one, other)]
    return float(np.abs(cumulated[0] - cumulated[1]).max())


def _mean_difference(drawn: list[SideDifference]) -> SideDifference:
    """The mean of several, for random splits."""
    rows = np.mean([msgspec.structs.astuple(each) for each in drawn], axis=0)
    return SideDifference(*map(float, rows))


def warnings_of(found: SideDifference, random: SideDifference | None, *, whole_documents: bool = False) -> list[str]:
    """What a reader of results on this split must know, one sentence each; nothing where test is like train."""
    chance = random or SideDifference(1.0, 0.0, 0.0, found.train_featureless, found.train_featureless, 0.0)
    said = []
    if not 1 - LENGTH <= found.length_ratio <= 1 + LENGTH + 1 / 12:
        said.append(
            f"test sentences are {found.length_ratio:.2f} times as long as train's; --length-ratio limits this"
        )
    elif found.length_distance > chance.length_distance + LENGTH:
        said.append(
            "sentence lengths in test and train are distributed differently (distance "
            f"{found.length_distance:.2f}, a random split's {chance.length_distance:.2f})"
        )
    if abs(found.test_featureless - found.train_featureless) > SHARE:
        said.append(
            f"{found.test_featureless:.0%} of test sentences have no compound, {found.train_featureless:.0%} of train"
        )
    if found.duplicates > min(2 * SHARE, chance.duplicates + SHARE):
        said.append(
            f"{found.duplicates:.1%} of test sentences are also in train, word for word (a random split: "
            f"{chance.duplicates:.1%}); --together duplicates keeps them on one side"
        )
    if not whole_documents and found.document_divergence > chance.document_divergence + 2 * SHARE:
        said.append(
            f"test and train come from different documents: divergence {found.document_divergence:.2f}, a random "
            f"split's {chance.document_divergence:.2f}"
        )
    return said


def divergence(train_counts: Any, test_counts: Any, alpha: float) -> float:
    """How far test is from train: 0 for equal distributions, 1 where nothing is shared (or one side is empty).

    Counts are vectors of the same length, or arrays of one row. Atoms are compared with alpha 0.5, compounds with
    0.1, which forgives what train has and test has not.

    >>> divergence([2, 4, 10], [1, 2, 5], 0.5)
    0.0
    >>> divergence([[2, 0, 6]], [[0, 5, 5]], 0.1)
    0.4793101280037947
    >>> divergence([1, 2], [0, 0], 0.5)
    1.0

    Alpha 0 is the share of test that train lacks, alpha 1 the share of train that test lacks (the formula's limits).

    >>> divergence([1, 0], [1, 3], 0), divergence([1, 3], [4, 0], 1)
    (0.75, 0.75)
    """
    train, test = _checked(train_counts, test_counts, alpha)
    if not train.sum() or not test.sum():
        return 1.0
    return float(min(1.0, max(0.0, 1.0 - float(_products(train, test, alpha).sum()))))


def contributions(train_counts: Any, test_counts: Any, alpha: float) -> Array:
    """What each feature adds to the divergence: α p + (1 − α) q − pᵅ q¹⁻ᵅ, never negative; they sum to it."""
    train, test = _checked(train_counts, test_counts, alpha)
    if not train.sum() or not test.sum():
        raise KontrastError("contributions are not defined where one side is empty")
    mean = alpha * train / train.sum() + (1 - alpha) * test / test.sum()
    return np.asarray(np.maximum(0.0, mean - _products(train, test, alpha)))


def _products(train: Array, test: Array, alpha: float) -> Array:
    both = (train > 0) & (test > 0)
    product = np.zeros(train.shape)
    p, q = train[both] / train.sum(), test[both] / test.sum()
    product[both] = np.exp(alpha * np.log(p) + (1 - alpha) * np.log(q))  # the last digit is the published one
    return product


def _checked(train_counts: Any, test_counts: Any, alpha: float) -> tuple[Array, Array]:
    if not 0 <= alpha <= 1:
        raise KontrastError(f"alpha must be from 0 to 1, not {alpha}")
    train, test = _vector(train_counts, "train"), _vector(test_counts, "test")
    if len(train) != len(test):
        raise KontrastError(f"train has {len(train)} counts and test {len(test)}; the same features are expected")
    if not train.any() and not test.any():
        raise KontrastError("the divergence of two empty sets is not defined: neither train nor test has a count")
    return train, test


def _vector(counts: Any, side: str) -> Array:
    try:
        vector = np.asarray(counts, np.float64)
    except (TypeError, ValueError) as error:
        raise KontrastError(f"the counts of {side} are not numbers ({error})") from error
    if vector.ndim == 2 and 1 in vector.shape:
        vector = vector.reshape(-1)
    if vector.ndim != 1:
        raise KontrastError(f"the counts of {side} have shape {vector.shape}; a vector or a single row is expected")
    if not np.isfinite(vector).all() or (vector < 0).any():
        raise KontrastError(f"the counts of {side} must be finite and not negative")
    return vector


def floor(totals: Array | Sequence[int], train_mass: int, test_mass: int, alpha: float) -> float:
    """A divergence that no way of dealing these counts to two sides of these sizes can go below.

    Each feature's total n may give x to test and n − x to train; the bound is the Lagrangian dual of choosing all
    x with Σ x fixed. It does not know sentences, so the true minimum may lie above.
    """
    totals = np.asarray(totals)
    if not train_mass or not test_mass:
        return 1.0
    sizes, times = np.unique(totals[totals > 0].astype(np.int64), return_counts=True)
    small = sizes <= _EXACT
    marginals, weights = [], []
    for size, often in zip(sizes[small].tolist(), times[small].tolist(), strict=True):
        x = np.arange(size + 1, dtype=np.float64)
        marginals.append(np.diff((size - x) ** alpha * x ** (1 - alpha)))
        weights.append(np.full(size, often, np.float64))
    steps = np.concatenate(marginals) if marginals else np.zeros(0)
    weight = np.concatenate(weights) if weights else np.zeros(0)
    large = float((sizes[~small] * times[~small]).sum())  # the same curve for every large n, scaled by n
    share = np.linspace(0, 1, 20001)
    curve = (1 - share) ** alpha * share ** (1 - alpha)

    def dual(price: float) -> float:
        best = float((np.maximum(steps - price, 0) * weight).sum())
        return best + large * float((curve - price * share).max()) + price * test_mass

    low, high = -50.0, 50.0
    for _ in range(80):  # convex in the price: narrow down from both sides
        left, right = low + (high - low) * 0.382, low + (high - low) * 0.618
        if dual(left) < dual(right):
            high = right
        else:
            low = left
    bound = dual((low + high) / 2) / (train_mass**alpha * test_mass ** (1 - alpha))
    return float(min(1.0, max(0.0, 1.0 - bound - 1e-12))) if bound > 1e-9 else 1.0


_EXACT = 400
