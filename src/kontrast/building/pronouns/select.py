"""Which of the items found become the suite: so many per pronoun and distance, different sentences first."""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Iterable

from kontrast.suites.model import Item

__all__ = ["select"]


def select(
    items: Iterable[Item],
    *,
    per_pronoun: int | None = None,
    per_cell: int | None = None,
    seed: int = 1,
    leave_out: Iterable[str] = (),
) -> list[int]:
    """The places of at most so many items for each target pronoun, and for each pronoun and distance.

    A sentence pair that was taken already is taken again only when no new one is left. Documents named in
    ``leave_out`` (training data) give none. Of each item only what decides is held in memory.
    """
    barred = set(leave_out)
    known: dict[int, tuple[bytes, str, int]] = {}
    for i, item in enumerate(items):
        if not _names(item) & barred:
            known[i] = _text(item), str(item.tags["ref_pronoun"]).lower(), int(item.tags["distance"])
    if per_pronoun is None and per_cell is None:
        return list(known)
    usable = list(known)
    random.Random(seed).shuffle(usable)
    taken: set[int] = set()
    seen: set[bytes] = set()
    pronouns: dict[str, int] = defaultdict(int)
    cells: dict[tuple[str, int], int] = defaultdict(int)
    for again in (False, True):
        for i in usable:
            text, pronoun, distance = known[i]
            if (text in seen) != again or i in taken:
                continue
            if per_pronoun is not None and pronouns[pronoun] >= per_pronoun:
                continue
            if per_cell is not None and cells[pronoun, distance] >= per_cell:
                continue
            taken.add(i)
            seen.add(text)
            pronouns[pronoun] += 1
            cells[pronoun, distance] += 1
    return sorted(taken)


def _text(item: Item) -> bytes:
    """Source and translation, as a digest."""
    return hashlib.blake2b(f"{item.source}\0{item.best.text}".encode(), digest_size=16).digest()


def _names(item: Item) -> set[str]:
    """A document's name with and without its language."""
    name = item.document or ""
    return {name, name.rpartition(".")[0]}
