"""Many simulated data sets of one setting at once: the formulas of `kontrast.judging.contrast` on arrays.

A row a data set, a column a cluster. Every use holds the first sets against the tool itself (`agrees`), so that what
is counted is what the tool would say; the tool takes a data set at a time, which is too slow for thousands a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import stats

from judging_settings import Generator, rates
from kontrast.judging.contrast import ADDED, MIN_CONTRIBUTING, NEAR_LIMIT, Contrast, Gaps, contrast
from kontrast.judging.student import detectable

Array = Any
LOOKED_AT = 10
"""How many data sets of a batch are held against the tool."""


@dataclass(frozen=True)
class Batch:
    """Sums of differences, numbers of differing decisions, sizes of clusters; then what the tool makes of them."""

    sums: Array
    moved: Array
    sizes: Array

    def __post_init__(self) -> None:
        sizes, total, count = self.sizes * 1.0, float(self.sizes.sum()), len(self.sizes)
        mean, square = self.sums.sum(axis=1) / total, self.moved.sum(axis=1)
        change = (self.sums - mean[:, None] * sizes) / (1 - sizes / total)
        plain = (count - 1) / count * (change**2).sum(axis=1) / total**2
        size = total + 4 * ADDED
        shrink = total / size
        own = object.__setattr__
        own(self, "centre", shrink * mean)
        own(self, "share", (square + 2 * ADDED) / size)
        alone = ((square + 2 * ADDED) / size - self.centre**2) / size
        own(self, "variance", np.maximum(shrink**2 * plain + 2 * ADDED / size**2, min(0.25, 5 / count) * alone))
        together = (self.moved**2).sum(axis=1) - square
        effective = total**2 / (sizes**2).sum()
        with np.errstate(all="ignore"):
            by_moved = np.where(together > 0, square**2 / together, np.inf)
            longer, single = (sizes**2).sum() / total - 1, (square / total - mean**2) / total
            alike = np.clip((plain / single - 1) / longer, 0, 1) if longer > 0 else np.zeros(len(mean))
        weights = sizes * (1 + (sizes - 1) * np.nan_to_num(alike)[:, None])
        settled = np.minimum(1, weights.sum(axis=1) ** 2 / (weights**2).sum(axis=1) / effective)
        own(self, "contributing", np.minimum(by_moved, effective))
        own(self, "freedom", np.maximum(self.contributing - 1, 0.5))
        own(self, "steady", np.maximum(self.freedom * settled, 0.5))

    centre: Array = None
    share: Array = None
    variance: Array = None
    contributing: Array = None
    freedom: Array = None
    steady: Array = None

    def error(self, truth: Array) -> Array:
        """The standard errors at a true difference."""
        return np.sqrt(self.variance * self._spread(truth) / self._spread(self.centre))

    def p(self, truth: float = 0.0) -> Array:
        """The p-values of a true difference: above .05 where the 95% interval covers it."""
        found = 2 * stats.t.sf(np.abs(self.centre - truth) / self.error(truth), self.freedom)
        return np.where((self.moved.sum(axis=1) > 0) | (truth != 0), np.minimum(found, 1), 1.0)

    def below(self, truth: float) -> Array:
        """Does the lower end of the 95% interval lie at or under this difference?"""
        return self.centre - truth <= stats.t.ppf(0.975, self.freedom) * self.error(truth)

    def detectable(self, alpha: float, step: float = 0.0) -> Array:
        """The minimum detectable differences; nan where there is none up to 1."""
        found = np.zeros(len(self.centre))
        freedom, steady = _rounded(self.freedom), _rounded(self.steady)
        for _ in range(8):
            error = self.error(found)
            ratio = np.round(self.error(0.0) / error, 2)
            factor = [_factor(*each, alpha) for each in zip(freedom, steady, ratio, strict=True)]
            skewed = (
                1 + NEAR_LIMIT * (found / np.maximum(self._moved(found), 1e-9)) ** 2 if self.sizes.max() > 1 else 1
            )
            found = np.minimum(np.array(factor) * skewed * error + step, 1.0)
        return np.where((found < 1) & (self.moved.sum(axis=1) > 0), found, np.nan)

    def agrees(self) -> None:
        """The tool says the same of the first data sets."""
        first = Batch(self.sums[:LOOKED_AT], self.moved[:LOOKED_AT], self.sizes)
        for i, named in enumerate(first.detectable(0.05)):
            own = self.tool(i)
            if own.contributing < MIN_CONTRIBUTING:
                continue
            ours = (first.p()[i], first.error(0.07)[i], first.contributing[i], first.steady[i])
            assert np.allclose(ours, (own.p, own.error_at(0.07), own.contributing, own.steady), rtol=1e-2, atol=1e-6)
            assert np.isnan(named) or np.isclose(named, own.detectable(0.05) or np.nan, rtol=0.03)

    def tool(self, i: int) -> Contrast:
        return contrast(Gaps(self.sums[i], self.moved[i] * 1.0, self.sizes * 1.0, float(self.moved[i].sum())))

    def _spread(self, truth: Array) -> Array:
        return np.maximum(self._moved(truth) - truth**2, 1e-6)

    def _moved(self, truth: Array) -> Array:
        b, a = (self.share + self.centre) / 2, (self.share - self.centre) / 2
        linear = (2 - b + a) * truth - b - a
        favour_a = (np.sqrt(np.maximum(linear**2 + 8 * a * truth * (1 - truth), 0)) - linear) / 4
        return 2 * np.maximum(favour_a, 0) + truth


def batch(
    generator: Generator,
    sets: int,
    sizes: Array,
    differ: float,
    alike: float,
    gain: float = 0.0,
    gathered: float = 0.0,
) -> Batch:
    """As `judging_settings.gaps`, many at once."""
    shape = (sets, len(sizes))
    favour = rates(generator, 0.5 + gain / differ / 2, alike, shape)
    moved = generator.binomial(np.broadcast_to(sizes, shape), rates(generator, differ, gathered, shape))
    made = Batch(2.0 * generator.binomial(moved, favour) - moved, moved, sizes)
    made.agrees()
    return made


def with_differences(generator: Generator, sizes: Array, differ: float, alike: float, gains: Array) -> Batch:
    """A data set for each true difference; where it is more than such systems can have, they differ on more."""
    shape = (len(gains), len(sizes))
    on = np.maximum(differ, np.minimum(1.0, gains / 0.8))
    middle = (0.5 + np.minimum(gains, 0.8) / on / 2)[:, None] * np.ones(shape)
    strength = (1 - alike) / alike if alike else 0.0
    favour = generator.beta(middle * strength, (1 - middle) * strength) if alike else middle
    moved = generator.binomial(np.broadcast_to(sizes, shape), on[:, None] * np.ones(shape))
    made = Batch(2.0 * generator.binomial(moved, favour) - moved, moved, sizes)
    made.agrees()
    return made


def _rounded(freedom: Array) -> Array:
    """To two digits, for the table of factors."""
    step = 10.0 ** (np.floor(np.log10(freedom)) - 1)
    return np.minimum(np.round(freedom / step) * step, 1e5)


@lru_cache(maxsize=100_000)
def _factor(freedom: float, steady: float, ratio: float, alpha: float) -> float:
    return detectable(freedom, alpha, ratio=ratio, steady=steady)
