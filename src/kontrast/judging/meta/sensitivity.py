"""What errors cost: means of correct and wrong variants, sensitivity in the metric's spread, order of severities."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from kontrast.judging.decisions import Floats, Ints
from kontrast.judging.grouping import Grouping
from kontrast.judging.intervals import student_quantile
from kontrast.judging.meta.records import Means, Sensitivity, Severities, Severity
from kontrast.judging.records import Interval
from kontrast.judging.verdicts import Verdicts

__all__ = ["SEVERITIES", "means", "sensitivities", "severities"]

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
        for i, tags in enumerate(grouping.labels):
            rows.append(of(grouping.label(i), tags, np.flatnonzero(grouping.number == i)))
    return tuple(rows)


def _mean(values: Floats) -> float:
    # The sum of whole numbers is exact this way, so that means come out as others report them.
    return float(sum(values.tolist())) / len(values) if len(values) else 0.0


def sensitivities(
    verdicts: Verdicts, spread: float, over: str, grouping: Grouping | None, level: float = 0.95
) -> tuple[Sensitivity, ...]:
    """The mean margin over the spread, in total and by group, with a t interval of the mean."""

    def of(label: str, margin: Floats) -> Sensitivity:
        mean, size = float(margin.mean()), len(margin)
        half = 0.0
        if size > 1:
            half = student_quantile((1 + level) / 2, size - 1) * float(margin.std(ddof=1)) / size**0.5
        unit = spread if spread > 0 else 1.0
        effect = mean / unit if spread > 0 else 0.0
        interval = Interval((mean - half) / unit, (mean + half) / unit, "t", level)
        return Sensitivity(label, size, mean, spread, over, effect, interval)

    rows = [of("total", verdicts.margin)]
    if grouping is not None:
        groups = range(len(grouping.labels))
        rows += [of(grouping.label(i), verdicts.margin[grouping.number == i]) for i in groups]
    return tuple(rows)


def severities(
    verdicts: Verdicts, names: Sequence[str | None], spread: float, *, seed: int = 0, resamples: int = 1000
) -> Severities | None:
    """By severity, where the suite tells two or more apart.

    Items are resampled within each severity for the interval of ``graver``.
    """
    named = np.array([name or "" for name in names], dtype=object)
    found = [(name, verdicts.margin[named == name]) for name in SEVERITIES if (named == name).any()]
    if len(found) < 2:
        return None
    levels = tuple(
        Severity(
            name,
            len(margin),
            float(margin.mean()),
            float(margin.mean() / spread) if spread > 0 else 0.0,
            float(verdicts.credit[named == name].mean()),
        )
        for name, margin in found
    )
    generator = np.random.default_rng(seed)
    margins = [margin for _, margin in found]
    drawn = [_graver([generator.choice(m, len(m)) for m in margins]) for _ in range(resamples)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    pairs = sum(len(a) * len(b) for i, a in enumerate(margins) for b in margins[i + 1 :])
    costs = [level.margin for level in levels]
    return Severities(
        levels,
        all(a < b for a, b in pairwise(costs)),
        _graver(margins),
        Interval(float(low), float(high), "bootstrap"),
        pairs,
    )


def _graver(margins: Sequence[Floats]) -> float:
    """The share of pairs, one light and one grave, in which the grave one costs more; ties count half."""
    won = total = 0.0
    for i, light in enumerate(margins):
        ordered = np.sort(light)
        for grave in margins[i + 1 :]:
            below = np.searchsorted(ordered, grave, "left").sum()
            up_to = np.searchsorted(ordered, grave, "right").sum()
            won += (float(below) + float(up_to)) / 2
            total += len(light) * len(grave)
    return won / total
