"""Consistency sets: the smallest loss wins, the first index on a tie, so a constant scorer can look perfect."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from kontrast.suites.model import Scores, Suite
from kontrast.testsets.originals import Options, Tally


def lines(suite: Suite, scores: Scores, options: Options) -> Iterator[str]:
    tally, right_count, won_by_tie, start = Tally(), 0, 0, 0
    values = scores.values if scores.lower_is_better else tuple(-value for value in scores.values)
    for item in suite.items:
        losses = values[start : start + len(item.variants)]
        start += len(item.variants)
        right = losses.index(min(losses)) == item.correct
        right_count += right
        won_by_tie += right and losses.count(losses[item.correct]) > 1
        if (distance := item.tags.get("distance")) in (1, 2, 3):  # 1.0 is, "1" is not
            tally.add(str(int(distance)), right)

    yield f"Test set:  {suite.name}"
    yield f"Total accuracy:  {right_count / len(suite.items) if suite.items else 'nan'}"
    # the original gives no distances for its two ellipsis sets
    if not suite.name.startswith("ellipsis"):
        yield ""
        yield "Accuracy for different distances between sentences requiring consistency."
        for distance in ("1", "2", "3"):
            right_here, total = tally.counts(distance)
            yield f"{distance}: {right_here / total if total else 'nan'}"
    if won_by_tie:
        print(
            f"kontrast: warning: {won_by_tie} of {right_count} right answers are ties, which the original gives "
            "to the first variant; a constant scorer would win them too",
            file=sys.stderr,
        )
