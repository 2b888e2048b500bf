"""Does a variant give itself away? A small classifier on the variants alone, trained on other documents.

It sees the words in which variants differ, their neighbours, and the endings of the words that follow: enough to
learn that *elle* before a masculine adjective was made by a program. It never sees the source or the context.
"""

import random
from collections.abc import Iterator

import numpy as np

from kontrast.io.words import spans
from kontrast.judging.floats import Floats
from kontrast.suites.forms import shared_ends
from kontrast.suites.model import Item, Suite

_FOLDS, _EPOCHS, _NEAR, _RATE = 5, 3, 4, 0.5


def giveaway_scores(suite: Suite, *, seed: int = 1) -> Floats:
    """A score per row, larger for what looks like the correct variant, by a model of the other documents."""
    features = [_features(item, suite.target_language) for item in suite.items]
    chance = random.Random(seed)
    # Items of a document, or of equal variants, stay together.
    keys = [item.document or item.source for item in suite.items]
    names = list(dict.fromkeys(keys))
    chance.shuffle(names)
    fold = {name: i % _FOLDS for i, name in enumerate(names)}
    scores: list[list[float]] = [[0.0] * len(item.variants) for item in suite.items]
    for held in range(min(_FOLDS, len(names))):
        train = [i for i, key in enumerate(keys) if fold[key] != held]
        weights = _train(suite, features, train, chance)
        for i, key in enumerate(keys):
            if fold[key] == held:
                scores[i] = [sum(weights.get(name, 0.0) for name in row) for row in features[i]]
    return np.array([value for row in scores for value in row], dtype=np.float64)


def _features(item: Item, language: str | None) -> list[list[str]]:
    texts = [[w.text for w in spans(v.whole, language, signs=True)] for v in item.variants]
    before, after = shared_ends(texts) if len(texts) > 1 else (0, 0)
    return [sorted(set(_of(text, before, len(text) - after))) for text in texts]


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


def _train(
    suite: Suite, features: list[list[list[str]]], chosen: list[int], chance: random.Random
) -> dict[str, float]:
    """Logistic regression on pairs of the correct variant and a rival, by AdaGrad."""
    weights: dict[str, float] = {}
    squares: dict[str, float] = {}
    pairs = [(i, j) for i in chosen for j in range(len(features[i])) if j != suite.items[i].correct]
    for _ in range(_EPOCHS):
        chance.shuffle(pairs)
        for i, j in pairs:
            right, wrong = set(features[i][suite.items[i].correct]), set(features[i][j])
            ups, downs = right - wrong, wrong - right
            margin = sum(weights.get(n, 0.0) for n in ups) - sum(weights.get(n, 0.0) for n in downs)
            step = 1 / (1 + np.exp(min(30.0, margin)))
            if step < 0.01:
                continue
            for names, sign in ((ups, 1.0), (downs, -1.0)):
                for name in sorted(names):
                    squares[name] = squares.get(name, 0.0) + step * step
                    weights[name] = weights.get(name, 0.0) + sign * _RATE * step / float(
                        np.sqrt(squares[name] + 1e-6)
                    )
    return weights
