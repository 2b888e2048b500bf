"""What an error costs a metric: means of correct and wrong variants, sensitivity, and the order of severities."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from kontrast.judging.clusters import Grouped
from kontrast.judging.correlation.statistics import below
from kontrast.judging.decisions import Floats, Ints
from kontrast.judging.grouping import Grouping
from kontrast.judging.intervals import Jackknife, cluster_sums, jackknife, jackknife_of
from kontrast.judging.meta.records import Means, Sensitivity, Severities, Severity
from kontrast.judging.records import Interval
from kontrast.judging.student import student_quantile
from kontrast.judging.verdicts import Verdicts

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
