"""Compare: paired tests of two or more systems on the same decisions, in total and by tag."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Unpack

import msgspec
import numpy as np

from kontrast.errors import KontrastError
from kontrast.judging import paired
from kontrast.judging.clusters import MIN_CLUSTERS, Clusters, Grouped
from kontrast.judging.contrast import MIN_CONTRIBUTING, Contrast, contrast, gaps_of
from kontrast.judging.decisions import Floats, Ints
from kontrast.judging.grouping import group_by, with_phenomenon
from kontrast.judging.intervals import cluster_sums
from kontrast.judging.options import ResamplingRuns, Weighing
from kontrast.judging.records import Comparison, ComparisonBreakdown, Difference, Test
from kontrast.judging.runs import MIN_RUNS, check_seeds, seed_variances
from kontrast.judging.signatures import check_comparable
from kontrast.judging.systems import System, named, names_of, runs_of, system_name
from kontrast.judging.verdict_text import comparison_text
from kontrast.judging.verdicts import Verdicts, judge
from kontrast.judging.wording import cluster_notes
from kontrast.options import filled, part
from kontrast.suites.description import left_out
from kontrast.suites.model import Suite

TESTS: tuple[Test, ...] = ("jackknife", "permutation", "mcnemar")

_Row = tuple[Difference, Contrast]


def compare(
    suite: Suite,
    systems: Sequence[System],
    *,
    verdicts: Sequence[Verdicts] | None = None,
    **judging: Unpack[ResamplingRuns],
) -> Comparison:
    """Compare systems pair by pair on the same decisions.

    The first of a pair is the one compared with: a positive difference means that the second is better. Systems
    that differ only in context answer "what does context buy?". By phenomenon comes by itself where there are
    several. ``(name, [scores, …])`` is one system of several runs: its credit is their mean, and the variance between
    them counts unless ``runs`` is ``"fixed"``. ``verdicts`` are those of each single system where they are known
    already, under the same policy. With ``baseline``, a system's name, only the pairs with that system are
    tested.
    """
    asked = filled(ResamplingRuns, judging, compare)
    test, runs = asked["test"], asked["runs"]
    if test not in TESTS:
        raise KontrastError(f"there is no test {test!r}; known: {', '.join(TESTS)}")
    if len(systems) < 2:
        raise KontrastError("expected two systems or more to compare")
    if runs == "checkpoints":
        raise KontrastError(
            "checkpoints are not one system; compare them one by one, or use --runs fixed for their mean"
        )
    named = [(system_name(system), runs_of(system)) for system in systems]
    for name, several in named if runs == "seeds" else ():
        check_seeds(name, several)
    differs = check_comparable(suite, [scores for _, several in named for scores in several], asked["allow"])
    names = names_of(systems)
    judged = (
        [[own] for own in verdicts]
        if verdicts
        else [[judge(suite, scores, **part(Weighing, asked)) for scores in several] for _, several in named]
    )
    decisions = judged[0][0].decisions
    credits = [np.column_stack([verdicts.credit for verdicts in several]) for several in judged]
    whole = all(bool(np.isin(own, (0.0, 1.0)).all()) and own.shape[1] == 1 for own in credits)
    if test == "mcnemar" and not whole:
        raise KontrastError(
            "McNemar's test needs decisions that are right or wrong, and some are fractions (ties or several runs); "
            "use --test jackknife or permutation, or --ties wrong"
        )
    grouped = decisions.clusters.on()
    context = _Tests(asked, names, credits, decisions.clusters, whole, _pairs(names, asked["baseline"]))
    by_tag = []
    for name in with_phenomenon(decisions.tags, asked["by"]):
        grouping = group_by(decisions.tags, name)
        rows = [
            difference
            for label, tags, chosen in grouping.parts()
            for difference in context.differences(np.flatnonzero(chosen), label, tags)
        ]
        by_tag.append(ComparisonBreakdown(name, grouping.tags, context.corrected(rows)))
    found = Comparison(
        suite=suite.name,
        unit=decisions.unit,
        tie_policy=asked["ties"],
        systems=tuple(names),
        items=len(decisions),
        test=test,
        alpha=asked["alpha"],
        resamples=asked["resamples"],
        seed=asked["seed"],
        cluster=grouped.name,
        clusters=grouped.count if grouped.name else None,
        differs=differs,
        total=context.corrected(context.differences(np.arange(len(decisions)), "total", {})),
        by=tuple(by_tag),
        notes=(*left_out(suite), *_notes(grouped, test, [own.shape[1] for own in credits], context.seeds)),
        level=asked["level"],
        seeds=context.seeds,
    )
    return msgspec.structs.replace(found, verdict=comparison_text(found))


def _pairs(names: Sequence[str], baseline: str | None) -> list[tuple[int, int]]:
    """Whom to compare with whom: all pairs, or the baseline with each of the others."""
    if baseline is None:
        return list(combinations(range(len(names)), 2))
    try:
        first = names.index(named(names, baseline))
    except KontrastError as error:
        raise KontrastError(f"--baseline: {error}") from error
    return [(first, other) for other in range(len(names)) if other != first]


@dataclass(frozen=True)
class _Tests:
    """All that the tests share; makes the differences of every pair of systems on a choice of decisions.

    ``runs`` has an array a system with a column a run; ``whole`` says that every credit is 0 or 1.
    """

    asked: ResamplingRuns
    names: list[str]
    runs: list[Floats]
    clusters: Clusters
    whole: bool
    pairs: list[tuple[int, int]]

    @property
    def test(self) -> Test:
        return self.asked["test"]

    @property
    def seeds(self) -> bool:
        """Is the variance between runs in the tests?"""
        enough = any(own.shape[1] >= MIN_RUNS for own in self.runs)
        return self.asked["runs"] == "seeds" and enough and self.test == "jackknife"

    def differences(self, chosen: Ints, label: str, tags: dict[str, str]) -> list[_Row]:
        credits = np.column_stack([own[chosen].mean(axis=1) for own in self.runs])
        accuracies = [own[chosen].mean(axis=0).tolist() for own in self.runs]
        grouped, level = self.clusters.on(chosen), self.asked["level"]
        generator, resamples = np.random.default_rng(self.asked["seed"]), self.asked["resamples"]
        rows = []
        for i, j in self.pairs:
            a, b = credits[:, i], credits[:, j]
            gaps = gaps_of(a, b, grouped.number)
            between = seed_variances(accuracies[i], accuracies[j]) if self.seeds else ()
            found = contrast(gaps, between)
            better, _ = cluster_sums(np.column_stack([a > b + 1e-9, b > a + 1e-9]).astype(np.float64), grouped.number)
            a_better, b_better = paired.discordant(a, b)
            ratio, ratio_interval = paired.odds_ratio(better[:, 0], better[:, 1], level)
            jackknife, permutation = found.p, paired.permutation_test(gaps.sums, resamples, generator)
            mcnemar = paired.mcnemar_exact(a_better, b_better) if self.whole else None
            p = {"jackknife": jackknife, "permutation": permutation, "mcnemar": mcnemar}[self.test]
            difference = Difference(
                a=self.names[i],
                b=self.names[j],
                label=label,
                tags=tags,
                items=len(chosen),
                accuracy_a=float(a.mean()),
                accuracy_b=float(b.mean()),
                difference=float(b.mean() - a.mean()),
                interval=found.interval(level, grouped.scope),
                a_better=a_better,
                b_better=b_better,
                same=len(chosen) - a_better - b_better,
                odds_ratio=ratio,
                odds_interval=ratio_interval,
                cohens_h=paired.cohens_h(float(a.mean()), float(b.mean())),
                jackknife=jackknife,
                permutation=permutation,
                mcnemar=mcnemar,
                p=1.0 if p is None else p,
                significant=False,
                minimum_detectable=None,
                floor=paired.permutation_floor(gaps.sums, resamples) if self.test == "permutation" else 0.0,
                undecided=self._undecided(grouped, found),
                error=found.error,
                freedom=found.freedom,
                steady=found.steady,
                cluster=grouped.name,
                clusters=grouped.count,
                seed_error=math.sqrt(found.seeds),
                moved=found.moved,
                contributing=found.contributing if grouped.name else None,
            )
            rows.append((difference, found))
        return rows

    def corrected(self, rows: list[_Row]) -> tuple[Difference, ...]:
        """Holm's correction over the rows of a table that can be decided; the mdd is that of its strictest step."""
        alpha = self.asked["alpha"]
        family = [row for row, _ in rows if row.undecided is None]
        adjusted = iter(paired.holm([row.p for row in family]))
        fixed = []
        for row, found in rows:
            if row.undecided is not None:
                fixed.append(row)
                continue
            p, floor = next(adjusted), min(1.0, len(family) * row.floor)
            if floor > alpha:
                reason = f"the smallest possible p of the {self.test} test is {floor:.2g}"
                fixed.append(msgspec.structs.replace(row, p=p, floor=floor, undecided=reason))
                continue
            # Exact tests on independent decisions reject at whole decisions only: half a one more.
            step = 0.5 / row.items if self.test != "jackknife" and row.cluster is None else 0.0
            fixed.append(
                msgspec.structs.replace(
                    row,
                    p=p,
                    floor=floor,
                    significant=p <= alpha,
                    minimum_detectable=found.detectable(alpha / len(family), step=step),
                )
            )
        return tuple(fixed)

    def _undecided(self, grouped: Grouped, found: Contrast) -> str | None:
        if grouped.limits:
            return grouped.limits
        if grouped.count < MIN_CLUSTERS:
            unit = grouped.name or "decision"
            return f"{grouped.count} {unit}s are too few" if grouped.count != 1 else f"one {unit} is not enough"
        if grouped.name and self.test == "jackknife" and found.contributing < MIN_CONTRIBUTING:
            what = "what differs" if found.differ else "the suite"
            return f"{what} counts as {found.contributing:.1f} {grouped.name}s of {grouped.count}, too few"
        return None


def _notes(grouped: Grouped, test: Test, runs: Sequence[int], seeds: bool) -> tuple[str, ...]:
    notes = list(cluster_notes(grouped))
    if grouped.name is not None and test == "mcnemar":
        notes.append(
            f"McNemar's test treats decisions of the same {grouped.name} as independent, so it may find false "
            f"differences; jackknife and permutation do not"
        )
    if max(runs) > 1 and not seeds:
        notes.append(
            f"the result holds for these runs only: the tests do not include the variance between seeds (this "
            f"needs {MIN_RUNS} runs of a "
            "system, --runs seeds and --test jackknife)"
        )
    elif seeds and min(runs) == 1:
        notes.append("a system with one run is assumed to vary between seeds as much as the other system")
        if sum(number == 1 for number in runs) > 1:
            notes.append("with one run for each system, the test holds for these runs only")
    return tuple(notes)
