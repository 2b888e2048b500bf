"""DistilLingEval: higher is better, a tie is right, and the score file has all correct rows, then all incorrect."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.suites.model import Scores, Suite
from kontrast.testsets.originals import Options


def lines(suite: Suite, scores: Scores, options: Options) -> Iterator[str]:
    values = scores.values if not scores.lower_is_better else tuple(-value for value in scores.values)
    half = len(values) // 2
    if scores.signature is None:
        correct, incorrect = values[:half], values[half:]
    else:  # kontrast's own score files follow the rows
        correct, incorrect = values[::2], values[1::2]
    right = sum(good >= bad for good, bad in zip(correct, incorrect, strict=True))
    yield f"Accuracy: {100 * (right / half) if half else 0:.1f}"
