"""The decision that most originals share: does the correct variant strictly beat all others?"""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.suites.model import Scores, Suite


def beats_all(suite: Suite, scores: Scores) -> Iterator[bool]:
    """One answer per item; a tie is no."""
    values = scores.values if scores.lower_is_better else [-value for value in scores.values]
    start = 0
    for item in suite.items:
        end = start + len(item.variants)
        best = start + item.correct
        mine = values[best]
        yield all(mine < values[row] for row in range(start, end) if row != best)
        start = end
