"""What `check` gives back: the outcome of every decision, and their counts, in total and by tag."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from kontrast.judging.records import Interval
from kontrast.record import Record, flat
from kontrast.suites.form_search import FormFound, Outcome
from kontrast.suites.model import Unit


class CheckedItem(msgspec.Struct, frozen=True, omit_defaults=True):
    """One decision: what was looked for in ``text``, what was found where, and the verdict.

    ``variant`` is the wrong variant of a pair where the suite decides by pairs. ``by`` says what decided, ``why``
    what keeps words from deciding, ``nearer`` what the distance says where it was measured. Places are characters of
    ``text``, the part of the output that renders the item.
    """

    item: str
    source: str
    text: str
    verdict: Outcome
    expected: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    found: tuple[FormFound, ...] = ()
    variant: int | None = None
    by: Literal["words", "distance", "original"] = "words"
    why: str | None = None
    nearer: Outcome | None = None


class CheckGroup(msgspec.Struct, frozen=True):
    """The outcomes of the decisions with the same tag values."""

    label: str
    tags: dict[str, str]
    total: int
    right: int
    wrong: int
    both: int
    neither: int
    undecidable: int
    accuracy: float | None
    """None where words decide nothing."""
    interval: Interval


class CheckBreakdown(msgspec.Struct, frozen=True):
    """Outcomes by one or several tags crossed."""

    by: str
    tags: tuple[str, ...]
    groups: tuple[CheckGroup, ...]


class VerdictAgreement(msgspec.Struct, frozen=True):
    """The contrastive and the generative verdict of one system on the same items.

    ``table`` counts items by contrastive outcome (right, wrong, tie) and generative outcome (right, wrong, both,
    neither). ``agreement`` and Cohen's ``kappa`` are over the ``decided`` items, where both say right or wrong.
    """

    scores: str
    items: int
    contrastive: float
    generative: float
    decided: int
    agreement: float | None
    kappa: float | None
    table: dict[str, dict[str, int]]


class TwoWays(msgspec.Struct, frozen=True):
    """Words and the nearer variant on the same decisions.

    ``settled`` of the ``undecidable`` decisions have a nearer variant. ``table``, ``agreement`` and ``kappa`` are
    over the decisions that words can decide: outcome by words, then by distance.
    """

    distance: str
    undecidable: int
    settled: int
    decided: int
    agreement: float | None
    kappa: float | None
    table: dict[str, dict[str, int]]


class Check(Record, frozen=True):
    """One system's translations: whether they contain the correct form, a wrong one, both, or neither.

    ``total`` counts decisions, those that words cannot decide (``undecidable``) among them; ``accuracy`` is right
    over the others. ``by_rule`` has right and total by the suite's rule, or by phenomenon, of what was decided.
    ``printed`` are the lines of the set's own script, where ``style`` is original and the script prints any.
    """

    suite: str
    system: str
    style: str
    total: int
    right: int
    wrong: int
    both: int
    neither: int
    undecidable: int
    accuracy: float
    interval: Interval
    by_rule: dict[str, tuple[int, int]]
    align: str
    by: tuple[CheckBreakdown, ...] = ()
    agreement: VerdictAgreement | None = None
    two_ways: TwoWays | None = None
    outcomes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    cluster: str | None = None
    clusters: int | None = None
    printed: tuple[str, ...] = ()
    unit: Unit = "item"

    def _rows(self) -> list[dict[str, Any]]:
        groups = ({"system": self.system, "by": b.by, **flat(g)} for b in self.by for g in b.groups)
        return [{"by": None, "label": "total", **flat(self)}, *groups]


class SampledGroup(msgspec.Struct, frozen=True):
    """Decisions of one phenomenon, or of one bin of predicted shares.

    ``predicted`` is the mean share that the scores give the wrong variant, 1 / (1 + exp(margin)); ``written`` the
    mean share of the decided samples that have the error. ``area``: how often, of a sample with the error and one
    without, the former has the larger predicted share (.5: the preference tells nothing; None: all are alike).
    """

    label: str
    decisions: int
    predicted: float
    written: float
    interval: Interval
    area: float | None


class Sampled(Record, frozen=True):
    """Samples of one system beside its scores; ``left_out`` verdicts are neither right nor wrong."""

    suite: str
    system: str
    samples: int
    verdicts: int
    left_out: int
    gap: float
    """The mean distance of written and predicted shares over the bins, each weighed by its decisions."""
    groups: tuple[SampledGroup, ...]
    curve: tuple[SampledGroup, ...]

    def _rows(self) -> list[dict[str, Any]]:
        return [msgspec.to_builtins(group) for group in (*self.groups, *self.curve)]


class Checks(Record, frozen=True):
    """Several systems' translations of one suite, or samples of one system compared with its scores (``sampled``)."""

    _parts = "systems"
    suite: str
    systems: tuple[Check, ...]
    sampled: Sampled | None = None
