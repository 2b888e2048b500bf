"""What is asked of metrics alone.

Tie calibration as in WMT's meta-evaluation: from which difference on does a metric mean what it says?

Pairwise accuracy with ties (Deutsch, Foster and Freitag 2023): a pair of translations of one source counts as right
where metric and gold agree that the first is better, that the second is, or that they are level. The metric's
differences up to ``epsilon`` are ties; of all thresholds the one with the highest accuracy is taken.

Do two metrics decide the same way? Agreement of outcomes, Cohen's kappa, and correlation of margins.

Kendall's tau as ACES computes it, and its weighted score over ten categories (Amrhein et al. 2022).

What an error costs a metric: means of correct and wrong variants, sensitivity, and the order of severities.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from kontrast.judging.clusters import Grouped
from kontrast.judging.correlation.statistics import below, best_threshold, pearson, spearman
from kontrast.judging.decisions import Floats, Ints
from kontrast.judging.grouping import Grouping
from kontrast.judging.intervals import Jackknife, cluster_sums, jackknife, jackknife_of
from kontrast.judging.meta.records import (
    Calibration,
    Means,
    MetricAgreement,
    Sensitivity,
    Severities,
    Severity,
    Tau,
    Taus,
)
from kontrast.judging.records import Interval
from kontrast.judging.student import student_quantile
from kontrast.judging.verdicts import Verdicts
from kontrast.suites.model import Suite
from kontrast.suites.testset import testset

SEVERITIES = ("minor", "major", "critical")
"""From light to grave. DEMETR's "base" (an empty text, the reference itself) is no severity."""


def means(verdicts: Verdicts, values: Floats, grouping: Grouping | None) -> tuple[Means, ...]:
    """The mean of the correct and of the wrong variants as the metric gives them, in total and by group."""
    decisions = verdicts.decisions
    owner = np.repeat(np.arange(len(decisions)), np.diff(decisions.offsets))

    def of(label: str, tags: dict[str, str], chosen: Ints) -> Means:
        # An item of several pairs has one correct variant: it counts once.
        right = values[np.unique(decisions.correct[chosen])]
        wrong = values[decisions.rivals[np.isin(owner, chosen)]]
        return Means(label, tags, len(chosen), _mean(right), _mean(wrong))

    rows = [of("total", {}, np.arange(len(decisions)))]
    if grouping is not None:
        rows += [of(label, tags, np.flatnonzero(chosen)) for label, tags, chosen in grouping.parts()]
    return tuple(rows)


def _mean(values: Floats) -> float:
    # The sum of whole numbers is exact this way, so that means come out as others report them.
    return float(sum(values.tolist())) / len(values) if len(values) else 0.0


def sensitivities(
    verdicts: Verdicts,
    spread: float,
    over: str,
    grouping: Grouping | None,
    level: float = 0.95,
    correct: Floats | None = None,
) -> tuple[Sensitivity, ...]:
    """The mean margin over the spread, in total and by group, with a jackknife interval over clusters.

    ``correct`` are each decision's scores of the correct variant, where the spread is theirs: it is then uncertain
    too, which counts in the total. In groups the spread is a unit of measurement, the same for all.
    """
    unit = spread if spread > 0 else 1.0

    def of(label: str, chosen: Ints, correct: Floats | None = None) -> Sensitivity:
        margin, grouped = verdicts.margin[chosen], verdicts.decisions.clusters.on(chosen)
        mean = float(margin.mean())
        effects = margin / unit
        if correct is not None and spread > 0:
            # To first order, what each decision adds to the mean over the standard deviation.
            effects = effects - mean / unit * ((correct - correct.mean()) ** 2 / correct.var() - 1) / 2
        found = jackknife_of(effects, grouped)
        interval = _t_interval(found, found.variance, level, grouped)
        if spread <= 0:
            interval = Interval(-math.inf, math.inf, "no spread", level, grouped.scope)
        return Sensitivity(label, len(margin), mean, spread, over, mean / unit if spread > 0 else None, interval)

    rows = [of("total", np.arange(len(verdicts)), correct)]
    if grouping is not None:
        rows += [of(label, np.flatnonzero(chosen)) for label, _, chosen in grouping.parts()]
    return tuple(rows)


def severities(
    verdicts: Verdicts, names: Sequence[str | None], spread: float, *, level: float = 0.95
) -> Severities | None:
    """By severity, where the suite tells two or more apart."""
    named = np.array([name or "" for name in names], dtype=object)
    found = [(name, np.flatnonzero(named == name)) for name in SEVERITIES if (named == name).any()]
    if len(found) < 2:
        return None
    levels = tuple(
        Severity(
            name,
            len(chosen),
            float(verdicts.margin[chosen].mean()),
            float(verdicts.margin[chosen].mean() / spread) if spread > 0 else None,
            float(verdicts.credit[chosen].mean()),
        )
        for name, chosen in found
    )
    chosen = np.concatenate([own for _, own in found])
    won, total = _won([verdicts.margin[own] for _, own in found])
    grouped = verdicts.decisions.clusters.on(chosen)
    sums = cluster_sums(np.column_stack([won, total]), grouped.number)[0]
    # Every pair is counted at both its ends, which halves the error of the mean.
    share = jackknife(sums[:, 0], sums[:, 1])
    interval = _t_interval(share, 4 * share.variance, level, grouped)
    costs = [each.margin for each in levels]
    return Severities(
        levels,
        all(a < b for a, b in pairwise(costs)),
        share.mean,
        Interval(max(0.0, interval.low), min(1.0, interval.high), interval.method, level, interval.within),
        round(float(total.sum()) / 2),
    )


def _t_interval(found: Jackknife, variance: float, level: float, grouped: Grouped) -> Interval:
    if found.clusters < 2:
        return Interval(-math.inf, math.inf, "one decision", level, grouped.scope)
    half = student_quantile((1 + level) / 2, round(found.freedom, 2)) * math.sqrt(variance)
    return Interval(found.mean - half, found.mean + half, "jackknife", level, grouped.scope)


def _won(margins: Sequence[Floats]) -> tuple[Floats, Floats]:
    """For every item, group after group: in how many pairs with an item of another severity the graver one costs
    more (equal costs count half), and how many such pairs there are."""
    won = [np.zeros(len(own)) for own in margins]
    total = [np.zeros(len(own)) for own in margins]
    for i, light in enumerate(margins):
        for j in range(i + 1, len(margins)):
            grave = margins[j]
            won[j] += below(light, grave)
            won[i] += len(grave) - below(grave, light)
            total[j] += len(light)
            total[i] += len(grave)
    return np.concatenate(won), np.concatenate(total)


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
