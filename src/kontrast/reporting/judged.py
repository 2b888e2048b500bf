"""What the sections of a report are made from: some systems on one suite, each judged once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from kontrast.defaults import LEVEL, RESAMPLES, SEED
from kontrast.errors import KontrastError
from kontrast.judging.compare import compare
from kontrast.judging.decisions import decisions_of
from kontrast.judging.evaluate import evaluate_all
from kontrast.judging.grouping import CURVES, usual_tags
from kontrast.judging.records import Comparison, Evaluation, Evaluations, TiePolicy
from kontrast.judging.systems import names_of
from kontrast.judging.verdicts import Verdicts, check_count, larger_is_better, verdicts_of
from kontrast.suites.model import Scores, Suite, Unit

__all__ = ["CURVES", "Judged", "judge_systems"]


@dataclass(frozen=True)
class Judged:
    """Systems under names that tell them apart, their verdicts, and what was computed from these.

    ``most`` limits the single items that a section may list; ``notes`` are what the reader must know beside.
    """

    suite: Suite
    systems: tuple[Scores, ...]
    verdicts: tuple[Verdicts, ...]
    evaluations: Evaluations
    comparison: Comparison | None
    most: int
    notes: tuple[str, ...] = ()

    @property
    def first(self) -> Evaluation:
        return self.evaluations.systems[0]

    @property
    def unit(self) -> str:
        return "pairs" if self.first.unit == "pair" else "items"


def judge_systems(
    suite: Suite,
    systems: Sequence[Scores],
    *,
    by: Sequence[str] = (),
    ties: TiePolicy = "report",
    epsilon: float = 0.0,
    unit: Unit | None = None,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    allow: Collection[str] = (),
    most: int = 2000,
    notes: Sequence[str] = (),
) -> Judged:
    """Judge every system once; evaluate and compare them from these verdicts."""
    if not systems:
        raise KontrastError("a report takes one score file or more")
    named = [msgspec.structs.replace(s, system=n) for s, n in zip(systems, names_of(systems), strict=True)]
    for scores in named:
        check_count(suite, scores)
    decisions = decisions_of(suite, unit)
    verdicts = [verdicts_of(decisions, larger_is_better(s), ties=ties, epsilon=epsilon) for s in named]
    by = tuple(by) or usual_tags(decisions.tags)
    how: dict[str, Any] = {"ties": ties, "epsilon": epsilon, "unit": unit, "level": level, "allow": allow}
    evaluations = evaluate_all(suite, named, by=by, verdicts=verdicts, **how)
    comparison = None
    if len(named) > 1:
        tags = [breakdown.by for breakdown in evaluations.systems[0].by]
        comparison = compare(suite, named, by=tags, verdicts=verdicts, resamples=resamples, seed=seed, **how)
    return Judged(suite, tuple(named), tuple(verdicts), evaluations, comparison, most, tuple(notes))
