"""Do two metrics decide the same way? Agreement of outcomes, Cohen's kappa, and correlation of margins."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from kontrast.judging.correlation.ranks import pearson, spearman
from kontrast.judging.decisions import Floats
from kontrast.judging.meta.records import MetricAgreement
from kontrast.judging.verdicts import Verdicts


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
                pearson(verdicts[i].margin, verdicts[j].margin),
                spearman(verdicts[i].margin, verdicts[j].margin),
            )
        )
    return tuple(rows)


def _outcomes(verdicts: Verdicts) -> Floats:
    """1 right, -1 wrong, 0 tied."""
    return np.where(verdicts.tied, 0.0, np.sign(verdicts.margin))
