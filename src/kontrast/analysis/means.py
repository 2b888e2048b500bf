"""Means over decisions or tokens with cluster intervals: one jackknife for bits, shares and differences."""

import math
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from kontrast.defaults import ALPHA, LEVEL
from kontrast.judging.clusters import MIN_CLUSTERS, Clusters, Grouped
from kontrast.judging.contrast import MIN_CONTRIBUTING, Gaps
from kontrast.judging.floats import Floats
from kontrast.judging.intervals import cluster_sums, jackknife
from kontrast.judging.records import Interval
from kontrast.judging.student import student_quantile, student_tail


class Mean(msgspec.Struct, frozen=True):
    """A mean with its interval (None: of one cluster). ``p`` is two-sided against 0, or ``undecided`` says why not.

    ``n`` is what the mean is over: decisions, or tokens; ``cluster`` what the interval is over where decisions are
    not independent.
    """

    value: float
    interval: Interval | None
    n: int
    p: float
    undecided: str | None = None
    cluster: str | None = None
    clusters: int | None = None

    def above(self, alpha: float = ALPHA) -> bool:
        """Whether it is above 0, by the test."""
        return self.undecided is None and self.value > 0 and self.p <= alpha

    def below(self, alpha: float = ALPHA) -> bool:
        return self.undecided is None and self.value < 0 and self.p <= alpha


def mean_of(
    sums: Sequence[float] | Floats,
    clusters: Clusters,
    *,
    sizes: Sequence[int] | NDArray[Any] | None = None,
    chosen: NDArray[np.bool_] | None = None,
    level: float = LEVEL,
) -> Mean | None:
    """The mean of one sum per decision over ``sizes`` units each (default: one), with its clusters.

    None where there is nothing to take a mean of.
    """
    values = np.asarray(sums, dtype=np.float64)
    units = np.ones(len(values)) if sizes is None else np.asarray(sizes, dtype=np.float64)
    some = (units > 0) if chosen is None else ((units > 0) & chosen)
    if not some.any():
        return None
    grouped = clusters.on(some)
    count, own = grouped.count, values[some]
    columns, _ = cluster_sums(np.column_stack([own, np.abs(own), units[some]]), grouped.number)
    gaps = Gaps(columns[:, 0], columns[:, 1], columns[:, 2], float((own**2).sum()))
    found = jackknife(gaps.sums, gaps.sizes)
    # As for the difference of two systems: clusters count by how much of what is not 0 they have.
    why = undecided(grouped, gaps.contributing)
    error = math.sqrt(max(found.variance, 0.0))
    freedom = round(max(gaps.contributing - 1, 0.5), 2)
    if error > 0:
        p = min(1.0, 2 * student_tail(abs(found.mean) / error, freedom))
    else:
        p = 1.0 if found.mean == 0 or count < 2 else 0.0
    interval = None
    if count > 1:
        half = student_quantile((1 + level) / 2, freedom) * error
        interval = Interval(found.mean - half, found.mean + half, "jackknife", level, grouped.scope)
    return Mean(found.mean, interval, int(units[some].sum()), p, why, grouped.name, count if grouped.name else None)


def undecided(grouped: Grouped, contributing: float) -> str | None:
    """Why these clusters cannot decide anything, or None."""
    if grouped.limits:
        return grouped.limits
    if grouped.count < MIN_CLUSTERS:
        return f"{grouped.count} independent decision{'s are' if grouped.count != 1 else ' is'} too few"
    if grouped.name is not None and contributing < MIN_CONTRIBUTING:
        return f"the values other than 0 count as {contributing:.1f} {grouped.name}s of {grouped.count}, too few"
    return None
