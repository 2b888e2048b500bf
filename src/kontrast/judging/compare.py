"""Compare: paired tests of two or more systems on the same decisions, in total and by tag."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

import msgspec
import numpy as np

from kontrast.defaults import ALPHA, LEVEL, RESAMPLES, SEED
from kontrast.errors import KontrastError
from kontrast.judging import paired
from kontrast.judging.decisions import Decisions, Floats, Ints
from kontrast.judging.grouping import group_by, with_phenomenon
from kontrast.judging.intervals import cluster_sums, resampled_means
from kontrast.judging.records import Comparison, ComparisonBreakdown, Difference, Test, TiePolicy
from kontrast.judging.signatures import check_comparable
from kontrast.judging.systems import System, names_of
from kontrast.judging.verdicts import Verdicts, judge
from kontrast.suites.model import Scores, Suite, Unit
from kontrast.suites.one_variant import left_out

__all__ = ["TESTS", "compare"]

TESTS: tuple[Test, ...] = ("permutation", "mcnemar", "bootstrap")


def compare(
    suite: Suite,
    systems: Sequence[System],
    *,
    by: Sequence[str] = (),
    test: Test = "permutation",
    ties: TiePolicy = "report",
    epsilon: float = 0.0,
    unit: Unit | None = None,
    alpha: float = ALPHA,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    allow: Collection[str] = (),
    verdicts: Sequence[Verdicts] | None = None,
) -> Comparison:
    """Compare systems pair by pair on the same decisions.

    The first of a pair is the one compared with: a positive difference means that the second is better. Systems
    that differ only in context answer "what does context buy?". By phenomenon comes by itself where there are
    several. ``(name, [scores, …])`` is one system whose credit is the mean over its runs. ``verdicts`` are those of
    each single system where they are known already, under the same policy.

    >>> from kontrast import Item, Scores, Suite, Variant
    >>> pair = Variant("ein Hund"), Variant("eine Hund", error="np_agreement")
    >>> suite = Suite("tiny", tuple(Item(str(i), "a dog", pair) for i in range(10)))
    >>> good, bad = Scores("good", (1.0, 2.0) * 10), Scores("bad", (2.0, 1.0) * 10)
    >>> result = compare(suite, [bad, good]).total[0]
    >>> result.difference, result.b_better, result.mcnemar
    (1.0, 10, 0.001953125)
    """
    if test not in TESTS:
        raise KontrastError(f"there is no test {test!r}; known: {', '.join(TESTS)}")
    if len(systems) < 2:
        raise KontrastError("a comparison takes two systems or more")
    named = [(s.system, [s]) if isinstance(s, Scores) else (s[0], list(s[1])) for s in systems]
    differs = check_comparable(suite, [scores for _, several in named for scores in several], allow)
    names = names_of(systems)
    judged = (
        [[own] for own in verdicts]
        if verdicts
        else [
            [judge(suite, scores, ties=ties, epsilon=epsilon, unit=unit) for scores in several]
            for _, several in named
        ]
    )
    decisions = judged[0][0].decisions
    credits = np.column_stack([np.mean([v.credit for v in several], axis=0) for several in judged])
    cluster, numbers = decisions.cluster
    context = _Tests(names, credits, numbers, test, alpha, level, resamples, seed)
    by_tag = []
    for name in with_phenomenon(decisions.tags, by):
        grouping = group_by(decisions.tags, name)
        rows = [
            difference
            for i, tags in enumerate(grouping.labels)
            for difference in context.differences(np.flatnonzero(grouping.number == i), grouping.label(i), tags)
        ]
        by_tag.append(ComparisonBreakdown(name, grouping.tags, context.corrected(rows)))
    return Comparison(
        suite=suite.name,
        unit=decisions.unit,
        tie_policy=ties,
        systems=tuple(names),
        items=len(decisions),
        test=test,
        alpha=alpha,
        resamples=resamples,
        seed=seed,
        cluster=cluster,
        clusters=int(numbers.max()) + 1 if cluster else None,
        differs=differs,
        total=context.corrected(context.differences(np.arange(len(decisions)), "total", {})),
        by=tuple(by_tag),
        notes=(*left_out(suite), *_notes(decisions, test)),
    )


class _Tests:
    """All that the tests share; makes the differences of every pair of systems on a choice of decisions."""

    def __init__(
        self,
        names: list[str],
        credits: Floats,
        numbers: Ints,
        test: Test,
        alpha: float,
        level: float,
        resamples: int,
        seed: int,
    ) -> None:
        self.names, self.credits, self.numbers = names, credits, numbers
        self.test, self.alpha, self.level, self.resamples, self.seed = test, alpha, level, resamples, seed

    def differences(self, chosen: Ints, label: str, tags: dict[str, str]) -> list[Difference]:
        credits = self.credits[chosen]
        sums, sizes = cluster_sums(credits, self.numbers[chosen])
        generator = np.random.default_rng(self.seed)
        means = resampled_means(sums, sizes, self.resamples, generator)
        rows = []
        for i, j in combinations(range(len(self.names)), 2):
            pair = sums[:, [i, j]]
            a_better, b_better = paired.discordant(credits[:, i], credits[:, j])
            interval, bootstrap = paired.summarise_difference(means[:, j] - means[:, i], pair, sizes, self.level)
            ratio, ratio_interval = paired.odds_ratio(a_better, b_better, self.level)
            accuracy_a, accuracy_b = float(credits[:, i].mean()), float(credits[:, j].mean())
            p_values = {
                "mcnemar": paired.mcnemar_exact(a_better, b_better),
                "permutation": paired.permutation_test(pair, self.resamples, generator),
                "bootstrap": bootstrap,
            }
            rows.append(
                Difference(
                    a=self.names[i],
                    b=self.names[j],
                    label=label,
                    tags=tags,
                    items=len(chosen),
                    accuracy_a=accuracy_a,
                    accuracy_b=accuracy_b,
                    difference=accuracy_b - accuracy_a,
                    interval=interval,
                    a_better=a_better,
                    b_better=b_better,
                    same=len(chosen) - a_better - b_better,
                    odds_ratio=ratio,
                    odds_interval=ratio_interval,
                    cohens_h=paired.cohens_h(accuracy_a, accuracy_b),
                    **p_values,
                    p=p_values[self.test],
                    significant=False,
                    minimum_detectable=paired.minimum_detectable(pair, sizes, self.alpha),
                )
            )
        return rows

    def corrected(self, rows: list[Difference]) -> tuple[Difference, ...]:
        """Holm's correction over all rows of a table."""
        adjusted = paired.holm([row.p for row in rows])
        return tuple(
            msgspec.structs.replace(row, p=p, significant=p <= self.alpha)
            for row, p in zip(rows, adjusted, strict=True)
        )


def _notes(decisions: Decisions, test: Test) -> tuple[str, ...]:
    cluster, _ = decisions.cluster
    if cluster is None or test != "mcnemar":
        return ()
    return (f"McNemar's test takes decisions of the same {cluster} as independent; permutation and bootstrap do not",)
