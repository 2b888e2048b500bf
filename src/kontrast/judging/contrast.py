"""The difference of two systems on the same decisions: its interval, its t test, and what that test can find.

The variance is the jackknife's over clusters. How it changes with the true difference is Tango's score (1998): a
difference twice as large needs more decisions on which the systems differ, so that an interval reaches further on the
side away from 0. The degrees of freedom are those of the clusters in which the systems do differ: ten documents of
which two have all the differences are not ten. Interval and p-value come from the same score, so that an interval
without 0 and a p-value under .05 are the same statement.
"""

import math
from dataclasses import dataclass

import numpy as np

from kontrast.judging.floats import Floats, Ints
from kontrast.judging.intervals import Jackknife, cluster_sums, jackknife, satterthwaite, with_seeds
from kontrast.judging.records import Difference, Interval
from kontrast.judging.student import detectable, power_at, student_quantile, student_tail

POWER = 0.8
ADDED = 0.25
"""How much of a decision is added to each cell (both, a only, b only, neither): systems that never differed are not
known to be the same. Agresti and Min add a half; with Tango's score, which widens the interval too, that is too much.
"""
NEAR_LIMIT = 1 / 16
"""Documents near the largest difference there can be vary further downwards than upwards: the minimum detectable
difference grows by so much, times the square of how near it is (by simulation, on other settings than the benchmark).
"""
MIN_CONTRIBUTING = 3.0
"""With fewer clusters that contribute (effectively), the error has less than two degrees of freedom."""
_SAME = 1e-9
"""Credits closer than this are the same: shares such as 1/3 are not exact."""


@dataclass(frozen=True)
class Gaps:
    """What two systems differ by: sums of d = b - a and of its size over each cluster, and of d² over all."""

    sums: Floats
    moved: Floats
    sizes: Floats
    square: float

    @property
    def contributing(self) -> float:
        """How many clusters of equal size and equally many differences would say as much.

        (Σx)²/Σx² for a cluster's x = Σ|d|, less what single decisions add to Σx² by chance; never more than by size.
        """
        by_size = float(self.sizes.sum()) ** 2 / float((self.sizes**2).sum())
        together = float((self.moved**2).sum()) - self.square
        return min(by_size, float(self.moved.sum()) ** 2 / together) if together > _SAME else by_size


def gaps_of(a: Floats, b: Floats, number: Ints) -> Gaps:
    """Of two systems' credits and the cluster of each decision."""
    gap = np.where(np.abs(b - a) > _SAME, b - a, 0.0)
    sums, sizes = cluster_sums(np.column_stack([gap, np.abs(gap)]), number)
    return Gaps(sums[:, 0], sums[:, 1], sizes, float((gap**2).sum()))


@dataclass(frozen=True)
class Contrast:
    """A difference of two means and how sure it is.

    ``centre`` is the difference drawn a little towards 0 and ``moved`` the mean absolute difference of credit;
    ``variance`` is that over clusters, ``seeds`` that over runs. ``contributing`` is the effective number of clusters
    in which the systems differ. ``freedom`` are the degrees of freedom of the test, ``steady`` those with which its
    error varies from suite to suite: fewer where long documents go one way as a whole. ``clustered``: decisions share
    clusters.
    """

    difference: float
    centre: float
    moved: float
    variance: float
    seeds: float
    freedom: float
    steady: float
    contributing: float
    differ: bool
    clustered: bool

    @property
    def error(self) -> float:
        """The standard error of the difference."""
        return self.error_at(self.centre)

    def error_at(self, truth: float) -> float:
        """The standard error if this were the true difference."""
        return math.sqrt(self.variance * _spread(truth, self) / _spread(self.centre, self) + self.seeds)

    def interval(self, level: float = 0.95, scope: str | None = None) -> Interval:
        """The differences that the t test does not reject."""
        quantile = student_quantile((1 + level) / 2, round(self.freedom, 2))
        low, high = (self._end(side, quantile) for side in (-1.0, 1.0))
        return Interval(min(self.difference, low), max(self.difference, high), "jackknife", level, scope)

    @property
    def p(self) -> float:
        """Two-sided p-value of no difference."""
        if not self.differ:
            return 1.0
        return min(1.0, 2 * student_tail(abs(self.centre) / self.error_at(0.0), round(self.freedom, 2)))

    def detectable(self, alpha: float = 0.05, power: float = POWER, step: float = 0.0) -> float | None:
        """The true difference that a test at ``alpha`` finds with this power; None where there is none up to 1.

        ``step`` is half a decision for exact tests, which reject at whole decisions only. None too where the systems
        never differ.
        """
        if not self.differ:
            return None
        found, freedom, steady = 0.0, round(self.freedom, 2), round(self.steady, 1)
        for _ in range(12):
            error = self.error_at(found)
            ratio = round(self.error_at(0.0) / error, 2)
            skewed = 1 + NEAR_LIMIT * (found / max(_moved(found, self), _SAME)) ** 2 if self.clustered else 1.0
            before, found = found, detectable(freedom, alpha, power, ratio, steady) * skewed * error + step
            if found > 1:
                return None
            if abs(found - before) < 1e-5:
                break
        return found

    def found(self, truth: float, at: float, alpha: float = 0.05, *, above: bool) -> float:
        """How often a true difference is found to be above ``at``, or below: one side of the test at ``alpha``."""
        gap, error = truth - at if above else at - truth, self.error_at(truth)
        freedom, steady = round(self.freedom, 2), round(self.steady, 1)
        return power_at(gap / error, freedom, alpha, self.error_at(at) / error, steady)

    def _end(self, side: float, quantile: float) -> float:
        """Where the score reaches the quantile, between the centre and the largest difference there can be."""
        inner, outer = self.centre, side
        if abs(outer - self.centre) <= quantile * self.error_at(outer):
            return outer
        for _ in range(32):
            middle = (inner + outer) / 2
            if abs(middle - self.centre) <= quantile * self.error_at(middle):
                inner = middle
            else:
                outer = middle
        return inner


def contrast(gaps: Gaps, seeds: tuple[tuple[float, int], ...] = ()) -> Contrast:
    """The difference of two systems; ``seeds`` are variances over runs, with their degrees of freedom."""
    found = jackknife(gaps.sums, gaps.sizes)
    size = found.size + 4 * ADDED
    shrink = found.size / size
    contributing = gaps.contributing
    variance = shrink**2 * found.variance + 2 * ADDED / size**2
    alone = ((gaps.square + 2 * ADDED) / size - (shrink * found.mean) ** 2) / size
    least = min(0.25, 5 / found.clusters) * max(alone, 0.0)
    variance = total = max(variance, least)
    freedom = max(contributing - 1, 0.5)
    steady = max(0.5, freedom * _steadiness(gaps, found))
    if seeds:
        total, freedom = with_seeds(variance, freedom, seeds)
        steady = satterthwaite(((variance, steady), *seeds))
    return Contrast(
        difference=found.mean,
        centre=shrink * found.mean,
        moved=(float(gaps.moved.sum()) + 2 * ADDED) / size,
        variance=variance,
        seeds=total - variance,
        freedom=freedom,
        steady=steady,
        contributing=contributing,
        differ=bool((gaps.moved > _SAME).any()),
        clustered=bool(gaps.sizes.max() > 1),
    )


def contrast_of(row: Difference) -> Contrast:
    """The contrast of a comparison's row, for what it says of other differences."""
    seeds = row.seed_error**2
    centre = row.difference * row.items / (row.items + 4 * ADDED)
    variance, contributing = row.error**2 - seeds, row.contributing or float(row.items)
    return Contrast(
        difference=row.difference,
        centre=centre,
        moved=row.moved,
        variance=variance,
        seeds=seeds,
        freedom=row.freedom,
        steady=row.steady,
        contributing=contributing,
        differ=bool(row.a_better + row.b_better),
        clustered=row.cluster is not None,
    )


def _steadiness(gaps: Gaps, found: Jackknife) -> float:
    """How much less the variance is settled than if decisions were independent, by how much they are found to depend.

    A cluster's sum has a variance of n(1 + (n - 1)ρ): with ρ near 0 the long clusters weigh by their size, else by
    its square. ρ comes from the design effect.
    """
    sizes = gaps.sizes
    alone = (gaps.square / found.size - found.mean**2) / found.size
    longer = float((sizes**2).sum()) / found.size - 1
    if longer <= _SAME or alone <= _SAME**2:
        return 1.0
    alike = min(1.0, max(0.0, (found.variance / alone - 1) / longer))
    weights = sizes * (1 + (sizes - 1) * alike)
    return min(1.0, float(weights.sum()) ** 2 / float((weights**2).sum()) / found.effective)


def _spread(truth: float, found: Contrast) -> float:
    """The variance of one decision's difference at a true one."""
    return max(_moved(truth, found) - truth**2, 1e-6)


def _moved(truth: float, found: Contrast) -> float:
    """How many decisions then differ, by Tango's estimate.

    The maximum likelihood of the share that favours a, given the difference and the counts seen.
    """
    b, a = (found.moved + found.centre) / 2, (found.moved - found.centre) / 2
    linear = (2 - b + a) * truth - b - a
    root = max(linear**2 + 8 * a * truth * (1 - truth), 0.0)
    favour_a = max((math.sqrt(root) - linear) / 4, 0.0)
    return 2 * favour_a + truth
