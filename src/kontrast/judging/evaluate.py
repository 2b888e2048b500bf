"""Evaluate: accuracy with intervals, ties, chance and baselines, in total and by tag."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Unpack

import msgspec
import numpy as np
from numpy.typing import NDArray

from kontrast.errors import KontrastError
from kontrast.judging.baselines import baselines, majority_credit
from kontrast.judging.clusters import Grouped
from kontrast.judging.decisions import Decisions, Floats, decisions_of
from kontrast.judging.grouping import Grouping, group_by, with_phenomenon
from kontrast.judging.intervals import share_interval, wilson
from kontrast.judging.normalise import normalise as normalised_scores
from kontrast.judging.options import Judging, JudgingRuns
from kontrast.judging.records import (
    Breakdown,
    Evaluation,
    Evaluations,
    Flip,
    Interval,
    Margins,
    Normalised,
    Runs,
    TagGroup,
    TiePolicy,
)
from kontrast.judging.runs import check_seeds, evaluate_runs
from kontrast.judging.signatures import check_suite
from kontrast.judging.systems import System, names_of
from kontrast.judging.verdict_text import with_verdict
from kontrast.judging.verdicts import Verdicts, check_count, larger_is_better, verdicts_of
from kontrast.judging.weights import weigh, weight_notes
from kontrast.judging.wording import cluster_notes
from kontrast.options import filled
from kontrast.suites.error_shares import shares_digest
from kontrast.suites.model import Scores, Suite
from kontrast.suites.one_variant import left_out


def evaluate(
    suite: Suite,
    scores: Scores,
    *,
    normalise: Sequence[str] = (),
    weights: str | None = None,
    **judging: Unpack[Judging],
) -> Evaluation:
    """Judge one system on a suite.

    ``by`` names tags, with a binning rule where wanted (``"frequency:log"``) and crossed with commas; by phenomenon
    comes first by itself where there are several. With ``normalise`` (``["sum", "token"]``) the result is that of
    the first, with the others and the decisions that flip beside it. ``weights="real"`` adds the accuracy with
    phenomena weighed by how often people mark such errors.
    """
    asked = filled(Judging, judging, evaluate)
    ground = _Ground(suite, decisions_of(suite, asked["unit"]), tuple(asked["by"]))
    return _evaluate(ground, scores, _Policy.of(asked, weights), normalise, asked["allow"])


def evaluate_all(
    suite: Suite,
    systems: Sequence[System],
    *,
    normalise: Sequence[str] = (),
    verdicts: Sequence[Verdicts] | None = None,
    weights: str | None = None,
    **judging: Unpack[JudgingRuns],
) -> Evaluations:
    """Judge several systems; ``(name, [scores, …])`` is one system of several runs: seeds, or what ``runs`` says.

    ``verdicts`` are those of each system where they are known already, under the same policy.

    >>> from kontrast import Item, Variant
    >>> suite = Suite("tiny", (Item("1", "a dog", (Variant("ein Hund"), Variant("eine Hund"))),))
    >>> result = evaluate_all(suite, [Scores("good", (1.0, 2.0)), Scores("bad", (2.0, 1.0))])
    >>> {each.system: each.accuracy for each in result.systems}
    {'good': 1.0, 'bad': 0.0}
    """
    asked = filled(JudgingRuns, judging, evaluate_all)
    runs, allow = asked["runs"], asked["allow"]
    decisions = verdicts[0].decisions if verdicts else decisions_of(suite, asked["unit"])
    ground, policy = _Ground(suite, decisions, tuple(asked["by"])), _Policy.of(asked, weights)
    single: list[Evaluation] = []
    together: list[Runs] = []
    known: Sequence[Verdicts | None] = verdicts or [None] * len(systems)
    for name, system, own in zip(names_of(systems), systems, known, strict=True):
        if isinstance(system, Scores):
            renamed = msgspec.structs.replace(system, system=name)
            single.append(_evaluate(ground, renamed, policy, normalise, allow, own))
            continue
        members = system[1]
        if runs == "seeds":
            check_seeds(name, members)
        named = [msgspec.structs.replace(run, system=f"{name}/{run.system}") for run in members]
        results = [_evaluate(ground, run, policy, normalise, allow) for run in named]
        single += results
        credits = np.column_stack(
            [policy.judge(ground.decisions, _view(suite, run, normalise)).credit for run in named]
        )
        together.append(evaluate_runs(name, results, credits, ground.decisions.clusters, runs, policy.level))
    if not single:
        raise KontrastError("there are no scores to evaluate")
    return with_verdict(Evaluations(suite.name, tuple(single), tuple(together)))


def _view(suite: Suite, scores: Scores, normalise: Sequence[str]) -> Scores:
    """The scores that are judged first."""
    return normalised_scores(suite, scores, normalise[0]) if normalise else scores


@dataclass(frozen=True)
class _Ground:
    """What all systems on a suite share, made when first asked for."""

    suite: Suite
    decisions: Decisions
    by: tuple[str, ...]

    @cached_property
    def other(self) -> Decisions:
        """The decisions in the other unit."""
        return decisions_of(self.suite, "item" if self.decisions.unit == "pair" else "pair")

    @cached_property
    def majority(self) -> Floats:
        return majority_credit(self.decisions)

    @cached_property
    def fingerprint(self) -> str:
        return self.suite.fingerprint

    @cached_property
    def groupings(self) -> list[Grouping]:
        tags = self.decisions.tags
        return [group_by(tags, name) for name in with_phenomenon(tags, self.by)]


@dataclass(frozen=True)
class _Policy:
    """How to judge, how to make intervals, and how phenomena are weighed."""

    ties: TiePolicy
    epsilon: float
    level: float
    weights: str | None = None

    @classmethod
    def of(cls, asked: Judging, weights: str | None) -> _Policy:
        return cls(asked["ties"], asked["epsilon"], asked["level"], weights)

    def judge(self, decisions: Decisions, scores: Scores) -> Verdicts:
        return verdicts_of(decisions, larger_is_better(scores), ties=self.ties, epsilon=self.epsilon)

    def interval(self, verdicts: Verdicts, grouped: Grouped, chosen: NDArray[np.bool_] | None = None) -> Interval:
        """The interval that is right for these decisions."""
        return share_interval(verdicts.credit if chosen is None else verdicts.credit[chosen], grouped, self.level)


def _evaluate(
    ground: _Ground,
    scores: Scores,
    policy: _Policy,
    normalise: Sequence[str],
    allow: Collection[str],
    known: Verdicts | None = None,
) -> Evaluation:
    suite, decisions = ground.suite, ground.decisions
    check_count(suite, scores)
    check_suite(suite, scores, allow)
    views = [normalised_scores(suite, scores, kind) for kind in normalise]
    chosen = views[0] if views else scores
    verdicts = known if known is not None and not views else policy.judge(decisions, chosen)
    other = policy.judge(ground.other, chosen).counts()
    counts = verdicts.counts()
    grouped = decisions.clusters.on()
    breakdowns = tuple(_breakdown(verdicts, grouping, ground.majority, policy) for grouping in ground.groupings)
    judged = [policy.judge(decisions, view) for view in views]
    weighted = weigh(verdicts, policy.level) if policy.weights else None
    notes = (*left_out(suite), *cluster_notes(grouped), *weight_notes(verdicts, weighted))
    found = Evaluation(
        suite=suite.name,
        system=scores.system,
        unit=decisions.unit,
        tie_policy=policy.ties,
        epsilon=policy.epsilon,
        items=counts.items,
        right=counts.right,
        wrong=counts.wrong,
        ties=counts.ties,
        accuracy=counts.accuracy,
        interval=policy.interval(verdicts, grouped),
        wilson=wilson(float(verdicts.credit.sum()), counts.items, policy.level),
        chance=counts.chance,
        tie_rate=counts.ties / counts.items,
        macro=breakdowns[0].macro if breakdowns else None,
        cluster=grouped.name,
        clusters=grouped.count if grouped.name else None,
        baselines=baselines(decisions, policy.ties, ground.majority),
        as_items=other if decisions.unit == "pair" else counts,
        as_pairs=counts if decisions.unit == "pair" else other,
        margins=_margins(verdicts.margin),
        by=breakdowns,
        normalisations=_normalised(normalise, judged, policy),
        flips=_flips(suite, normalise, judged),
        lower_is_better=chosen.lower_is_better,
        fingerprint=ground.fingerprint,
        signature=_signature(ground, chosen, policy),
        notes=notes,
        weighted=weighted,
    )
    return with_verdict(found)


def _signature(ground: _Ground, scores: Scores, policy: _Policy) -> str:
    """The scores' own signature, or what is known without one; and how they were judged."""
    signature = scores.signature
    made = str(signature) if signature else f"suite:{ground.suite.name}|hash:{ground.fingerprint[:8]}"
    weights = f"|weights:{policy.weights}:{shares_digest()}" if policy.weights else ""
    return f"{made}|unit:{ground.decisions.unit}|ties:{policy.ties}{weights}"


def _breakdown(verdicts: Verdicts, grouping: Grouping, majority: Floats, policy: _Policy) -> Breakdown:
    groups = []
    for i, tags in enumerate(grouping.labels):
        chosen = grouping.number == i
        grouped = verdicts.decisions.clusters.on(chosen)
        counts = verdicts.counts(chosen)
        groups.append(
            TagGroup(
                label=grouping.label(i),
                tags=tags,
                items=counts.items,
                right=counts.right,
                wrong=counts.wrong,
                ties=counts.ties,
                accuracy=counts.accuracy,
                interval=policy.interval(verdicts, grouped, chosen),
                chance=counts.chance,
                majority=float(majority[chosen].mean()),
                clusters=grouped.count if grouped.name else None,
                cluster=grouped.name,
            )
        )
    macro = float(np.mean([group.accuracy for group in groups]))
    return Breakdown(grouping.by, grouping.tags, tuple(groups), macro)


def _margins(margin: Floats) -> Margins:
    points = (0.05, 0.25, 0.5, 0.75, 0.95)
    with np.errstate(over="ignore", invalid="ignore"):
        quantiles = np.quantile(margin, points)
        return Margins(float(margin.mean()), {f"{p:g}": float(q) for p, q in zip(points, quantiles, strict=True)})


def _normalised(names: Sequence[str], judged: Sequence[Verdicts], policy: _Policy) -> tuple[Normalised, ...]:
    rows = []
    for name, verdicts in zip(names, judged, strict=True):
        counts = verdicts.counts()
        gap = verdicts.credit - judged[0].credit
        rows.append(
            Normalised(
                name,
                counts.accuracy,
                policy.interval(verdicts, verdicts.decisions.clusters.on()),
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
