"""A synthetic parsed corpus of any size: Zipf–Mandelbrot lemmas, and for each head its own collocates.

A sentence has 20 tokens; each but the first depends on an earlier one. A dependent is, with probability ``own``, a
collocate of its head and relation (the k-th is a fixed lemma, k being drawn from a heavy tail), else any lemma.
The constants are tuned so that the share of compound types seen once is EWT's at EWT's size.
"""

from __future__ import annotations

import numba
import numpy as np

from kontrast.splitting.token_table import TokenTable

__all__ = ["synthetic"]

TOKENS = 20
LEMMAS = 300_000
RELATIONS = 36
EXPONENT, SHIFT = 1.2, 2.7
OWN = 0.75
TAIL = 1.0


def synthetic(sentences: int, seed: int = 1) -> TokenTable:
    """A table of tokens, made at some ten million tokens a second."""
    weights = 1.0 / (np.arange(LEMMAS) + 1 + SHIFT) ** EXPONENT
    cumulative = np.cumsum(weights / weights.sum())
    labels = 1.0 / (np.arange(RELATIONS) + 2.0)
    of_relation = np.cumsum(labels / labels.sum())
    word, relation, head = _tokens(sentences, seed, cumulative, of_relation, _guide(cumulative), OWN, TAIL)
    empty = np.zeros(0, np.int32)
    return TokenTable(
        word,
        relation,
        head,
        empty,
        empty,
        np.arange(sentences + 1, dtype=np.int64) * TOKENS,
        np.zeros(sentences, np.int32),
        np.arange(sentences, dtype=np.int64),
        [f"w{i}" for i in range(LEMMAS)],
        [*(f"r{i}" for i in range(RELATIONS)), "root"],
        [],
        [],
    )


def _guide(cumulative: np.ndarray, size: int = 1 << 16) -> np.ndarray:
    """Where to begin looking for a quantile."""
    return np.searchsorted(cumulative, np.arange(size + 1) / size).astype(np.int32)


@numba.njit(cache=True)
def _hash(a: int, b: int, c: int) -> float:
    value = np.uint64(a) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(b) * np.uint64(0xC2B2AE3D27D4EB4F)
    value += np.uint64(c) * np.uint64(0x165667B19E3779F9)
    value ^= value >> np.uint64(31)
    value *= np.uint64(0xBF58476D1CE4E5B9)
    value ^= value >> np.uint64(29)
    value *= np.uint64(0x94D049BB133111EB)
    return np.float64((value ^ (value >> np.uint64(32))) >> np.uint64(11)) / 9007199254740992.0


@numba.njit(cache=True)
def _quantile(uniform: float, cumulative: np.ndarray, guide: np.ndarray) -> int:
    at = guide[int(uniform * (guide.size - 1))]
    while at < cumulative.size - 1 and cumulative[at] < uniform:
        at += 1
    return at


@numba.njit(cache=True)
def _tokens(
    sentences: int,
    seed: int,
    cumulative: np.ndarray,
    of_relation: np.ndarray,
    guide: np.ndarray,
    own: float,
    tail: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    np.random.seed(seed)
    word = np.empty(sentences * TOKENS, np.int32)
    relation = np.empty(sentences * TOKENS, np.int32)
    head = np.empty(sentences * TOKENS, np.int32)
    for s in range(sentences):
        first = s * TOKENS
        word[first] = _quantile(np.random.random(), cumulative, guide)
        relation[first] = RELATIONS
        head[first] = -1
        for t in range(1, TOKENS):
            governor = np.random.randint(max(0, t - 6), t)
            label = np.searchsorted(of_relation, np.random.random())
            uniform = np.random.random()
            if np.random.random() < own:
                rank = int(np.random.random() ** (-1.0 / tail))  # a Pareto tail: few collocates often, many once
                uniform = _hash(word[first + governor], label, min(rank, 1 << 30))
            word[first + t] = _quantile(uniform, cumulative, guide)
            relation[first + t] = label
            head[first + t] = governor
    return word, relation, head
