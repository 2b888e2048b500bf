"""Which of the items found become the suite: so many per pronoun and distance, different sentences first."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence

from kontrast.suites.model import Item

__all__ = ["select"]


def select(
    items: Sequence[Item],
    *,
    per_pronoun: int | None = None,
    per_cell: int | None = None,
    seed: int = 1,
    leave_out: Iterable[str] = (),
) -> list[Item]:
    """At most so many items for each target pronoun, and for each pronoun and distance, in the order they came.

    A sentence pair that was taken already is taken again only when no new one is left. Documents named in
    ``leave_out`` (training data) give none.
    """
    barred = set(leave_out)
    usable = [i for i, item in enumerate(items) if not _names(item) & barred]
    random.Random(seed).shuffle(usable)
    taken: list[int] = []
    seen: set[tuple[str, str]] = set()
    pronouns: dict[str, int] = defaultdict(int)
    cells: dict[tuple[str, int], int] = defaultdict(int)
    for again in (False, True):
        for i in usable:
            text = (items[i].source, items[i].best.text)
            pronoun = str(items[i].tags["ref_pronoun"]).lower()
            cell = (pronoun, int(items[i].tags["distance"]))
            if (text in seen) != again or i in taken:
                continue
            if per_pronoun is not None and pronouns[pronoun] >= per_pronoun:
                continue
            if per_cell is not None and cells[cell] >= per_cell:
                continue
            taken.append(i)
            seen.add(text)
            pronouns[pronoun] += 1
            cells[cell] += 1
    return [items[i] for i in sorted(taken)]


def _names(item: Item) -> set[str]:
    """A document's name with and without its language."""
    name = item.document or ""
    return {name, name.rpartition(".")[0]}
