"""``correlate``: how well metrics agree with people, over systems and over segments, and which agrees better."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from kontrast.defaults import RESAMPLES, SEED
from kontrast.errors import KontrastError
from kontrast.judging.correlation.statistics import (
    Calibrated,
    calibrated_accuracy,
    flip_test,
    kendall,
    pearson,
    spearman,
    swap_test,
    system_accuracy,
    williams,
)
from kontrast.judging.floats import Floats
from kontrast.record import Record
from kontrast.suites.judgements import Judgements

SWAPS = 1000
"""Of the permutation test of system-level correlations, which computes a correlation each time."""


class Correlation(Record, frozen=True):
    """One metric. Segment correlations are over all translations; ``by_segment`` ones within a segment, averaged."""

    metric: str
    system_accuracy: float | None
    system_pearson: float | None
    system_spearman: float | None
    system_kendall: float | None
    segment_accuracy: float | None
    epsilon: float | None
    accuracy_at_zero: float | None
    segment_pearson: float | None
    segment_spearman: float | None
    segment_kendall: float | None
    segment_kendall_by_segment: float | None


class CorrelationDifference(Record, frozen=True):
    """Two metrics: the difference of pairwise accuracy and of system-level Pearson, each with its test's p."""

    a: str
    b: str
    segment_accuracy: float | None
    segment_p: float | None
    system_pearson: float | None
    system_p: float | None
    williams_p: float | None


class Correlations(Record, frozen=True):
    """Metrics against the same human judgements."""

    _parts = "metrics"
    human: str
    kind: str
    systems: int
    segments: int
    judged: int
    pairs: int
    tied_pairs: int
    left_out: int
    """Scores of translations that nobody judged."""
    metrics: tuple[Correlation, ...]
    differences: tuple[CorrelationDifference, ...] = ()
    notes: tuple[str, ...] = ()


def correlate(
    human: Judgements,
    metrics: Sequence[Judgements],
    *,
    minimize: Sequence[str] = (),
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Correlations:
    """Compare metrics' scores with human judgements of the same translations; in both, larger is better.

    ``minimize`` names metrics whose lower scores are better. A translation that people judged and a metric did not
    score is an error; scores of translations that nobody judged are left out and counted.
    """
    if unknown := sorted(set(minimize) - {each.name for each in metrics}):
        raise KontrastError(
            f"--minimize {unknown[0]}: there is no such metric; choose from {', '.join(m.name for m in metrics)}"
        )
    if len({each.name for each in metrics}) < len(metrics):
        raise KontrastError("two files of metrics have the same name; rename one")
    systems, segments = human.systems, human.segments
    if len(systems) < 2:
        raise KontrastError(f"{human.name}: expected judgements of two systems or more, found {len(systems)}")
    gold = _matrix(human, systems, segments)
    judged = ~np.isnan(gold)
    scores = []
    for each in metrics:
        _refuse_missing(each, human)
        values = np.where(judged, _matrix(each, systems, segments), np.nan)
        scores.append(-values if each.name in minimize else values)
    accuracies = [calibrated_accuracy(values, gold) for values in scores]
    first = accuracies[0] if accuracies else None
    notes: tuple[str, ...] = ()
    if first is not None and first.ties == first.pairs:
        # A threshold above every difference would agree with all of these ties.
        accuracies = [None] * len(metrics)
        notes = (f"people tie all {first.pairs:,} pairs: pairwise accuracy is not defined",)
    found = tuple(_one(m.name, s, gold, a) for m, s, a in zip(metrics, scores, accuracies, strict=True))
    differences = tuple(
        _difference(found[i], found[j], (scores[i], scores[j]), (accuracies[i], accuracies[j]), gold, resamples, seed)
        for i, j in combinations(range(len(metrics)), 2)
    )
    return Correlations(
        human.name,
        human.kind,
        len(systems),
        len(segments),
        int(judged.sum()),
        first.pairs if first else 0,
        first.ties if first else 0,
        max((len(set(each.values) - set(human.values)) for each in metrics), default=0),
        found,
        differences,
        notes,
    )


def _matrix(scores: Judgements, systems: Sequence[str], segments: Sequence[str]) -> Floats:
    """Systems × segments, NaN where there is no score."""
    rows = [[scores.values.get((system, segment), np.nan) for segment in segments] for system in systems]
    return np.array(rows, dtype=np.float64)


def _refuse_missing(metric: Judgements, human: Judgements) -> None:
    missing = [key for key in human.values if key not in metric.values]
    if not missing:
        return
    if absent := [system for system in human.systems if system not in set(metric.systems)]:
        raise KontrastError(
            f"{metric.name} has no system {absent[0]}, which people judged; it has {', '.join(metric.systems[:6])}"
        )
    system, segment = missing[0]
    raise KontrastError(
        f"{metric.name} has no score of segment {segment} of {system}, which people judged "
        f"(missing scores: {len(missing):,})"
    )


def _means(values: Floats) -> Floats:
    """Of each system; means that only rounding tells apart are the same, or they would seem to be an order."""
    means: Floats = np.nanmean(values, axis=1)
    _, first, own = np.unique(np.round(means, 12), return_index=True, return_inverse=True)
    return means[first][own]


def _one(name: str, values: Floats, gold: Floats, accuracy: Calibrated | None) -> Correlation:
    judged = ~np.isnan(gold)
    metric_means, human_means = _means(values), _means(gold)
    flat, people = values[judged], gold[judged]
    within = [
        tau
        for column, gold_column, seen in zip(values.T, gold.T, judged.T, strict=True)
        if (tau := kendall(column[seen], gold_column[seen])) is not None
    ]
    return Correlation(
        name,
        system_accuracy(metric_means, human_means),
        pearson(metric_means, human_means),
        spearman(metric_means, human_means),
        kendall(metric_means, human_means),
        accuracy.accuracy if accuracy else None,
        accuracy.epsilon if accuracy else None,
        accuracy.accuracy_at_zero if accuracy else None,
        pearson(flat, people),
        spearman(flat, people),
        kendall(flat, people),
        float(np.mean(within)) if within else None,
    )


def _difference(
    a: Correlation,
    b: Correlation,
    scores: tuple[Floats, Floats],
    accuracies: tuple[Calibrated | None, Calibrated | None],
    gold: Floats,
    resamples: int,
    seed: int,
) -> CorrelationDifference:
    segment_p = None
    if accuracies[0] and accuracies[1]:
        one, other = (np.array(each.by_segment) for each in accuracies if each)
        segment_p = flip_test(one, other, resamples=resamples, seed=seed)
    judged, human_means = ~np.isnan(gold), _means(gold)

    def system_pearson(flat: Floats) -> float | None:
        values = np.full(gold.shape, np.nan)
        values[judged] = flat
        return pearson(_means(values), human_means)

    first, second = scores[0][judged], scores[1][judged]
    system_p = swap_test(system_pearson, first, second, resamples=min(resamples, SWAPS), seed=seed)
    between = pearson(*map(_means, scores))
    williams_p = None
    if a.system_pearson is not None and b.system_pearson is not None and between is not None:
        williams_p = williams(a.system_pearson, b.system_pearson, between, len(gold))
    return CorrelationDifference(
        a.metric,
        b.metric,
        _less(a.segment_accuracy, b.segment_accuracy),
        segment_p,
        _less(a.system_pearson, b.system_pearson),
        system_p,
        williams_p,
    )


def _less(a: float | None, b: float | None) -> float | None:
    return a - b if a is not None and b is not None else None
