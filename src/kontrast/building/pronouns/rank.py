"""Which candidate is meant: a linear model over named features, learnt by ``training/antecedents.py``.

A candidate's probability is its share of the exponentials of all sums, beside that of *none of these nouns*. The
weights are in ``data/models/antecedents.json``, with the data they were learnt from.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources

import msgspec

from kontrast.errors import KontrastError

__all__ = ["Ranker", "known_features", "load_ranker", "weighs_opinions"]


class Ranker(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights by the names of features; ``learnt_from`` says on what."""

    learnt_from: str
    weights: dict[str, float]

    def sum(self, features: Mapping[str, float]) -> float:
        """What speaks for a candidate; a feature without a weight says nothing."""
        return math.fsum(self.weights.get(name, 0.0) * value for name, value in features.items())


@lru_cache(maxsize=8)
def load_ranker(pair: str, *, opinion: bool = False) -> Ranker:
    """The ranker of a pair, or the common one for a pair that has none of its own; one that weighs an ``opinion``.

    >>> load_ranker("en-fr").weights["nouns between"] < 0
    True
    """
    if opinion:
        if (found := _models().get(f"{pair}, second opinion")) is None:
            raise KontrastError(f"--second-opinion: there are no weights with a second opinion for {pair}")
        return found
    return _models().get(pair) or _models()["any"]


def weighs_opinions(pair: str) -> bool:
    """Has the pair weights for a second opinion?"""
    return f"{pair}, second opinion" in _models()


def known_features() -> frozenset[str]:
    """The features that some pair's ranker has learnt."""
    return frozenset(name for ranker in _models().values() for name in ranker.weights)


@lru_cache(maxsize=1)
def _models() -> dict[str, Ranker]:
    path = resources.files("kontrast").joinpath("data", "models", "antecedents.json")
    return msgspec.json.decode(path.read_bytes(), type=dict[str, Ranker])
