"""Several runs of one system as one: seeds with their mean and spread, or checkpoints as a curve.

Which of the two they are, the user says, never guessed from file names.
"""

import re
import statistics
from collections.abc import Sequence

from kontrast.errors import KontrastError
from kontrast.judging.clusters import Clusters
from kontrast.judging.floats import Floats
from kontrast.judging.intervals import clustered_share, jackknife_of
from kontrast.judging.records import Evaluation, Interval, Run, Runs, RunsAre, RunsBreakdown, RunsGroup
from kontrast.judging.written import Written
from kontrast.suites.model import Scores

MIN_RUNS = 3
"""Two runs do not tell how far seeds differ: they may be equal by luck."""


def check_seeds(system: str, runs: Sequence[Scores]) -> None:
    """Refuse a sample of seeds in which one run stands twice: seeds would seem to differ less than they do.

    Scores are compared, and of translations the text. Choices alone (two values) may well be the same in two runs:
    these are one run only where name and signature are the same too.
    """
    first: dict[tuple[object, ...], int] = {}
    for number, run in enumerate(runs, 1):
        told = tuple(item.text for item in run.items) if isinstance(run, Written) else run.values
        if (other := first.setdefault(told, number)) == number:
            continue
        before = runs[other - 1]
        if len(set(told)) > 2 or (before.system, before.signature) == (run.system, run.signature):
            raise KontrastError(
                f"{system}: runs {other} and {number} are the same ({before.system}, {run.system}); "
                "give every seed once (or use --runs fixed in evaluate and compare)"
            )


def evaluate_runs(
    system: str,
    results: Sequence[Evaluation],
    credits: Floats,
    clusters: Clusters,
    kind: RunsAre = "seeds",
    level: float = 0.95,
) -> Runs:
    """Sum up the evaluations of a system's runs; ``credits`` has a column a run."""
    steps = steps_of([result.system for result in results]) if kind == "checkpoints" else None
    runs = [
        Run(result.system, result.accuracy, result.interval, steps[i] if steps else None)
        for i, result in enumerate(results)
    ]
    order = sorted(range(len(runs)), key=lambda i: steps[i]) if steps else list(range(len(runs)))
    values = [runs[i].accuracy for i in order]
    over_seeds = kind == "seeds" and len(values) >= MIN_RUNS
    interval = None
    if steps is None:
        grouped = clusters.on()
        seeds = (statistics.variance(values) / len(values), len(values) - 1) if over_seeds else None
        found = clustered_share(jackknife_of(credits.mean(axis=1), grouped), level, seeds)
        method = f"{found.method} and seeds" if over_seeds else f"{found.method}, these runs only"
        interval = Interval(found.low, found.high, method, level, grouped.scope)
    return Runs(
        system=system,
        runs=tuple(runs[i] for i in order),
        mean=statistics.fmean(values),
        spread=_spread(values),
        low=min(values),
        high=max(values),
        interval=interval,
        curve=steps is not None,
        by=tuple(_breakdown([results[i] for i in order], b) for b in range(len(results[0].by))),
        over_seeds=over_seeds,
    )


def seed_variances(a: Sequence[float], b: Sequence[float]) -> tuple[tuple[float, int], ...]:
    """The variances of the means of two systems' runs, with their degrees of freedom; none where runs are too few.

    Each system's own where both have three runs or more. Else the runs of the one stand for the other's too: a
    candidate trained once is held against three seeds of the last release.
    """
    if min(len(a), len(b)) >= MIN_RUNS:
        return tuple((statistics.variance(runs) / len(runs), len(runs) - 1) for runs in (a, b))
    freedom = len(a) + len(b) - 2
    if max(len(a), len(b)) < MIN_RUNS:
        return ()
    pooled = sum((len(runs) - 1) * statistics.variance(runs) for runs in (a, b) if len(runs) > 1) / freedom
    return ((pooled * (1 / len(a) + 1 / len(b)), freedom),)


def steps_of(names: Sequence[str]) -> list[float]:
    """The number in which the names of checkpoints differ."""
    words = {re.sub(r"\d+", "#", name) for name in names}
    columns = list(zip(*(re.findall(r"\d+", name) for name in names), strict=True)) if len(words) == 1 else []
    moving = [i for i, column in enumerate(columns) if len(set(column)) == len(names)]
    if len(moving) != 1:
        raise KontrastError(
            f"checkpoint names must differ in one number (step500, step1000), not {', '.join(names)}; "
            "for seeds, leave out --runs checkpoints"
        )
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
