"""Which decisions depend on each other: those of a document, else of a source, else of an item.

Decisions of one document or source go right and wrong together, so that a hundred of them say less than a hundred of
as many documents. Fewer than `MIN_CLUSTERS` documents do not tell how far documents differ, nor do many beside one
that has nearly all decisions: what is found then holds within these documents only, and no test decides.
"""

from array import array
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from kontrast.judging.floats import Ints
from kontrast.suites.model import Suite
from kontrast.suites.packed import fields_of, numbered_keys

MIN_CLUSTERS = 6
MIN_EFFECTIVE = 2.0
"""Where one document has nearly all decisions, the others do not tell how far documents differ."""


@dataclass(frozen=True)
class Grouped:
    """Some decisions with their clusters.

    ``name`` says what the clusters are (None: every decision by itself) and ``number`` which one each decision is in.
    ``within`` is set where a coarser kind of cluster is there but too few (``("document", 4)``), or one has nearly
    all decisions.
    """

    name: str | None
    number: Ints
    within: tuple[str, int] | None = None

    @property
    def count(self) -> int:
        """How many clusters there are; decisions where each stands by itself."""
        return int(self.number.max()) + 1 if self.number.size else 0

    @property
    def scope(self) -> str | None:
        """To what a result is limited, in words."""
        return None if self.within is None else f"{self.within[1]} {self.within[0]}s"

    @property
    def limits(self) -> str:
        """Why these clusters decide nothing beyond themselves, if they do not."""
        if self.within is None:
            return ""
        few = self.within[1] < MIN_CLUSTERS
        return f"{self.scope} are too few" if few else f"one of {self.scope} has nearly all decisions"


@dataclass(frozen=True)
class Clusters:
    """The kinds of clusters of a suite's decisions, from coarse to fine, each with a number per decision."""

    kinds: tuple[tuple[str, Ints], ...]
    size: int

    def on(self, chosen: Ints | NDArray[np.bool_] | None = None) -> Grouped:
        """The clusters that count for all decisions, or for those chosen: the coarsest kind that joins some of them.

        >>> clusters = Clusters((("document", np.arange(40) // 10), ("source", np.arange(40) // 2)), 40)
        >>> found = clusters.on()
        >>> found.name, found.count, found.scope
        ('source', 20, '4 documents')
        """
        within = None
        for name, number in self.kinds:
            own = number if chosen is None else number[chosen]
            _, compact = np.unique(own, return_inverse=True)
            count = int(compact.max()) + 1 if compact.size else 0
            if count == len(own):
                continue
            if count >= MIN_CLUSTERS and effective(np.bincount(compact)) >= MIN_EFFECTIVE:
                return Grouped(name, compact.astype(np.int64), within)
            if count > 1 and within is None:
                within = (name, count)
        size = self.size if chosen is None else len(np.arange(self.size)[chosen])
        return Grouped(None, np.arange(size, dtype=np.int64), within)


def effective(sizes: Ints) -> float:
    """How many clusters of equal size would say as much: (Σn)²/Σn²."""
    total = float(sizes.sum())
    return total**2 / float((sizes.astype(np.float64) ** 2).sum()) if total else 0.0


def clusters_of(suite: Suite, item: Ints) -> Clusters:
    """The clusters of decisions on these items, one of which may be there several times."""
    source = numbered_keys(lambda: (each.source for each in fields_of(suite.items, _Place)))
    documents: dict[str | int, int] = {}
    document, known = array("q"), array("b")
    for each, own in zip(fields_of(suite.items, _Place), source.tolist(), strict=True):
        # A decision outside any document stands with those of its source.
        place = each.document or own
        document.append(documents.setdefault(place, len(documents)))
        known.append(bool(each.document))
    kinds = [("document", np.array(document, dtype=np.int64)[item])] if np.array(known)[item].any() else []
    return Clusters((*kinds, ("source", source[item]), ("item", item)), len(item))


class _Place(msgspec.Struct, gc=False):
    source: str
    document: str | None = None
