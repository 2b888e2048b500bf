"""Decide while scoring: an anytime-valid test over documents, by betting.

Documents come in random order. For a rule "the mean of x over decisions is above θ", a document with n decisions
gives S = Σx − θn. If the rule does not hold, E[S] ≤ 0, and the product of 1 + λS over documents is a supermartingale
for every λ that keeps each factor positive: it exceeds 1/α with a probability of at most α, whenever one looks.
How negative S can be is known before scoring: the sizes are, and against a baseline so are the decisions that it has
right. The product is averaged over a few λ that these alone determine.

One long document would keep λ small for all. With enough documents λ may be larger, and a document counts g(λS) in
place of 1 + λS: never more than 1 + λS where that is above 1/4, at most √e, and above 0. That is a supermartingale
where S is as likely as −S, as between two systems that are equally good; elsewhere it is one but for rare documents
with S < −3/(4λ) (benchmarks/sequential.py has the level by simulation, also with skewed documents).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kontrast.defaults import ALPHA
from kontrast.errors import KontrastError
from kontrast.judging.clusters import MIN_CLUSTERS
from kontrast.judging.decisions import Decisions, Floats
from kontrast.judging.gate import GateConfig, Limits
from kontrast.judging.grouping import group_by, with_phenomenon
from kontrast.judging.verdicts import Verdicts
from kontrast.suites.model import Outcome, StoppedRule

ON_THE_WAY = 0.5
"""The part of alpha that is for the test on the way; the rest is for the test on the whole suite."""
_BETS = 8
_LARGEST = 0.75
"""λS may be as low as minus this before g and 1 + λS part."""
_ENOUGH = 50
"""Effective number of documents from which on λ follows their usual size and not the largest."""
_FIRST, _GROWTH = 256, 0.1
"""Rows before the first look; then a tenth more each time."""


def log_evidence(sums: Floats, worst: Floats) -> Floats:
    """After each document, the logarithm of the evidence that the mean of ``sums`` is above 0.

    ``worst`` is for every document, also for those to come, how far below 0 its sum can be.
    """
    worst = worst[worst > 0]
    if not worst.size:  # no document can speak against it
        return np.where(np.cumsum(sums) > 0, np.inf, 0.0)
    squares = float((worst**2).sum())
    many = squares**2 >= _ENOUGH * float((worst**4).sum())
    largest = _LARGEST / min(float(worst.max()), 1.5 * math.sqrt(squares / len(worst)) if many else math.inf)
    bets = np.geomspace(min(largest, 3 / math.sqrt(squares)), largest, _BETS)  # a smaller one decides nothing in time
    factors = np.outer(sums, bets)
    growth = np.cumsum(_log_factor(factors) if many else np.log1p(factors), axis=0)
    found: Floats = np.logaddexp.reduce(growth, axis=1) - math.log(_BETS)
    return found


def _log_factor(x: Floats) -> Floats:
    """log g(x): log(1 + x) below 0, its tangent from -3/4 down; x − x²/2 above 0, and no more than 1/2."""
    up = np.clip(x, 0.0, 1.0)
    found: Floats = np.log1p(np.clip(x, -_LARGEST, 0.0)) + np.minimum(x + _LARGEST, 0.0) / (1 - _LARGEST)
    return found + up - up**2 / 2


@dataclass(frozen=True)
class Rule:
    """A threshold on the mean of one thing over the decisions in ``chosen``; ``above`` is the outcome beyond it.

    ``less`` is what is taken from the credit of each decision before it is scored: the baseline's.
    """

    on: str
    rule: str
    threshold: float
    chosen: NDArray[np.bool_]
    of: Literal["credit", "tied"] = "credit"
    less: Floats | None = None
    above: Outcome = "passed"
    below: Outcome = "failed"

    def values(self, verdicts: Verdicts) -> Floats:
        found = verdicts.credit if self.of == "credit" else verdicts.tied.astype(np.float64)
        return found if self.less is None else found - self.less


def gate_rules(config: GateConfig, decisions: Decisions, baseline: Floats | None) -> list[Rule]:
    """The rules of a gate, as far as a test over documents can decide them."""
    everything = np.ones(len(decisions), dtype=np.bool_)
    groups = {}
    if config.phenomenon or with_phenomenon(decisions.tags, ()):
        grouping = group_by(decisions.tags, "phenomenon")
        groups = {label: chosen for label, _, chosen in grouping.parts()}
    rules = _limits("total", Limits(config.accuracy, config.tie_rate), everything)
    for name, own in config.phenomenon.items():
        if name not in groups:
            raise KontrastError(f"the gate names the phenomenon {name!r}; known: {', '.join(groups) or 'none'}")
        rules += _limits(name, own, groups[name])
    if (rule := config.baseline) is not None and baseline is not None:
        total = Rule("total", "baseline", -(rule.margin or 0.0), everything, less=baseline)
        by_phenomenon = rule.margin is None if rule.by_phenomenon is None else rule.by_phenomenon
        parts = groups if by_phenomenon and len(groups) > 1 else {}
        rules += [total, *(replace(total, on=name, chosen=chosen) for name, chosen in parts.items())]
    if not rules:
        raise KontrastError("the gate has no rule: set accuracy, tie_rate, baseline or a phenomenon")
    return rules


def difference_rules(decisions: Decisions, baseline: Floats) -> list[Rule]:
    """Is the system better or worse than the other?"""
    chosen = np.ones(len(decisions), dtype=np.bool_)
    return [Rule("total", "difference", 0.0, chosen, less=baseline, above="better", below="worse")]


def _limits(name: str, limits: Limits, chosen: NDArray[np.bool_]) -> list[Rule]:
    rules = []
    if limits.accuracy is not None:
        rules.append(Rule(name, "accuracy", limits.accuracy, chosen))
    if limits.tie_rate is not None:
        rules.append(Rule(name, "tie_rate", limits.tie_rate, chosen, "tied", above="failed", below="passed"))
    return rules


class SequentialTest:
    """All rules on the documents in one random order; `look` says what the first of them decide."""

    def __init__(self, decisions: Decisions, rules: Sequence[Rule], *, alpha: float = ALPHA, seed: int = 1) -> None:
        grouped = decisions.clusters.on()
        self.cluster = grouped.name or "item"
        if grouped.within is not None or grouped.count < MIN_CLUSTERS:
            few = grouped.scope or f"{grouped.count} {self.cluster}s"
            raise KontrastError(f"--until decided: {few} are too few for a test; score the whole suite")
        self.decisions, self.rules, self.alpha, self.seed = decisions, rules, alpha, seed
        self.order = np.random.default_rng(seed).permutation(grouped.count)
        self.place = np.argsort(self.order)[grouped.number]
        """For each decision, at which place of the order its cluster comes."""

    @property
    def all_clusters(self) -> int:
        return len(self.order)

    def steps(self) -> list[list[int]]:
        """The items of the suite that are scored before each look; items that decide nothing come with the last."""
        sizes = [len(item.variants) for item in self.decisions.suite.items]
        items: list[dict[int, None]] = [{} for _ in self.order]
        for place, item in zip(self.place.tolist(), self.decisions.item.tolist(), strict=True):
            items[place][item] = None
        steps: list[list[int]] = [[]]
        done, rows = 0, 0
        self._ends = [0]
        for place, own in enumerate(items, start=1):
            steps[-1] += own
            rows += sum(sizes[i] for i in own)
            self._ends[-1] = place
            if rows >= max(_FIRST, _GROWTH * done) and place < len(items):
                steps.append([])
                self._ends.append(place)
                done, rows = done + rows, 0
        judged = set(self.decisions.item.tolist())
        steps[-1] += [i for i in range(len(sizes)) if i not in judged]
        return steps

    def scored(self, step: int) -> int:
        """How many clusters are scored after this step."""
        return self._ends[step]

    def look(self, verdicts: Verdicts, clusters: int, *, intervals: bool = False) -> list[StoppedRule]:
        """What the first clusters decide; credits of the others are not read. ``intervals`` takes longer."""
        level = self.alpha * ON_THE_WAY / 2
        bars = {"failed": len(self.rules) / level}  # any rule that fails by chance fails the gate
        found = []
        for rule in self.rules:
            sums, sizes = self._sums(rule, verdicts, clusters)
            after: dict[int, Outcome] = {}
            for side, outcome in ((1.0, rule.above), (-1.0, rule.below)):
                evidence = self._evidence(rule, sums, sizes, rule.threshold, side)
                crossed = np.flatnonzero(evidence >= math.log(bars.get(outcome, 1 / level)))
                if crossed.size:
                    after.setdefault(int(crossed[0]) + 1, outcome)
            first = min(after, default=None)
            ends = [_furthest(rule, side) for side in (1.0, -1.0)]
            if intervals and sizes.any():
                ends = [self._end(rule, sums, sizes, side, math.log(1 / level)) for side in (1.0, -1.0)]
            outcome = "not decided" if first is None else after[first]
            found.append(StoppedRule(rule.on, rule.rule, outcome, rule.threshold, ends[0], ends[1], first))
        return found

    def _sums(self, rule: Rule, verdicts: Verdicts, clusters: int) -> tuple[Floats, Floats]:
        """Of each of the first clusters, the sum of x and the number of decisions that the rule is on."""
        read = rule.chosen & (self.place < clusters)
        sums: Floats = np.bincount(self.place[read], rule.values(verdicts)[read], clusters).astype(np.float64)
        return sums, np.bincount(self.place[read], minlength=clusters).astype(np.float64)

    def _evidence(self, rule: Rule, sums: Floats, sizes: Floats, threshold: float, side: float) -> Floats:
        """That the mean is above the threshold, or on the other ``side`` of it."""
        least = (0.0 if side > 0 else 1.0) - (0.0 if rule.less is None else rule.less)
        worst = side * (threshold - least) * rule.chosen
        most: Floats = np.bincount(self.place, worst, self.all_clusters).astype(np.float64)
        return log_evidence(side * (sums - threshold * sizes), most)

    def _end(self, rule: Rule, sums: Floats, sizes: Floats, side: float, bar: float) -> float:
        """The end of the interval: the last threshold that the evidence rejects, from the far end inwards."""
        outer = _furthest(rule, side)
        inner = float(sums.sum() / sizes.sum())
        for _ in range(20):
            middle = (outer + inner) / 2
            if self._evidence(rule, sums, sizes, middle, side).max() >= bar:
                outer = middle
            else:
                inner = middle
        return outer


def _furthest(rule: Rule, side: float) -> float:
    """The least mean there can be, or the largest."""
    return -side if rule.less is not None else (1.0 - side) / 2


def overall(rules: Sequence[StoppedRule]) -> Outcome:
    """One rule that fails decides; to pass takes all of them."""
    outcomes = [rule.outcome for rule in rules]
    if "failed" in outcomes:
        return "failed"
    return outcomes[0] if len(set(outcomes)) == 1 else "not decided"
