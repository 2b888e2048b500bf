"""Does a system use the context? CXMI, P-CXMI and the change of margins, against a control, with tests.

The formulas are in docs/context.md. Margins are those of `kontrast.judging.verdicts`, in bits.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

import msgspec
import numpy as np
from numpy.typing import NDArray

from kontrast.analysis.context_files import check_files
from kontrast.analysis.context_records import (
    Bits,
    ContextBreakdown,
    ContextGroup,
    ContextUse,
    ContextVerdict,
    Window,
)
from kontrast.analysis.means import Mean, mean_of
from kontrast.analysis.options import ContextTest
from kontrast.analysis.pointwise import KINDS, Kind, Pointwise, Unequal, pointwise
from kontrast.errors import KontrastError
from kontrast.judging.decisions import Decisions, decisions_of
from kontrast.judging.grouping import group_by, usual_tags, with_phenomenon
from kontrast.judging.paired import holm
from kontrast.judging.verdicts import Verdicts, check_count, larger_is_better, verdicts_of
from kontrast.judging.wording import p_is, p_value
from kontrast.options import filled
from kontrast.suites.model import Scores, Suite

_MOST_INCOMPARABLE = 0.05


def context_use(
    suite: Suite,
    without: Scores,
    given: Scores,
    control: Scores | None = None,
    *,
    names: tuple[str, str, str] | None = None,
    **options: Unpack[ContextTest],
) -> ContextUse:
    """The verdict on one system, scored without context, with it, and with a wrong one (``control``).

    With ``sentences`` whole sentences are judged and tokens are not needed.
    """
    asked = filled(ContextTest, options, context_use)
    level, alpha, sentences = asked["level"], asked["alpha"], asked["sentences"]
    for scores in (without, given, *([control] if control is not None else [])):
        check_count(suite, scores)
    notes = [*check_files(suite, without, given, control, sentences=sentences, allow=asked["allow"], names=names)]
    decisions = decisions_of(suite, asked["unit"])
    ground = _Ground(decisions, level, alpha)
    base, full = ground.judge(without), ground.judge(given)
    other = ground.judge(control) if control is not None else None
    gain = (full.margin - base.margin) / math.log(2)
    beyond = (full.margin - other.margin) / math.log(2) if other is not None else None
    mean, change = ground.mean(gain), ground.mean(np.abs(gain))
    over = ground.mean(beyond) if beyond is not None else None
    verdict, because = _verdict(mean, over, change, asked["ignored_below"], alpha)
    bits = rows = control_bits = None
    if not sentences:
        rows, unequal = _pointwise(suite, without, given, names[1] if names else "--with")
        bits = ground.bits(rows)
        notes += _token_notes(unequal, suite)
        if control is not None:
            control_rows, _ = _pointwise(suite, without, control, names[2] if names else "--control")
            control_bits = ground.bits(control_rows)
    usual = [tag for tag in usual_tags(decisions.tags) if tag.startswith("distance")]
    tags = with_phenomenon(decisions.tags, tuple(asked["by"]) or tuple(usual))
    breakdowns = tuple(ground.breakdown(name, base, full, other, gain, beyond, rows) for name in tags)
    if over is None:
        notes.append(
            "without a control, any other text before the sentence may have the same effect (score --control random)"
        )
    return ContextUse(
        suite=suite.name,
        system=given.system,
        unit=decisions.unit,
        items=len(decisions),
        context=given.signature.context if given.signature else "unknown",
        control=None if control is None else control.signature.context if control.signature else "unknown",
        verdict=verdict,
        because=because,
        gain=mean,
        over_control=over,
        change=change,
        ignored_below=asked["ignored_below"],
        accuracy_without=float(base.credit.mean()),
        accuracy_with=float(full.credit.mean()),
        accuracy_control=None if other is None else float(other.credit.mean()),
        bits=bits,
        control_bits=control_bits,
        by=breakdowns,
        alpha=alpha,
        level=level,
        notes=tuple(notes),
    )


def context_curve(
    use: ContextUse, suite: Suite, without: Scores, windows: Sequence[tuple[int, Scores]]
) -> ContextUse:
    """The same result with a window a length: its gain over no context, and the smallest one that helps."""
    ground = _Ground(decisions_of(suite, use.unit), use.level, use.alpha)
    base = ground.judge(without)
    found: list[Window] = []
    for length, scores in windows:
        judged = ground.judge(scores)
        gain = ground.mean((judged.margin - base.margin) / math.log(2))
        bits = None
        if without.tokens is not None and scores.tokens is not None:
            rows, _ = pointwise(suite, without.tokens, scores.tokens)
            bits = ground.bits(rows)
        context = scores.signature.context if scores.signature else f"prev:{length}"
        accuracy = float(judged.credit.mean())
        found.append(Window(context, length, accuracy, gain, bits.cxmi if bits else None, gain.p, False))
    corrected = holm([window.p for window in found])
    curve = tuple(
        msgspec.structs.replace(w, p=p, helps=w.gain.undecided is None and w.gain.value > 0 and p <= use.alpha)
        for w, p in zip(found, corrected, strict=True)
    )
    smallest = next((window.sentences for window in curve if window.helps), None)
    return msgspec.structs.replace(use, curve=curve, smallest=smallest)


@dataclass(frozen=True)
class _Ground:
    """The decisions with their clusters, and how means over them are made."""

    decisions: Decisions
    level: float
    alpha: float

    def judge(self, scores: Scores) -> Verdicts:
        return verdicts_of(self.decisions, larger_is_better(scores))

    def mean(self, values: NDArray[np.float64], chosen: NDArray[np.bool_] | None = None) -> Mean:
        found = mean_of(values, self.decisions.clusters, chosen=chosen, level=self.level)
        assert found is not None
        return found

    def totals(
        self, rows: Sequence[Pointwise | None], kind: Kind | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Bits and number of tokens of each item's correct variant; an item counts once, also where pairs decide."""
        sums, sizes = np.zeros(len(self.decisions)), np.zeros(len(self.decisions))
        seen: set[int] = set()
        for i, row in enumerate(self.decisions.correct.tolist()):
            found = rows[row]
            if found is not None and row not in seen:
                sums[i], sizes[i] = found.total(kind)
                seen.add(row)
        return sums, sizes

    def per_token(
        self, rows: Sequence[Pointwise | None], kind: Kind | None = None, chosen: NDArray[np.bool_] | None = None
    ) -> Mean | None:
        sums, sizes = self.totals(rows, kind)
        return mean_of(sums, self.decisions.clusters, sizes=sizes, chosen=chosen, level=self.level)

    def cxmi(self, rows: Sequence[Pointwise | None], chosen: NDArray[np.bool_] | None = None) -> Mean | None:
        sums, sizes = self.totals(rows)
        return mean_of(sums, self.decisions.clusters, sizes=(sizes > 0).astype(int), chosen=chosen, level=self.level)

    def bits(self, rows: Sequence[Pointwise | None]) -> Bits:
        cxmi, per_token = self.cxmi(rows), self.per_token(rows)
        assert cxmi is not None and per_token is not None
        deciding, other, end = (self.per_token(rows, kind) for kind in KINDS)
        return Bits(cxmi, per_token, deciding, other, end)

    def breakdown(
        self,
        by: str,
        base: Verdicts,
        full: Verdicts,
        other: Verdicts | None,
        gain: NDArray[np.float64],
        beyond: NDArray[np.float64] | None,
        rows: Sequence[Pointwise | None] | None,
    ) -> ContextBreakdown:
        grouping = group_by(self.decisions.tags, by)
        groups = []
        for label, tags, chosen in grouping.parts():
            own, over = self.mean(gain, chosen), self.mean(beyond, chosen) if beyond is not None else None
            groups.append(
                ContextGroup(
                    label=label,
                    tags=tags,
                    items=int(chosen.sum()),
                    accuracy_without=float(base.credit[chosen].mean()),
                    accuracy_with=float(full.credit[chosen].mean()),
                    accuracy_control=None if other is None else float(other.credit[chosen].mean()),
                    gain=own,
                    over_control=over,
                    cxmi=self.cxmi(rows, chosen) if rows is not None else None,
                    deciding=self.per_token(rows, "deciding", chosen) if rows is not None else None,
                    p=(over or own).p,
                    significant=False,
                )
            )
        corrected = holm([group.p for group in groups])
        marked = tuple(
            msgspec.structs.replace(
                g, p=p, significant=p <= self.alpha and (g.over_control or g.gain).undecided is None
            )
            for g, p in zip(groups, corrected, strict=True)
        )
        return ContextBreakdown(grouping.by, grouping.tags, marked)


def _verdict(
    gain: Mean, over: Mean | None, change: Mean, ignored_below: float, alpha: float
) -> tuple[ContextVerdict, str]:
    """One of four, with the test that led to it; or that none can be given."""
    low, high = (change.interval.low, change.interval.high) if change.interval else (0.0, math.inf)
    if change.undecided is not None:
        return "undecided", f"No test can decide: {change.undecided}."
    moved = f"Margins change by {change.value:.3f} bits on average"
    if high <= ignored_below or change.value == 0:
        return "ignores it", f"{moved} (interval up to {high:.3f}), under the limit of {ignored_below:g}."
    told = f"The right variant {_told(gain)} on its best rival"
    told += f"; compared with the wrong context of the control, it {_told(over)}." if over is not None else "."
    harm = holm([gain.p, *([over.p] if over is not None else [])])
    if gain.value < 0 and harm[0] <= alpha:
        return "is harmed by it", told
    if over is not None and over.value < 0 and harm[1] <= alpha:
        return "is harmed by it", told
    if gain.above(alpha) if over is None else over.above(alpha):
        return "uses it", told
    if low > ignored_below:
        beyond = (
            "more towards the right variant than with the control"
            if over is not None
            else "towards the right variant"
        )
        return "changes without using it", f"{moved}, but not significantly {beyond}. {told}"
    return "undecided", f"{moved}, near the limit of {ignored_below:g}. {told}"


def _told(mean: Mean) -> str:
    """As in the tables below it."""
    return f"{'gains' if mean.value >= 0 else 'loses'} {abs(mean.value):.3f} bits ({p_is(p_value(mean.p))})"


def _pointwise(suite: Suite, without: Scores, given: Scores, name: str) -> tuple[list[Pointwise | None], Unequal]:
    assert without.tokens is not None and given.tokens is not None
    rows, unequal = pointwise(suite, without.tokens, given.tokens)
    if len(unequal.incomparable) > _MOST_INCOMPARABLE * len(rows):
        row = unequal.incomparable[0]
        raise KontrastError(
            f"{name}: the tokens of {len(unequal.incomparable):,} of {len(rows):,} rows are not those of the same "
            f"text as without context (first: row {row + 1}): expected the same tokeniser and the same target text"
        )
    return rows, unequal


def _token_notes(unequal: Unequal, suite: Suite) -> list[str]:
    notes = []
    if unequal.resegmented:
        notes.append(
            f"{unequal.resegmented:,} rows have other tokens with context; tokens are joined up to common ends"
        )
    if unequal.forced:
        named = ", ".join(f"{token} ({count:,} times)" for token, count in sorted(unequal.forced.items()))
        notes.append(f"forced tokens are not predicted, so they are left out of the bits: {named}")
    if unequal.incomparable:
        notes.append(f"{len(unequal.incomparable):,} rows have another text with context and are left out")
    return notes
