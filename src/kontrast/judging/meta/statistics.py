"""Tie calibration as in WMT's meta-evaluation: from which difference on does a metric mean what it says?

Pairwise accuracy with ties (Deutsch, Foster and Freitag 2023): a pair of translations of one source counts as right
where metric and gold agree that the first is better, that the second is, or that they are level. The metric's
differences up to ``epsilon`` are ties; of all thresholds the one with the highest accuracy is taken.

Do two metrics decide the same way? Agreement of outcomes, Cohen's kappa, and correlation of margins.

Kendall's tau as ACES computes it, and its weighted score over ten categories (Amrhein et al. 2022).
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from kontrast.judging.correlation.statistics import best_threshold, pearson, spearman
from kontrast.judging.decisions import Floats
from kontrast.judging.meta.records import Calibration, MetricAgreement, Tau, Taus
from kontrast.judging.meta.sensitivity import SEVERITIES
from kontrast.judging.verdicts import Verdicts
from kontrast.suites.model import Suite
from kontrast.suites.testset import testset


def calibration_of(suite: Suite, values: Floats) -> Calibration | None:
    """Calibrate on a suite: translations of one source (with the same references) are compared with each other.

    Gold: the correct one is best, then by severity of the error (all errors are level where the suite has none).
    Errors without a place in that order (DEMETR's "base") are left out where others have one.
    """
    groups: dict[tuple[str, tuple[str, ...]], dict[str, tuple[int, float]]] = {}
    severe = any(item.tags.get("severity") in SEVERITIES for item in suite.items)
    for row, value in zip(suite.rows(), values.tolist(), strict=True):
        item = row.item
        rank = 0
        if row.variant_index != item.correct:
            severity = row.variant.tags.get("severity", item.tags.get("severity"))
            if severe and severity not in SEVERITIES:
                continue
            rank = 1 + SEVERITIES.index(severity) if severe else 1
        key = (item.source, tuple(reference.text for reference in item.references))
        groups.setdefault(key, {}).setdefault(row.variant.text, (rank, value))
    gold, metric = [], []
    for texts in groups.values():
        for (rank_a, a), (rank_b, b) in combinations(texts.values(), 2):
            gold.append(np.sign(rank_b - rank_a))
            metric.append(a - b)
    return calibrate(np.array(gold, dtype=np.float64), np.array(metric)) if gold else None


def calibrate(gold: Floats, metric: Floats) -> Calibration:
    """The best threshold for differences whose gold sign (1, -1, or 0 for a tie) is known."""
    level = gold == 0
    right = (np.sign(metric) == gold) & ~level
    epsilon, gain, at_zero = best_threshold(np.abs(metric), level.astype(np.int64) - right)
    count, base = len(metric), int(right.sum())
    return Calibration(epsilon, (base + gain) / count, (base + at_zero) / count, count, int(level.sum()))


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


def taus(verdicts: Verdicts, phenomena: Iterable[str | None]) -> Taus:
    """In total, by phenomenon, by category (the mean over its phenomena), and summed up."""
    names = np.array([name or "" for name in phenomena], dtype=object)
    known = sorted({str(name) for name in names} - {""})
    aces = testset("aces").parts()
    by_phenomenon = tuple(_tau(name, verdicts, names == name) for name in known)
    categories: dict[str, list[float]] = {}
    for tau in by_phenomenon:
        category = aces.category_of(tau.label)
        if category is not None:
            categories.setdefault(category, []).append(tau.tau)
    means = {name: float(np.mean(categories[name])) for name in aces.WEIGHTS if name in categories}
    partial = float(sum(aces.WEIGHTS[name] * value for name, value in means.items())) if means else None
    return Taus(
        total=_tau("total", verdicts, np.ones(len(names), dtype=bool)),
        phenomena=by_phenomenon if len(by_phenomenon) > 1 else (),
        categories=means,
        aces=partial if len(means) == len(aces.WEIGHTS) else None,
        partial=partial,
        reach=float(sum(aces.WEIGHTS[name] for name in means)) if means else None,
    )


def _tau(label: str, verdicts: Verdicts, chosen: NDArray[np.bool_]) -> Tau:
    margin, tied = verdicts.margin[chosen], verdicts.tied[chosen]
    pairs, concordant = len(margin), int(((margin > 0) & ~tied).sum())
    discordant = pairs - concordant
    tau = (concordant - discordant) / pairs if pairs else 0.0
    return Tau(label, pairs, concordant, discordant, int(tied.sum()), tau)
