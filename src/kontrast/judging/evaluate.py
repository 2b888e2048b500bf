"""Evaluate: accuracy with intervals, ties, chance and baselines, in total and by tag."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from kontrast.errors import KontrastError
from kontrast.judging.baselines import baselines, majority_credit
from kontrast.judging.decisions import Decisions, Floats
from kontrast.judging.grouping import Grouping, group_by
from kontrast.judging.intervals import cluster_interval, wilson
from kontrast.judging.normalise import normalise as normalised_scores
from kontrast.judging.records import (
    Breakdown,
    Evaluation,
    Evaluations,
    Flip,
    Group,
    Interval,
    Margins,
    Normalised,
    Runs,
    TiePolicy,
)
from kontrast.judging.runs import evaluate_runs
from kontrast.judging.signatures import check_suite
from kontrast.judging.systems import System, distinct
from kontrast.judging.verdicts import Verdicts, judge
from kontrast.suites.model import Scores, Suite, Unit

__all__ = ["evaluate", "evaluate_all"]


def evaluate(
    suite: Suite,
    scores: Scores,
    *,
    by: Sequence[str] = (),
    ties: TiePolicy = "report",
    epsilon: float = 0.0,
    unit: Unit | None = None,
    normalise: Sequence[str] = (),
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
    allow: Collection[str] = (),
) -> Evaluation:
    """Judge one system on a suite.

    ``by`` names tags, with a binning rule where wanted (``"frequency:log"``) and crossed with commas; by phenomenon
    comes first by itself where there are several. With ``normalise`` (``["sum", "token"]``) the result is that of
    the first, with the others and the decisions that flip beside it.

    >>> from kontrast import Item, Scores, Suite, Variant
    >>> pair = Variant("ein Hund"), Variant("eine Hund", error="np_agreement")
    >>> suite = Suite("tiny", (Item("1", "a dog", pair), Item("2", "a dog", pair)))
    >>> result = evaluate(suite, Scores("mine", (1.0, 2.0, 3.0, 3.0)))
    >>> result.right, result.wrong, result.ties, result.accuracy, result.chance
    (1, 0, 1, 0.75, 0.5)
    """
    check_suite(suite, scores, allow)
    views = [normalised_scores(suite, scores, kind) for kind in normalise]
    chosen = views[0] if views else scores
    verdicts = judge(suite, chosen, ties=ties, epsilon=epsilon, unit=unit)
    decisions = verdicts.decisions
    other = judge(
        suite, chosen, ties=ties, epsilon=epsilon, unit="item" if decisions.unit == "pair" else "pair"
    ).counts()
    counts = verdicts.counts()
    cluster, numbers = decisions.cluster
    majority = majority_credit(decisions)
    interval = _Intervals(level, resamples, seed)
    groupings = [group_by(decisions.tags, name) for name in _with_phenomenon(decisions, by)]
    breakdowns = tuple(_breakdown(verdicts, grouping, majority, interval) for grouping in groupings)
    judged = [judge(suite, view, ties=ties, epsilon=epsilon, unit=unit) for view in views]
    notes = []
    skipped = len(suite.items) - len(set(decisions.item.tolist()))
    if skipped:
        notes.append(f"{skipped} items have one variant only and are left out")
    return Evaluation(
        suite=suite.name,
        system=scores.system,
        unit=decisions.unit,
        tie_policy=ties,
        epsilon=epsilon,
        items=counts.items,
        right=counts.right,
        wrong=counts.wrong,
        ties=counts.ties,
        accuracy=counts.accuracy,
        interval=interval.of(verdicts),
        wilson=wilson(float(verdicts.credit.sum()), counts.items, level),
        chance=counts.chance,
        tie_rate=counts.ties / counts.items,
        macro=breakdowns[0].macro if breakdowns else None,
        cluster=cluster,
        clusters=int(numbers.max()) + 1 if cluster else None,
        baselines=baselines(decisions, ties, majority),
        as_items=other if decisions.unit == "pair" else counts,
        as_pairs=counts if decisions.unit == "pair" else other,
        margins=_margins(verdicts.margin),
        by=breakdowns,
        normalisations=_normalised(normalise, judged, interval),
        flips=_flips(suite, normalise, judged),
        lower_is_better=chosen.lower_is_better,
        fingerprint=suite.fingerprint,
        signature=str(chosen.signature) if chosen.signature else None,
        notes=tuple(notes),
    )


def evaluate_all(
    suite: Suite,
    systems: Sequence[System],
    *,
    by: Sequence[str] = (),
    ties: TiePolicy = "report",
    epsilon: float = 0.0,
    unit: Unit | None = None,
    normalise: Sequence[str] = (),
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
    allow: Collection[str] = (),
) -> Evaluations:
    """Judge several systems; ``(name, [scores, …])`` is one system with several seeds or checkpoints."""
    single: list[Evaluation] = []
    runs: list[Runs] = []
    for system in systems:
        several = (
            [system]
            if isinstance(system, Scores)
            else [msgspec.structs.replace(run, system=f"{system[0]}/{run.system}") for run in system[1]]
        )
        results = [
            evaluate(
                suite,
                scores,
                by=by,
                ties=ties,
                epsilon=epsilon,
                unit=unit,
                normalise=normalise,
                level=level,
                resamples=resamples,
                seed=seed,
                allow=allow,
            )
            for scores in several
        ]
        single += results
        if not isinstance(system, Scores):
            runs.append(evaluate_runs(system[0], results, level))
    if not single:
        raise KontrastError("there are no scores to evaluate")
    names = distinct([result.system for result in single])
    named = (msgspec.structs.replace(result, system=name) for result, name in zip(single, names, strict=True))
    return Evaluations(suite.name, tuple(named), tuple(runs))


class _Intervals:
    """Makes the interval that is right for a set of decisions."""

    def __init__(self, level: float, resamples: int, seed: int) -> None:
        self.level, self.resamples, self.seed = level, resamples, seed

    def of(self, verdicts: Verdicts, chosen: NDArray[np.bool_] | None = None) -> Interval:
        cluster, numbers = verdicts.decisions.cluster
        credit = verdicts.credit if chosen is None else verdicts.credit[chosen]
        numbers = numbers if chosen is None else numbers[chosen]
        if cluster is not None and len(np.unique(numbers)) < len(numbers):
            return cluster_interval(credit, numbers, level=self.level, resamples=self.resamples, seed=self.seed)
        return wilson(float(credit.sum()), len(credit), self.level)


def _with_phenomenon(decisions: Decisions, by: Sequence[str]) -> list[str]:
    several = len({tags.get("phenomenon") for tags in decisions.tags}) > 1
    return [*(["phenomenon"] if several and "phenomenon" not in by else []), *by]


def _breakdown(verdicts: Verdicts, grouping: Grouping, majority: Floats, interval: _Intervals) -> Breakdown:
    cluster, numbers = verdicts.decisions.cluster
    groups = []
    for i, tags in enumerate(grouping.labels):
        chosen = grouping.number == i
        counts = verdicts.counts(chosen)
        groups.append(
            Group(
                label=grouping.label(i),
                tags=tags,
                items=counts.items,
                right=counts.right,
                wrong=counts.wrong,
                ties=counts.ties,
                accuracy=counts.accuracy,
                interval=interval.of(verdicts, chosen),
                chance=counts.chance,
                majority=float(majority[chosen].mean()),
                clusters=len(np.unique(numbers[chosen])) if cluster else None,
            )
        )
    macro = float(np.mean([group.accuracy for group in groups]))
    return Breakdown(grouping.by, grouping.tags, tuple(groups), macro)


def _margins(margin: Floats) -> Margins:
    points = (0.05, 0.25, 0.5, 0.75, 0.95)
    return Margins(
        float(margin.mean()),
        {f"{p:g}": float(q) for p, q in zip(points, np.quantile(margin, points), strict=True)},
    )


def _normalised(names: Sequence[str], judged: Sequence[Verdicts], interval: _Intervals) -> tuple[Normalised, ...]:
    rows = []
    for name, verdicts in zip(names, judged, strict=True):
        counts = verdicts.counts()
        gap = verdicts.credit - judged[0].credit
        rows.append(
            Normalised(
                name,
                counts.accuracy,
                interval.of(verdicts),
                counts.right,
                counts.wrong,
                counts.ties,
                gained=int((gap > 0).sum()),
                lost=int((gap < 0).sum()),
            )
        )
    return tuple(rows)


def _flips(suite: Suite, names: Sequence[str], judged: Sequence[Verdicts]) -> tuple[Flip, ...]:
    if len(judged) < 2:
        return ()
    credits = np.column_stack([verdicts.credit for verdicts in judged])
    decisions = judged[0].decisions
    flips = []
    for i in np.flatnonzero(credits.min(axis=1) != credits.max(axis=1)).tolist():
        variant = int(decisions.variant[i])
        flips.append(
            Flip(
                suite.items[int(decisions.item[i])].id,
                None if variant < 0 else variant,
                dict(zip(names, credits[i].tolist(), strict=True)),
            )
        )
    return tuple(flips)
