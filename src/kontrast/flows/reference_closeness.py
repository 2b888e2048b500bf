"""How close in meaning an encoder finds texts to references: a second opinion on pairs of marked errors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from kontrast.extras import torch
from kontrast.scoring.metrics.encoder import COPY, DIGITS, EncoderMetric, Vectors, load
from kontrast.scoring.metrics.metric import MetricOptions, Passage

KEPT = 5000
"""Vectors that are kept, so that a text of a segment is read once."""


def is_installed() -> bool:
    """Can MiniLM be loaded without fetching it?"""
    return all(find_spec(module) for module in (COPY, "torch", "transformers"))


class ReferenceCloseness:
    """The mean cosine of a text and some references, each as the metric `cosine` with MiniLM gives it."""

    def __init__(self) -> None:
        self._vectors: dict[str, Vectors] = {}

    def __repr__(self) -> str:
        return f"MiniLM {_minilm().details['weights']}"

    def __reduce__(self) -> tuple[Any, ...]:
        return ReferenceCloseness, ()  # each process loads its own

    def __call__(self, texts: Sequence[str], references: Sequence[str]) -> list[float]:
        if len(self._vectors) > KEPT:
            self._vectors.clear()
        encoder = _minilm().encoder
        new = sorted({*texts, *references} - self._vectors.keys())
        before = torch.get_num_threads()
        torch.set_num_threads(1)  # a few short texts: more threads wait for each other
        try:
            for i, words in encoder.vectors([encoder.read(Passage(text), True) for text in new]):
                mean = words.mean(0)
                self._vectors[new[i]] = mean / np.linalg.norm(mean)
        finally:
            torch.set_num_threads(before)
        mean = np.mean([self._vectors[text] for text in references], axis=0)
        return [round(float(self._vectors[text] @ mean), DIGITS) for text in texts]


@cache
def _minilm() -> EncoderMetric:
    return load("cosine", "minilm", MetricOptions())
