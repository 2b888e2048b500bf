"""Verdicts: is the correct variant ahead of all its rivals, behind, or level, and by how much?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kontrast.errors import KontrastError
from kontrast.judging.decisions import Decisions, Floats, decisions_of
from kontrast.judging.records import Counts, TiePolicy
from kontrast.suites.model import Scores, Suite, Unit, Verdict

Outcome = Literal["right", "wrong", "tie"]
TIE_POLICIES: tuple[TiePolicy, ...] = ("report", "wrong", "right", "first")


@dataclass(frozen=True)
class Verdicts:
    """The outcome of every decision, in arrays.

    ``margin`` is the margin of the correct variant over its best rival, with larger being better; ``tied`` marks the
    decisions whose margin is within epsilon of 0; ``credit`` is the credit of each under the tie policy.
    """

    decisions: Decisions
    margin: Floats
    tied: NDArray[np.bool_]
    credit: Floats
    tie_policy: TiePolicy

    def __len__(self) -> int:
        return len(self.decisions)

    def __iter__(self) -> Iterator[Verdict]:
        columns = (self.decisions.item, self.decisions.variant, self.tied, self.margin, self.credit)
        for item, variant, tied, margin, credit in zip(*(c.tolist() for c in columns), strict=True):
            outcome: Outcome = "tie" if tied else ("right" if margin > 0 else "wrong")
            yield Verdict(item, None if variant < 0 else variant, outcome, margin, credit)

    def counts(self, chosen: NDArray[np.bool_] | None = None) -> Counts:
        """Count all decisions, or those chosen."""
        credit, tied, chance = self.credit, self.tied, self.decisions.chance
        if chosen is not None:
            credit, tied, chance = credit[chosen], tied[chosen], chance[chosen]
        ties = int(tied.sum())
        if self.tie_policy == "report":
            right = int(((credit == 1.0) & ~tied).sum())
            wrong = credit.size - right - ties
        else:
            right = int(credit.sum())
            wrong = credit.size - right
        return Counts(
            items=int(credit.size),
            right=right,
            wrong=wrong,
            ties=ties,
            accuracy=float(credit.mean()) if credit.size else 0.0,
            chance=float(chance.mean()) if credit.size else 0.0,
        )


def judge(
    suite: Suite, scores: Scores, *, ties: TiePolicy = "report", epsilon: float = 0.0, unit: Unit | None = None
) -> Verdicts:
    """The verdicts of one system on a suite.

    >>> from kontrast import Item, Scores, Suite, Variant
    >>> suite = Suite("tiny", (Item("1", "it", (Variant("er"), Variant("sie"), Variant("es"))),))
    >>> [v.credit for v in judge(suite, Scores("constant", (7.0, 7.0, 7.0)))]
    [0.3333333333333333]
    >>> [(v.outcome, v.margin) for v in judge(suite, Scores("good", (1.0, 2.0, 3.5)))]
    [('right', 1.0)]
    """
    check_count(suite, scores)
    return verdicts_of(decisions_of(suite, unit), larger_is_better(scores), ties=ties, epsilon=epsilon)


def check_count(suite: Suite, scores: Scores) -> None:
    """One score per row, or an error."""
    if scores.stopped is not None and scores.stopped.partial:
        raise KontrastError(f"{scores.system} has scores of only a part of {suite.name}: {scores.stopped}")
    if len(scores.values) != suite.row_count:
        raise KontrastError(
            f"{scores.system}: expected {suite.row_count} scores (one per row of {suite.name}), "
            f"found {len(scores.values)}"
        )


def larger_is_better(scores: Scores) -> Floats:
    """The scores as an array in that direction; what is not finite is an error."""
    values = np.array(scores.values, dtype=np.float64)
    if not np.isfinite(values).all():
        row = int(np.flatnonzero(~np.isfinite(values))[0])
        raise KontrastError(f"{scores.system}: expected finite scores, found {values[row]} in row {row + 1}")
    return -values if scores.lower_is_better else values


def verdicts_of(
    decisions: Decisions, values: Floats, *, ties: TiePolicy = "report", epsilon: float = 0.0
) -> Verdicts:
    """Judge one value per row, larger being better. The arrays' way of `judge`."""
    if ties not in TIE_POLICIES:
        raise KontrastError(f"there is no tie policy {ties!r}; known: {', '.join(TIE_POLICIES)}")
    if not (epsilon >= 0 and np.isfinite(epsilon)):
        raise KontrastError(f"the tie epsilon is a number of at least 0, not {epsilon}")
    correct = values[decisions.correct]
    rivals = values[decisions.rivals]
    starts = decisions.offsets[:-1]
    with np.errstate(over="ignore"):  # scores near the largest float: the margin is infinite, the verdict stands
        top = np.maximum.reduceat(rivals, starts)
        margin = correct - top
        # Level are those within epsilon of the best, which need not be the correct one.
        level = np.repeat(np.maximum(correct, top), decisions.options - 1) - rivals <= epsilon
    tied = np.abs(margin) <= epsilon
    credit = (margin > 0).astype(np.float64)
    if ties == "report":
        credit[tied] = 1.0 / (1 + np.add.reduceat(level.astype(np.int64), starts)[tied])
    elif ties == "first":
        earlier = decisions.rivals < np.repeat(decisions.correct, decisions.options - 1)
        beaten = np.add.reduceat((level & earlier).astype(np.int64), starts) > 0
        credit[tied] = np.where(beaten[tied], 0.0, 1.0)
    else:
        credit[tied] = 1.0 if ties == "right" else 0.0
    return Verdicts(decisions, margin, tied, credit, ties)
