"""Do two metrics decide the same way? Agreement of outcomes, Cohen's kappa, and correlation of margins."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from kontrast.judging.decisions import Floats
from kontrast.judging.meta.records import MetricAgreement
from kontrast.judging.verdicts import Verdicts

__all__ = ["agreements"]


def agreements(names: Sequence[str], verdicts: Sequence[Verdicts]) -> tuple[MetricAgreement, ...]:
    """Every pair of metrics."""
    rows = []
    for i, j in combinations(range(len(names)), 2):
        one, other = _outcomes(verdicts[i]), _outcomes(verdicts[j])
        same = float((one == other).mean())
        expected = sum(float((one == k).mean() * (other == k).mean()) for k in (-1, 0, 1))
        rows.append(
            MetricAgreement(
                names[i],
                names[j],
                len(one),
                same,
                (same - expected) / (1 - expected) if expected < 1 else None,
                _correlation(verdicts[i].margin, verdicts[j].margin),
                _correlation(_ranks(verdicts[i].margin), _ranks(verdicts[j].margin)),
            )
        )
    return tuple(rows)


def _outcomes(verdicts: Verdicts) -> Floats:
    """1 right, -1 wrong, 0 tied."""
    return np.where(verdicts.tied, 0.0, np.sign(verdicts.margin))


def _correlation(one: Floats, other: Floats) -> float | None:
    if one.std() == 0 or other.std() == 0:
        return None
    return float(np.corrcoef(one, other)[0, 1])


def _ranks(values: Floats) -> Floats:
    """Ranks, the mean one where values are equal."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: Floats = ((ends - counts + ends - 1) / 2.0)[inverse]
    return ranks
