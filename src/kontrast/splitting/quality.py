"""Translation quality from sufficient statistics: extracted once by sacreBLEU, summed for any sample of sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np

from kontrast.errors import KontrastError
from kontrast.splitting.tokens import Array

__all__ = ["METRICS", "Statistics", "TextMetric", "file_statistics", "statistics"]


class TextMetric(msgspec.Struct, frozen=True):
    """A name, how to make sacreBLEU's object, and how to compute scores of rows of summed statistics."""

    name: str
    make: Callable[[], Any]
    score: Callable[[Array], Array]


class Statistics(msgspec.Struct, frozen=True):
    """A row of statistics per sentence; a sample's score comes from the sum of its rows."""

    metric: str
    signature: str
    rows: Array
    score: Callable[[Array], Array]

    def total(self) -> float:
        """The score of all sentences."""
        return float(self.score(self.rows.sum(0, keepdims=True))[0])

    def resampled(self, weights: Array) -> Array:
        """Scores of samples, each a row of how often every sentence is in it."""
        return self.score(weights @ self.rows)


def _chrf(word_order: int) -> Callable[[], Any]:
    def make() -> Any:
        from sacrebleu.metrics import CHRF

        return CHRF(word_order=word_order)

    return make


def _bleu() -> Any:
    from sacrebleu.metrics import BLEU

    return BLEU()


def _chrf_score(sums: Array) -> Array:
    """chrF with β 2, mean precision and recall over the orders that both sides have."""
    hypothesis, reference, match = sums[:, 0::3], sums[:, 1::3], sums[:, 2::3]
    both = (hypothesis > 0) & (reference > 0)
    orders = np.maximum(1, both.sum(1))
    precision = np.where(both, match / np.maximum(1, hypothesis), 0).sum(1) / orders
    recall = np.where(both, match / np.maximum(1, reference), 0).sum(1) / orders
    return np.asarray(100 * 5 * precision * recall / np.maximum(4 * precision + recall, 1e-300))


def _bleu_score(sums: Array) -> Array:
    """BLEU of order 4; a precision of 0 is smoothed exponentially, as sacreBLEU's default has it."""
    length, reference = sums[:, 0], sums[:, 1]
    correct, total = sums[:, 2:6], sums[:, 6:10]
    brevity = np.where(length < reference, np.exp(1 - reference / np.maximum(1, length)), 1.0)
    smooth, logs = np.ones(len(sums)), np.zeros(len(sums))
    for order in range(4):
        missing = (correct[:, order] == 0) & (total[:, order] > 0)
        smooth = np.where(missing, 2 * smooth, smooth)
        found = np.where(missing, 1 / smooth, correct[:, order]) / np.maximum(1, total[:, order])
        logs += np.log(np.where(total[:, order] > 0, found, 1e-300))
    score = np.where(correct.any(1), 100 * brevity * np.exp(logs / 4), 0.0)
    return np.asarray(np.where((total > 0).all(1), score, 0.0))


METRICS = {
    "chrF2++": TextMetric("chrF2++", _chrf(2), _chrf_score),
    "chrF2": TextMetric("chrF2", _chrf(0), _chrf_score),
    "BLEU": TextMetric("BLEU", _bleu, _bleu_score),
}


def statistics(metric: str, predictions: Sequence[str], references: Sequence[str]) -> Statistics:
    """Statistics of each sentence.

    >>> made = statistics("chrF2++", ["a cat sat"], ["the cat sat"])
    >>> round(made.total(), 2), made.signature.split('|version')[0]
    (55.0, 'nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no')
    """
    if metric not in METRICS:
        raise KontrastError(f"{metric!r} is not a metric; expected one of {', '.join(METRICS)}")
    if len(predictions) != len(references):
        raise KontrastError(f"{len(predictions)} predictions and {len(references)} references; as many are expected")
    if not references:
        raise KontrastError("there is nothing to score: no predictions and no references")
    chosen = METRICS[metric]
    scorer = chosen.make()
    rows = scorer._extract_corpus_statistics(list(predictions), [list(references)])
    return Statistics(metric, str(scorer.get_signature()), np.array(rows, np.float64), chosen.score)


def file_statistics(name: str, values: Sequence[float]) -> Statistics:
    """A metric computed elsewhere, one number per sentence; its mean is the score."""
    rows = np.column_stack([np.asarray(values, np.float64), np.ones(len(values))])
    return Statistics(
        name, f"mean of {name}", rows, lambda sums: np.asarray(sums[:, 0] / np.maximum(1e-300, sums[:, 1]))
    )
