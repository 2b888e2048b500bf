"""What the sections of a report are made from: some systems on one suite, each judged once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

import msgspec

from kontrast.errors import KontrastError
from kontrast.judging.compare import compare
from kontrast.judging.decisions import decisions_of
from kontrast.judging.evaluate import evaluate_all
from kontrast.judging.grouping import CURVES, usual_tags
from kontrast.judging.options import Judging, Resampling
from kontrast.judging.records import Comparison, Evaluation, Evaluations
from kontrast.judging.systems import names_of
from kontrast.judging.verdicts import Verdicts, check_count, larger_is_better, verdicts_of
from kontrast.options import filled, part
from kontrast.suites.model import Scores, Suite

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
    def other_ties(self) -> tuple[str, ...]:
        """What a section must say that judges the scores anew, without the report's ties and epsilon."""
        usual = self.first.tie_policy == "report" and not self.first.epsilon
        return () if usual else ("in this part only equal scores are ties, and a tie among k counts 1/k",)

    @property
    def unit(self) -> str:
        return "pairs" if self.first.unit == "pair" else "items"


def judge_systems(
    suite: Suite,
    systems: Sequence[Scores],
    *,
    most: int = 2000,
    notes: Sequence[str] = (),
    **judging: Unpack[Resampling],
) -> Judged:
    """Judge every system once; evaluate and compare them from these verdicts."""
    if not systems:
        raise KontrastError("a report needs at least one score file")
    named = [msgspec.structs.replace(s, system=n) for s, n in zip(systems, names_of(systems), strict=True)]
    for scores in named:
        check_count(suite, scores)
    asked = filled(Resampling, judging, judge_systems)
    decisions = decisions_of(suite, asked["unit"])
    ties, epsilon = asked["ties"], asked["epsilon"]
    verdicts = [verdicts_of(decisions, larger_is_better(s), ties=ties, epsilon=epsilon) for s in named]
    asked["by"] = asked["by"] or usual_tags(decisions.tags)
    evaluations = evaluate_all(suite, named, verdicts=verdicts, **part(Judging, asked))
    comparison = None
    if len(named) > 1:
        asked["by"] = [breakdown.by for breakdown in evaluations.systems[0].by]
        comparison = compare(suite, named, verdicts=verdicts, **asked)
    return Judged(suite, tuple(named), tuple(verdicts), evaluations, comparison, most, tuple(notes))
