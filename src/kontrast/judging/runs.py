"""Several seeds or checkpoints of one system as one: mean, spread and, over checkpoints, a curve."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Sequence

from kontrast.judging.intervals import student_quantile
from kontrast.judging.records import Evaluation, Interval, Run, Runs, RunsBreakdown, RunsGroup

__all__ = ["evaluate_runs", "steps_of"]


def evaluate_runs(system: str, results: Sequence[Evaluation], level: float = 0.95) -> Runs:
    """Sum up the evaluations of a system's runs."""
    steps = steps_of([result.system for result in results])
    runs = [
        Run(result.system, result.accuracy, result.interval, steps[i] if steps else None)
        for i, result in enumerate(results)
    ]
    order = sorted(range(len(runs)), key=lambda i: steps[i]) if steps else list(range(len(runs)))
    values = [runs[i].accuracy for i in order]
    mean, spread = statistics.fmean(values), _spread(values)
    interval = None
    if len(values) > 1:
        half = student_quantile((1 + level) / 2, len(values) - 1) * spread / math.sqrt(len(values))
        interval = Interval(max(0.0, mean - half), min(1.0, mean + half), "t over runs", level)
    return Runs(
        system=system,
        runs=tuple(runs[i] for i in order),
        mean=mean,
        spread=spread,
        low=min(values),
        high=max(values),
        interval=interval,
        curve=steps is not None and len(runs) > 1,
        by=tuple(_breakdown([results[i] for i in order], b) for b in range(len(results[0].by))),
    )


def steps_of(names: Sequence[str]) -> list[float] | None:
    """The number by which the names of checkpoints differ, or None for names that differ otherwise (seeds).

    >>> steps_of(["base.step2000", "base.step500"]), steps_of(["seed1", "seed2"])
    ([2000.0, 500.0], None)
    """
    words = {re.sub(r"\d+", "#", name) for name in names}
    if len(words) != 1 or "#" not in (word := words.pop()):
        return None
    columns = list(zip(*(re.findall(r"\d+", name) for name in names), strict=True))
    moving = [i for i, column in enumerate(columns) if len(set(column)) == len(names)]
    if len(moving) != 1 or len(names) < 2:
        return None
    before = word.split("#")[moving[0]].rstrip("._-= ").lower()
    if before.endswith(("seed", "run", "s", "r")) and not before.endswith("steps"):
        return None
    return [float(number) for number in columns[moving[0]]]


def _spread(values: Sequence[float]) -> float:
    return statistics.stdev(values) if len(values) > 1 else 0.0


def _breakdown(results: Sequence[Evaluation], index: int) -> RunsBreakdown:
    first = results[0].by[index]
    columns = zip(*(result.by[index].groups for result in results), strict=True)
    groups = []
    for column in columns:
        values = tuple(group.accuracy for group in column)
        groups.append(RunsGroup(column[0].label, column[0].items, statistics.fmean(values), _spread(values), values))
    return RunsBreakdown(first.by, tuple(groups))
