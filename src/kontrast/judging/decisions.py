"""A suite as decisions in arrays: which rows compete with which, and which decisions belong together."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import msgspec
import numpy as np

from kontrast.errors import KontrastError
from kontrast.judging.clusters import Clusters, clusters_of
from kontrast.judging.floats import Floats, Ints
from kontrast.judging.grouping import TagColumns
from kontrast.suites.description import refuse_undecided
from kontrast.suites.model import Suite, Tags, Unit, tags_of
from kontrast.suites.packed import fields_of, shape_of

__all__ = ["Decisions", "Floats", "Ints", "decisions_of"]


class _TaggedVariant(msgspec.Struct, gc=False):
    error: str | None = None
    tags: Tags = {}


class _Tagged(msgspec.Struct, gc=False):
    """Of an item what its tags are made of."""

    variants: tuple[_TaggedVariant, ...]
    correct: int = 0
    document: str | None = None
    tags: Tags = {}


@dataclass(frozen=True)
class Decisions:
    """All decisions of a suite in its order; every array has one entry per decision but ``rivals``.

    ``rivals`` holds the rows that compete with the correct one, decision after decision; those of decision i are
    ``rivals[offsets[i]:offsets[i + 1]]``. ``variant`` is the wrong variant of a pair, or -1 for a whole item.
    """

    suite: Suite
    unit: Unit
    item: Ints
    variant: Ints
    correct: Ints
    rivals: Ints
    offsets: Ints

    def __len__(self) -> int:
        return len(self.item)

    @cached_property
    def options(self) -> Ints:
        """Among how many variants each decision chooses."""
        return np.diff(self.offsets) + 1

    @property
    def chance(self) -> Floats:
        """What guessing gets, per decision."""
        return 1.0 / self.options

    @cached_property
    def tags(self) -> TagColumns:
        """The tags of each decision."""
        return TagColumns(self._tags)

    def _tags(self) -> Iterator[Tags]:
        items = enumerate(fields_of(self.suite.items, _Tagged))
        at, item = next(items)
        for i, v in zip(self.item.tolist(), self.variant.tolist(), strict=True):
            while at < i:
                at, item = next(items)
            yield tags_of(item, None if v < 0 else item.variants[v])

    @cached_property
    def clusters(self) -> Clusters:
        """Which decisions depend on each other."""
        return clusters_of(self.suite, self.item)


def decisions_of(suite: Suite, unit: Unit | None = None) -> Decisions:
    """The decisions of a suite in its own unit, or in the one asked for.

    Items with one variant decide nothing and are left out; a suite of nothing else is an error.
    """
    unit = unit or suite.unit
    sizes, correct_index = shape_of(suite.items)
    starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    row_item = np.repeat(np.arange(len(sizes)), sizes)
    row_variant = np.arange(starts[-1]) - starts[row_item]
    rivals = np.flatnonzero(row_variant != correct_index[row_item]).astype(np.int64)
    refuse_undecided(suite)
    if rivals.size == 0:
        raise KontrastError(f"{suite.name} has no items")
    if unit == "pair":
        item, variant = row_item[rivals], row_variant[rivals]
        offsets = np.arange(rivals.size + 1)
    else:
        item = np.flatnonzero(sizes > 1)
        variant = np.full(item.size, -1)
        offsets = np.concatenate(([0], np.cumsum(sizes[item] - 1)))
    return Decisions(
        suite,
        unit,
        item.astype(np.int64),
        variant.astype(np.int64),
        (starts[item] + correct_index[item]).astype(np.int64),
        rivals,
        offsets.astype(np.int64),
    )
