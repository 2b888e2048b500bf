"""What a metric is: it scores translations of a segment against its source, its references, or both.

A metric is a file in `kontrast.scoring.metrics` with a function ``load(name, model, options)`` that returns an object
with the members of `Metric`. It takes *segments*, never pairs: the variants of an item come together, so that what
they share (the references' statistics, an encoding) is computed once; the numbers must be those of pair-by-pair
scoring.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, Protocol

import msgspec

from kontrast.errors import KontrastError
from kontrast.progress import Advance

Use = Literal["needed", "optional", "unused"]
SHARD = 2000
"""Segments that a neural metric scores at a time."""


class Passage(msgspec.Struct, frozen=True, gc=False):
    """A text with what stands before it: the context sentences and the separator, as the metric reads them.

    >>> Passage("It rains.", "Look! ").joined
    'Look! It rains.'
    """

    text: str
    before: str = ""

    @property
    def joined(self) -> str:
        return self.before + self.text


class Segment(msgspec.Struct, frozen=True, gc=False):
    """A source, its references, and the distinct translations to be scored."""

    source: Passage
    references: tuple[Passage, ...]
    hypotheses: tuple[Passage, ...]


class Declaration(msgspec.Struct, frozen=True):
    """What a metric reads and how its numbers are to be understood."""

    reference: Use = "needed"
    source: Use = "unused"
    lower_is_better: bool = False
    separator: str = " "
    """Between the context sentences and the sentence."""
    references: int | None = None
    """How many references it can take at most (None: any number)."""
    rivals: bool = False
    """A score depends on the item's other variants: items with the same source are not joined."""


class MetricOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What the user may ask of any metric; ``extra`` holds what stands behind ``?`` in the metric's name."""

    source_language: str | None = None
    target_language: str | None = None
    device: str = "auto"
    batch: int = 32
    processes: int | None = None
    maximize: bool | None = None
    reference_context: bool = False
    """Whether translations are read after the reference's previous sentences rather than their own."""
    window: int | None = None
    """So many sentences, the last one the item's, are scored as one text."""
    stride: int = 1
    """With a window: shorter ones too, this many sentences less each time, and the mean of all."""
    extra: dict[str, str] = {}

    def only(self, metric: str, *known: str) -> dict[str, str]:
        """The extra options; one that the metric does not have is an error."""
        if unknown := sorted(set(self.extra) - set(known)):
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise KontrastError(f"--metric {metric}: there is no option {', '.join(unknown)}; {has}")
        return self.extra


class Metric(Protocol):
    """Scores segments. ``details`` goes into the signature as short words; read after `score`.

    A metric may have ``shard``: so many segments are scored at a time, here and on a cluster, because what else is in
    a batch touches the last digits. 0: all together; without it each segment is scored by itself.
    """

    name: str
    declaration: Declaration
    details: dict[str, str]

    def score(self, segments: Sequence[Segment], advance: Advance) -> list[tuple[float, ...]]:
        """One number per hypothesis, segment by segment; ``advance`` is called with hypotheses finished."""
        ...


def shares_of(segments: Sequence[Segment], size: int) -> Iterator[Sequence[Segment]]:
    """The segments, ``size`` at a time; all at once for 0."""
    size = size or max(1, len(segments))
    return (segments[start : start + size] for start in range(0, len(segments), size))
