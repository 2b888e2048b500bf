"""Does a variant give itself away? A small classifier on the variants alone, trained on other documents.

It sees the words in which variants differ, their neighbours, and the endings of the words that follow: enough to
learn that *elle* before a masculine adjective was made by a program. It never sees the source or the context.
"""

import math
import random
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from kontrast.io.words import shared_ends, spans
from kontrast.judging.floats import Floats
from kontrast.suites.model import Item, Suite

_FOLDS, _EPOCHS, _NEAR, _RATE = 5, 3, 4, 0.5


def giveaway_scores(suite: Suite, *, seed: int = 1) -> Floats:
    """A score per row, larger for what looks like the correct variant, by a model of the other documents."""
    numbers: dict[str, int] = {}
    features: list[list[list[int]]] = []
    keys: list[str] = []
    pairs: list[_Pair] = []
    for i, item in enumerate(suite.items):
        rows = _features(item, suite.target_language, numbers)
        features.append(rows)
        keys.append(item.document or item.source)  # items of a document, or of one source, stay together
        right = set(rows[item.correct])
        for j, row in enumerate(rows):
            if j != item.correct:
                wrong = set(row)
                pairs.append(_Pair(i, sorted(right - wrong), sorted(wrong - right)))
    chance = random.Random(seed)
    names = list(dict.fromkeys(keys))
    chance.shuffle(names)
    fold = {name: i % _FOLDS for i, name in enumerate(names)}
    scores = [[0.0] * len(rows) for rows in features]
    for held in range(min(_FOLDS, len(names))):
        train = [pair for pair in pairs if fold[keys[pair.item]] != held]
        weights = _train(train, len(numbers), chance)
        for i, key in enumerate(keys):
            if fold[key] == held:
                scores[i] = [sum(map(weights.__getitem__, row)) for row in features[i]]
    return np.array([value for row in scores for value in row], dtype=np.float64)


class _Pair(NamedTuple):
    """An item's correct variant and a rival: the features that only the one has, and only the other."""

    item: int
    right: list[int]
    wrong: list[int]


def _features(item: Item, language: str | None, numbers: dict[str, int]) -> list[list[int]]:
    """The features of each variant, by numbers that are given out in the order of their names."""
    texts = [[w.text for w in spans(v.whole, language, signs=True)] for v in item.variants]
    before, after = shared_ends(texts) if len(texts) > 1 else (0, 0)
    rows = [sorted(set(_of(text, before, len(text) - after))) for text in texts]
    return [[numbers.setdefault(name, len(numbers)) for name in row] for row in rows]


def _of(text: list[str], start: int, stop: int) -> Iterator[str]:
    left = text[start - 1] if start else "^"
    right = text[stop] if stop < len(text) else "$"
    span = text[start:stop][:6]
    yield f"<{' '.join(span)}"
    yield f"{left} {span[0] if span else right}"
    yield f"{span[-1] if span else left} {right}>"
    for word in span:
        yield word
        for near in text[stop : stop + _NEAR]:
            yield f"{word}~{near[-2:]}"
            yield f"{word}~{near}"


def _train(pairs: list[_Pair], features: int, chance: random.Random) -> list[float]:
    """A weight per feature: logistic regression on pairs, by AdaGrad."""
    weights, squares = [0.0] * features, [0.0] * features
    for _ in range(_EPOCHS):
        chance.shuffle(pairs)
        for _, right, wrong in pairs:
            margin = sum(map(weights.__getitem__, right)) - sum(map(weights.__getitem__, wrong))
            step = 1 / (1 + math.exp(min(30.0, margin)))
            if step < 0.01:
                continue
            for names, sign in ((right, 1.0), (wrong, -1.0)):
                for name in names:
                    squares[name] += step * step
                    weights[name] += sign * _RATE * step / math.sqrt(squares[name] + 1e-6)
    return weights
