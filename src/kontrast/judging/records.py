"""What judging gives back: plain frozen records, whose names are also the keys of ``--json``.

Accuracies are shares between 0 and 1. ``items`` is always the number of decisions counted, so that
``right + wrong + ties == items`` under the default tie policy; a suite whose unit is the pair counts pairs.
``verdict`` is the result in a sentence or two.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from kontrast.record import Record, flat
from kontrast.suites.model import Unit

TiePolicy = Literal["report", "wrong", "right", "first"]
"""What a tie for best counts: its share 1/k (``report``), nothing, everything, or what the first of them is."""

Test = Literal["jackknife", "permutation", "mcnemar"]

RunsAre = Literal["seeds", "fixed", "checkpoints"]
"""What several runs of a system are: a sample of its seeds, just these runs, or steps of one training."""


class Interval(msgspec.Struct, frozen=True):
    """A confidence interval; ``method`` says which.

    ``within`` is set if there are too few documents (or sources) for a general statement: "4 documents".
    """

    low: float
    high: float
    method: str
    level: float = 0.95
    within: str | None = None


class Counts(msgspec.Struct, frozen=True):
    """How many decisions went which way. With a tie policy other than ``report`` ties are among right and wrong."""

    items: int
    right: int
    wrong: int
    ties: int
    accuracy: float
    chance: float


class Baseline(msgspec.Struct, frozen=True):
    """What a scorer without skill would reach under the same tie policy."""

    name: str
    accuracy: float
    summary: str


class TagGroup(msgspec.Struct, frozen=True):
    """A row of a breakdown: the decisions with the same (binned) tag values."""

    label: str
    tags: dict[str, str]
    items: int
    right: int
    wrong: int
    ties: int
    accuracy: float
    interval: Interval
    chance: float
    majority: float
    clusters: int | None = None
    cluster: str | None = None


class Breakdown(Record, frozen=True):
    """Accuracy by one or several tags crossed, in the tags' own order; ``macro`` is the mean over groups."""

    _parts = "groups"
    by: str
    tags: tuple[str, ...]
    groups: tuple[TagGroup, ...]
    macro: float


class Margins(msgspec.Struct, frozen=True):
    """How far the correct variant is ahead of its best rival (negative: behind)."""

    mean: float
    quantiles: dict[str, float]


class Normalised(msgspec.Struct, frozen=True):
    """The same log-probabilities judged under one normalisation; flips are counted against the first one."""

    normalise: str
    accuracy: float
    interval: Interval
    right: int
    wrong: int
    ties: int
    gained: int
    lost: int


class Flip(msgspec.Struct, frozen=True):
    """A decision whose credit depends on the normalisation. ``credits`` goes by normalisation."""

    item: str
    variant: int | None
    credits: dict[str, float]


class Weighted(msgspec.Struct, frozen=True):
    """Accuracy with phenomena weighed by ``shares``; ``left_out`` are decisions on phenomena without a weight."""

    weights: str
    accuracy: float
    interval: Interval
    chance: float
    items: int
    shares: dict[str, float]
    left_out: dict[str, int]


class Evaluation(Record, frozen=True):
    """One system on one suite; ``accuracy`` weighs all decisions equally, ``weighted`` as the signature says."""

    suite: str
    system: str
    unit: Unit
    tie_policy: TiePolicy
    epsilon: float
    items: int
    right: int
    wrong: int
    ties: int
    accuracy: float
    interval: Interval
    wilson: Interval
    chance: float
    tie_rate: float
    macro: float | None
    cluster: str | None
    clusters: int | None
    baselines: tuple[Baseline, ...]
    as_items: Counts
    as_pairs: Counts
    margins: Margins
    by: tuple[Breakdown, ...] = ()
    normalisations: tuple[Normalised, ...] = ()
    flips: tuple[Flip, ...] = ()
    lower_is_better: bool = True
    fingerprint: str | None = None
    signature: str | None = None
    notes: tuple[str, ...] = ()
    verdict: str = ""
    weighted: Weighted | None = None

    def _rows(self) -> list[dict[str, Any]]:
        total = {
            name: value for name, value in flat(self).items() if not name.startswith(("as_", "margins", "wilson"))
        }
        groups = ({"by": b.by, "label": g.label, **flat(g)} for b in self.by for g in b.groups)
        return [{"by": None, "label": "total", **total}, *({"system": self.system, **g} for g in groups)]

    def _brief(self) -> list[dict[str, Any]]:
        groups = [(g.label, g) for breakdown in self.by for g in breakdown.groups]
        return [_counted_row(label, each) for label, each in (("total", self), *groups)]


class Run(msgspec.Struct, frozen=True):
    """One seed or checkpoint; ``step`` is the number in its name in which checkpoints differ."""

    name: str
    accuracy: float
    interval: Interval
    step: float | None = None


class Runs(Record, frozen=True):
    """Several seeds or checkpoints of one system.

    ``spread`` is the standard deviation between runs. ``interval`` is that of their mean: over decisions and seeds
    where ``over_seeds`` is true, else for these runs only. ``curve`` is true for checkpoints, in order of steps.
    """

    system: str
    runs: tuple[Run, ...]
    mean: float
    spread: float
    low: float
    high: float
    interval: Interval | None
    curve: bool
    by: tuple[RunsBreakdown, ...] = ()
    over_seeds: bool = False


class RunsGroup(msgspec.Struct, frozen=True):
    """One group of decisions over the runs of a system."""

    label: str
    items: int
    mean: float
    spread: float
    values: tuple[float, ...]


class RunsBreakdown(msgspec.Struct, frozen=True):
    """Mean and spread over runs by tag."""

    by: str
    groups: tuple[RunsGroup, ...]


class Evaluations(Record, frozen=True):
    """Several systems on one suite; systems made of several runs also appear in ``runs``."""

    _parts = "systems"
    suite: str
    systems: tuple[Evaluation, ...]
    runs: tuple[Runs, ...] = ()
    verdict: str = ""

    def _brief(self) -> list[dict[str, Any]]:
        return [_counted_row(system.system, system) for system in self.systems]


class Difference(msgspec.Struct, frozen=True):
    """Two systems on the same decisions: ``difference`` is b's accuracy minus a's.

    ``a_better`` and ``b_better`` count the decisions on which one gets more credit than the other. The three p-values
    are two-sided; ``p`` is that of the chosen test after Holm's correction over its family, which is every pair of
    systems for the total and every group and pair for a breakdown. ``floor`` is the smallest ``p`` that was possible.
    ``undecided`` is the reason why no test can decide here; ``significant`` is then false. ``mcnemar`` is None if
    credits are fractions. ``error`` and ``freedom`` are the difference's standard error and its degrees of freedom,
    ``steady`` the degrees of freedom of the error itself, ``seed_error`` the part of the error that comes from runs;
    the interval is not corrected for the number of rows. ``contributing`` is the effective number of clusters in
    which the systems differ (never more than by size), ``moved`` the mean absolute difference of credit.
    """

    a: str
    b: str
    label: str
    tags: dict[str, str]
    items: int
    accuracy_a: float
    accuracy_b: float
    difference: float
    interval: Interval
    a_better: int
    b_better: int
    same: int
    odds_ratio: float | None
    odds_interval: Interval | None
    cohens_h: float
    jackknife: float
    permutation: float
    mcnemar: float | None
    p: float
    significant: bool
    minimum_detectable: float | None
    floor: float = 0.0
    undecided: str | None = None
    error: float = 0.0
    freedom: float = 0.0
    steady: float = 0.0
    cluster: str | None = None
    clusters: int | None = None
    seed_error: float = 0.0
    moved: float = 0.0
    contributing: float | None = None


class ComparisonBreakdown(msgspec.Struct, frozen=True):
    """Differences by tag, corrected together."""

    by: str
    tags: tuple[str, ...]
    groups: tuple[Difference, ...]


class Comparison(Record, frozen=True):
    """A paired comparison. ``differs`` names the parts in which the systems' signatures differ.

    ``seeds`` is true where the variance between a system's runs is in the intervals and tests.
    """

    suite: str
    unit: Unit
    tie_policy: TiePolicy
    systems: tuple[str, ...]
    items: int
    test: Test
    alpha: float
    resamples: int
    seed: int
    cluster: str | None
    clusters: int | None
    differs: tuple[str, ...]
    total: tuple[Difference, ...]
    by: tuple[ComparisonBreakdown, ...] = ()
    notes: tuple[str, ...] = ()
    level: float = 0.95
    seeds: bool = False
    verdict: str = ""

    def _rows(self) -> list[dict[str, Any]]:
        groups = [{"by": b.by, **flat(row)} for b in self.by for row in b.groups]
        return [*({"by": None, **flat(row)} for row in self.total), *groups]

    def _brief(self) -> list[dict[str, Any]]:
        from kontrast.judging.wording import p_text, points_text, share_text

        rows = [(f"{row.a}, {row.b}" if len(self.total) > 1 else "total", row) for row in self.total]
        rows += [(row.label, row) for b in self.by for row in b.groups if len(self.total) == 1 or row.significant]
        return [
            {
                "": label,
                "items": row.items,
                row.a if len(self.total) == 1 else "first": share_text(row.accuracy_a, row.items),
                row.b if len(self.total) == 1 else "second": share_text(row.accuracy_b, row.items),
                "difference": f"{points_text(row.difference, row.items)}{' *' if row.significant else ''}",
                "p": p_text(row),
            }
            for label, row in rows
        ]


def _counted_row(label: str, each: Any) -> dict[str, Any]:
    """What is read of a result: its size, and its accuracy with the interval, in percent."""
    from kontrast.judging.wording import digits, share_text

    places = digits(each.items)
    ends = ", ".join(f"{100 * end:.{places}f}" for end in (each.interval.low, each.interval.high))
    accuracy = share_text(each.accuracy, each.items)
    return {"": label, "items": each.items, "accuracy": accuracy, "interval": f"[{ends}]"}


class GateItem(msgspec.Struct, frozen=True):
    """A decision that is not right: what was expected, and what was preferred or written instead."""

    item: str
    phenomenon: str
    source: str
    expected: str
    found: str


class GateCheck(msgspec.Struct, frozen=True):
    """One threshold: on what, which, and how it came out.

    ``undecided`` where the suite cannot tell; such a check never passes. It is ``skipped``, or fails if the gate says
    so. ``lower`` says how much lower the system is than the rule allows where that is not decided. ``items`` are
    behind what has not passed, at most 100: against a baseline, those that got worse.
    """

    on: str
    rule: str
    passed: bool
    value: float
    threshold: float
    message: str
    items: tuple[GateItem, ...] = ()
    undecided: bool = False
    skipped: bool = False
    lower: str | None = None


class Gate(Record, frozen=True):
    """All thresholds of a gate for one system; ``power`` describes the power at this suite's size in words.

    A gate ``failed`` if a rule did, and ``passed`` if none failed and some passed; if no rule could be decided it did
    neither. ``method`` names the clusters and the method of the intervals and tests that the rules use.
    """

    _parts = "checks"
    suite: str
    system: str
    passed: bool
    checks: tuple[GateCheck, ...]
    notes: tuple[str, ...] = ()
    power: tuple[str, ...] = ()
    method: tuple[str, ...] = ()
    failed: bool = False
    verdict: str = ""

    def _brief(self) -> list[dict[str, Any]]:
        marks = {True: "pass", False: "FAIL"}
        return [
            {"": "not decided" if c.skipped else marks[c.passed], "on": c.on, "rule": c.rule, "found": c.message}
            for c in self.checks
        ]
