"""Evaluate: accuracy with intervals, ties, chance and baselines, in total and by tag."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Unpack

import msgspec
import numpy as np

from kontrast.errors import KontrastError
from kontrast.judging.baselines import baselines, majority_credit
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
    Margins,
    Normalised,
    Runs,
    TagGroup,
)
from kontrast.judging.runs import check_seeds, evaluate_runs
from kontrast.judging.signatures import check_suite
from kontrast.judging.systems import System, names_of
from kontrast.judging.verdict_text import evaluation_text, evaluations_text
from kontrast.judging.verdicts import Verdicts, check_count, larger_is_better, verdicts_of
from kontrast.judging.weights import weigh
from kontrast.judging.wording import cluster_notes
from kontrast.options import filled
from kontrast.suites.description import left_out
from kontrast.suites.error_shares import shares_digest
from kontrast.suites.model import Scores, Suite


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
    return _Ground(suite, decisions_of(suite, asked["unit"]), asked, asked["allow"], normalise, weights).evaluate(
        scores
    )


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

    ``verdicts`` are the verdicts of each system, if they were already computed with the same policy.

    >>> from kontrast import Item, Variant
    >>> suite = Suite("tiny", (Item("1", "a dog", (Variant("ein Hund"), Variant("eine Hund"))),))
    >>> result = evaluate_all(suite, [Scores("good", (1.0, 2.0)), Scores("bad", (2.0, 1.0))])
    >>> {each.system: each.accuracy for each in result.systems}
    {'good': 1.0, 'bad': 0.0}
    """
    asked = filled(JudgingRuns, judging, evaluate_all)
    decisions = verdicts[0].decisions if verdicts else decisions_of(suite, asked["unit"])
    ground, runs = _Ground(suite, decisions, asked, asked["allow"], normalise, weights), asked["runs"]
    single: list[Evaluation] = []
    together: list[Runs] = []
    known: Sequence[Verdicts | None] = verdicts or [None] * len(systems)
    for name, system, own in zip(names_of(systems), systems, known, strict=True):
        if isinstance(system, Scores):
            single.append(ground.evaluate(msgspec.structs.replace(system, system=name), own))
            continue
        members = system[1]
        if runs == "seeds":
            check_seeds(name, members)
        own_names = zip(members, names_of(members), strict=True)
        named = [msgspec.structs.replace(run, system=f"{name}/{own}") for run, own in own_names]
        results = [ground.evaluate(run) for run in named]
        single += results
        credits = np.column_stack([ground.judge(ground.views(run)[0]).credit for run in named])
        together.append(evaluate_runs(name, results, credits, decisions.clusters, runs, asked["level"]))
    if not single:
        raise KontrastError("there are no scores to evaluate")
    found = Evaluations(suite.name, tuple(single), tuple(together))
    return msgspec.structs.replace(found, verdict=evaluations_text(found))


@dataclass(frozen=True)
class _Ground:
    """A suite and how it is judged. What all systems on it share is made when first asked for."""

    suite: Suite
    decisions: Decisions
    asked: Judging
    allow: Collection[str]
    normalise: Sequence[str]
    weights: str | None

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
        return [group_by(tags, name) for name in with_phenomenon(tags, self.asked["by"])]

    def views(self, scores: Scores) -> list[Scores]:
        """The scores in each normalisation, the one that is judged first; else as they are."""
        return [normalised_scores(self.suite, scores, kind) for kind in self.normalise] or [scores]

    def judge(self, scores: Scores, decisions: Decisions | None = None) -> Verdicts:
        own = self.decisions if decisions is None else decisions
        return verdicts_of(own, larger_is_better(scores), ties=self.asked["ties"], epsilon=self.asked["epsilon"])

    def evaluate(self, scores: Scores, known: Verdicts | None = None) -> Evaluation:
        """One system; its verdicts may be ``known``."""
        suite, decisions, level = self.suite, self.decisions, self.asked["level"]
        check_count(suite, scores)
        check_suite(suite, scores, self.allow)
        views = self.views(scores)
        chosen, judged = views[0], [self.judge(view) for view in views] if self.normalise else []
        verdicts = judged[0] if judged else known if known is not None else self.judge(chosen)
        other, counts = self.judge(chosen, self.other).counts(), verdicts.counts()
        grouped = decisions.clusters.on()
        breakdowns = tuple(_breakdown(verdicts, grouping, self.majority, level) for grouping in self.groupings)
        weighted, few = weigh(verdicts, level) if self.weights else (None, ())
        found = Evaluation(
            suite=suite.name,
            system=scores.system,
            unit=decisions.unit,
            tie_policy=self.asked["ties"],
            epsilon=self.asked["epsilon"],
            **msgspec.structs.asdict(counts),
            interval=share_interval(verdicts.credit, grouped, level),
            wilson=wilson(float(verdicts.credit.sum()), counts.items, level),
            tie_rate=counts.ties / counts.items,
            macro=breakdowns[0].macro if breakdowns else None,
            cluster=grouped.name,
            clusters=grouped.count if grouped.name else None,
            baselines=baselines(decisions, self.asked["ties"], self.majority),
            as_items=other if decisions.unit == "pair" else counts,
            as_pairs=counts if decisions.unit == "pair" else other,
            margins=_margins(verdicts.margin),
            by=breakdowns,
            normalisations=_normalised(self.normalise, judged, level),
            flips=_flips(suite, self.normalise, judged),
            lower_is_better=chosen.lower_is_better,
            fingerprint=self.fingerprint,
            signature=self.signature(chosen),
            notes=(*left_out(suite), *cluster_notes(grouped), *few),
            weighted=weighted,
        )
        return msgspec.structs.replace(found, verdict=evaluation_text(found))

    def signature(self, scores: Scores) -> str:
        """The scores' own signature, or what is known without one; and how they were judged."""
        made = str(scores.signature or f"suite:{self.suite.name}|hash:{self.fingerprint[:8]}")
        better = "|better:higher" if scores.signature is None and not scores.lower_is_better else ""
        within = f"|epsilon:{self.asked['epsilon']:g}" if self.asked["epsilon"] else ""
        weighted = f"|weighted:{self.weights}:{shares_digest()}" if self.weights else ""  # weights: the model's
        return f"{made}{better}|unit:{self.decisions.unit}|ties:{self.asked['ties']}{within}{weighted}"


def _breakdown(verdicts: Verdicts, grouping: Grouping, majority: Floats, level: float) -> Breakdown:
    groups = []
    for label, tags, chosen in grouping.parts():
        grouped = verdicts.decisions.clusters.on(chosen)
        groups.append(
            TagGroup(
                label,
                tags,
                **msgspec.structs.asdict(verdicts.counts(chosen)),
                interval=share_interval(verdicts.credit[chosen], grouped, level),
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


def _normalised(names: Sequence[str], judged: Sequence[Verdicts], level: float) -> tuple[Normalised, ...]:
    rows = []
    for name, verdicts in zip(names, judged, strict=True):
        n, gap = verdicts.counts(), verdicts.credit - judged[0].credit
        interval = share_interval(verdicts.credit, verdicts.decisions.clusters.on(), level)
        gained, lost = int((gap > 0).sum()), int((gap < 0).sum())
        rows.append(Normalised(name, n.accuracy, interval, n.right, n.wrong, n.ties, gained, lost))
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
