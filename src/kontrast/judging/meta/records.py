"""What meta-evaluation gives back: plain frozen records, whose names are also the keys of ``--json``."""

from __future__ import annotations

from typing import Any

import msgspec

from kontrast.judging.records import Comparison, Evaluation, Interval
from kontrast.record import Record


class Means(msgspec.Struct, frozen=True):
    """Mean score of the correct and of the wrong variants of a group of items, as the metric gives them."""

    label: str
    tags: dict[str, str]
    items: int
    original: float
    perturbed: float


class Tau(msgspec.Struct, frozen=True):
    """Kendall's tau as ACES has it: concordant less discordant over both; a tie is discordant.

    An item of several wrong variants is one comparison, of the correct one with its best rival; ``--unit pair``
    counts every wrong variant.
    """

    label: str
    pairs: int
    concordant: int
    discordant: int
    ties: int
    tau: float


class Taus(msgspec.Struct, frozen=True):
    """By phenomenon, by ACES' ten categories, and their weighted sum, where the suite has these phenomena.

    ``aces`` is None unless all ten categories are there; ``partial`` is the sum over those that are, and ``reach``
    the most it can be.
    """

    total: Tau
    phenomena: tuple[Tau, ...] = ()
    categories: dict[str, float] = {}
    aces: float | None = None
    partial: float | None = None
    reach: float | None = None


class Sensitivity(msgspec.Struct, frozen=True):
    """How far an error moves the score, in standard deviations of the metric's scores over real output.

    ``spread`` is that deviation and ``over`` says what it was taken over; ``effect`` is ``margin / spread``,
    None where there is no spread (all scores of the correct variants are the same).
    """

    label: str
    items: int
    margin: float
    spread: float
    over: str
    effect: float | None
    interval: Interval


class Severity(msgspec.Struct, frozen=True):
    """What errors of one severity cost on average, in the metric's points and in its spread."""

    severity: str
    items: int
    margin: float
    effect: float | None
    accuracy: float


class Severities(msgspec.Struct, frozen=True):
    """Does a graver error cost more? ``ordered`` by the means; ``graver`` is the share of pairs of items of different
    severity in which the graver one costs more (equal costs count half; 0.5 is chance)."""

    levels: tuple[Severity, ...]
    ordered: bool
    graver: float
    interval: Interval
    pairs: int


class Calibration(msgspec.Struct, frozen=True):
    """Pairwise accuracy with ties, at the threshold below which the metric's differences count as ties.

    The threshold is the one that makes the accuracy highest, as in WMT's meta-evaluation (Deutsch et al. 2023).
    Pairs are the translations of one source: the correct one and each with its error; equal severities are ties.
    """

    epsilon: float
    accuracy: float
    accuracy_at_zero: float
    pairs: int
    ties: int


class MetricAgreement(msgspec.Struct, frozen=True):
    """Two metrics on the same decisions: how often the outcome is the same, Cohen's kappa, correlation of margins."""

    a: str
    b: str
    items: int
    agreement: float
    kappa: float | None
    pearson: float | None
    spearman: float | None


class MetaEvaluation(Record, frozen=True):
    """One metric on one suite."""

    metric: str
    signature: str | None
    lower_is_better: bool
    evaluation: Evaluation
    means: tuple[Means, ...]
    taus: Taus
    sensitivity: tuple[Sensitivity, ...]
    severities: Severities | None
    calibration: Calibration | None
    notes: tuple[str, ...] = ()


class Metrics(Record, frozen=True):
    """Several metrics on one suite. ``left_out`` counts items that do not test a metric, ``reasons`` says why."""

    suite: str
    items: int
    left_out: int
    metrics: tuple[MetaEvaluation, ...]
    comparison: Comparison | None
    agreements: tuple[MetricAgreement, ...] = ()
    reasons: dict[str, int] = {}

    def _rows(self) -> list[dict[str, Any]]:
        return [{"metric": each.metric, **row} for each in self.metrics for row in each.evaluation._rows()]
