"""What `kontrast context` gives back; the names are also the keys of ``--json``. Bits throughout."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from kontrast.analysis.means import Mean
from kontrast.judging.wording import explained, share_text
from kontrast.record import Record, flat
from kontrast.suites.model import Unit

ContextVerdict = Literal["uses it", "changes without using it", "ignores it", "is harmed by it", "undecided"]
"""``undecided``: no test decides, and the change is not shown to be small either."""


class Bits(msgspec.Struct, frozen=True):
    """Bits that a context adds to the correct variants.

    ``cxmi`` is the mean over sentences, ``per_token`` over all their tokens; ``deciding`` over the tokens in which
    variants differ, ``other`` over the rest of the text, ``end`` over end tokens.
    """

    cxmi: Mean
    per_token: Mean
    deciding: Mean | None
    other: Mean | None
    end: Mean | None


class ContextGroup(msgspec.Struct, frozen=True):
    """A group of decisions: the gain over no context, that over the control, and the bits of its deciding tokens."""

    label: str
    tags: dict[str, str]
    items: int
    accuracy_without: float
    accuracy_with: float
    accuracy_control: float | None
    gain: Mean
    over_control: Mean | None
    cxmi: Mean | None
    deciding: Mean | None
    p: float
    """Of the gain over the control (or over no context where there is none), Holm over the table."""
    significant: bool


class ContextBreakdown(Record, frozen=True):
    """By one tag, or several crossed."""

    _parts = "groups"
    by: str
    tags: tuple[str, ...]
    groups: tuple[ContextGroup, ...]


class Window(msgspec.Struct, frozen=True):
    """One length of context: its gain over no context. ``p`` is corrected over all windows (Holm)."""

    context: str
    sentences: int
    accuracy: float
    gain: Mean
    cxmi: Mean | None
    p: float
    helps: bool


class ContextUse(Record, frozen=True):
    """Whether a system uses the context of a suite: the verdict, the tests behind it, and the bits.

    ``gain`` is the margin of the correct variant with context minus that without; ``over_control`` that with context
    minus that with the control; ``change`` the mean absolute gain.
    """

    suite: str
    system: str
    unit: Unit
    items: int
    context: str
    control: str | None
    verdict: ContextVerdict
    because: str
    gain: Mean
    over_control: Mean | None
    change: Mean
    ignored_below: float
    accuracy_without: float
    accuracy_with: float
    accuracy_control: float | None
    bits: Bits | None
    control_bits: Bits | None
    by: tuple[ContextBreakdown, ...]
    curve: tuple[Window, ...] = ()
    smallest: int | None = None
    """The fewest sentences that help."""
    alpha: float = 0.05
    level: float = 0.95
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The verdict in sentences."""
        shares = [share_text(share, self.items) for share in (self.accuracy_without, self.accuracy_with)]
        control = ""
        if self.accuracy_control is not None:
            control = f", and {share_text(self.accuracy_control, self.items)} with a wrong one"
        accuracy = f"Accuracy is {shares[0]} without context, {shares[1]} with it{control}."
        return f"{explained('context')[self.verdict].format(self.system)} {accuracy} {self.because}"

    def _said(self) -> str:
        return self.text

    def _brief(self) -> list[dict[str, Any]]:
        rows: list[tuple[str, Any]] = [("total", self), *((g.label, g) for b in self.by for g in b.groups)]
        return [
            {
                "": label,
                "items": each.items,
                "without": share_text(each.accuracy_without, each.items),
                "with": share_text(each.accuracy_with, each.items),
                "gain (bits)": f"{each.gain.value:+.3f}",
            }
            for label, each in rows
        ]

    def _rows(self) -> list[dict[str, Any]]:
        total = {"by": None, "label": "total", **flat(self)}
        return [total, *({"by": b.by, **flat(g)} for b in self.by for g in b.groups)]
