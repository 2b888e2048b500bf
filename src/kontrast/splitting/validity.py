"""How test differs from train in what a split is not about: length, bare sentences, duplicates, documents.

A divergence of compounds says something of generalisation only where these are as they would be by chance.
"""

from __future__ import annotations

import msgspec
import numpy as np

from kontrast.splitting.chernoff import divergence
from kontrast.splitting.matrix import CorpusCounts
from kontrast.splitting.tokens import Array

__all__ = ["SideDifference", "mean_difference", "side_difference", "warnings_of"]

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


def mean_difference(drawn: list[SideDifference]) -> SideDifference:
    """The mean of several, for random splits."""
    rows = np.mean([msgspec.structs.astuple(each) for each in drawn], axis=0)
    return SideDifference(*map(float, rows))


def warnings_of(found: SideDifference, random: SideDifference | None, *, whole_documents: bool = False) -> list[str]:
    """What a reader of results on this split must know, one sentence each; nothing where test is like train.

    >>> same = SideDifference(1.0, 0.02, 0.01, 0.0, 0.0, 0.1)
    >>> warnings_of(msgspec.structs.replace(same, length_ratio=0.5), same)
    ["test sentences are 0.50 times as long as train's; a length window keeps them alike"]
    """
    chance = random or SideDifference(1.0, 0.0, 0.0, found.train_featureless, found.train_featureless, 0.0)
    said = []
    if not 1 - LENGTH <= found.length_ratio <= 1 + LENGTH + 1 / 12:
        said.append(
            f"test sentences are {found.length_ratio:.2f} times as long as train's; a length window keeps them alike"
        )
    elif found.length_distance > chance.length_distance + LENGTH:
        said.append(
            "sentence lengths of test are distributed differently from train's (distance "
            f"{found.length_distance:.2f}, a random split's {chance.length_distance:.2f})"
        )
    if abs(found.test_featureless - found.train_featureless) > SHARE:
        said.append(
            f"{found.test_featureless:.0%} of test sentences have no compound, "
            f"{found.train_featureless:.0%} of train's"
        )
    if found.duplicates > min(2 * SHARE, chance.duplicates + SHARE):
        said.append(
            f"{found.duplicates:.1%} of test sentences are also in train, word for word (a random split: "
            f"{chance.duplicates:.1%}); --together duplicates keeps them on one side"
        )
    if not whole_documents and found.document_divergence > chance.document_divergence + 2 * SHARE:
        said.append(
            f"test is drawn from other documents than train: divergence {found.document_divergence:.2f}, a random "
            f"split's {chance.document_divergence:.2f}"
        )
    return said
