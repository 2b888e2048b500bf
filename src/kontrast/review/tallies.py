"""Where the review stands, counted over the index: what is settled, what is disputed, how well readers agree."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from kontrast.review.agreement import Agreement, agreement_of
from kontrast.review.index import CHANGED, FINAL, OPEN, REJECTED, Places
from kontrast.review.store import ReviewStore

Mask = NDArray[np.bool_]


def agreed(store: ReviewStore) -> Agreement:
    """How well the readers agree on accepting or rejecting; adjudicated decisions do not count."""
    names = store.annotators()
    statuses = _statuses(store, names)
    codes = np.where(statuses == OPEN, -1, (statuses == REJECTED).astype(np.int8)).astype(np.int8)
    return agreement_of(list(names.values()), codes)


def disputed(store: ReviewStore) -> Places:
    """Entries on which readers differ, in what they say or in the text they accept, and nobody adjudicated."""
    return np.flatnonzero(_split(store)[2])


def tally(store: ReviewStore) -> tuple[Counter[str], int]:
    """How many entries went which way, and how many items have an accepted one."""
    accepted, rejected, differ = _split(store)
    alive = ~store.index.gone
    found = Counter(
        accepted=int((accepted & alive).sum()),
        rejected=int((rejected & alive).sum()),
        disputed=int((differ & alive).sum()),
    )
    found["open"] = int(alive.sum()) - found.total()
    return found, len(np.unique(store.index.items[accepted & alive]))


def _statuses(store: ReviewStore, names: dict[int, str]) -> NDArray[np.int8]:
    if not names:
        return np.zeros((0, len(store.index)), np.int8)
    return np.stack([store.index.of(number) for number in names])


def _split(store: ReviewStore) -> tuple[Mask, Mask, Mask]:
    """Accepted, rejected, disputed."""
    statuses = _statuses(store, store.annotators())
    final = store.index.of(FINAL)
    refused = (statuses == REJECTED).sum(0)
    taken = ((statuses != OPEN) & (statuses != REJECTED)).sum(0)
    differ = (refused > 0) & (taken > 0)
    # Texts can differ only where somebody changed one.
    for entry in np.flatnonzero((statuses == CHANGED).any(0) & (taken > 1) & ~differ).tolist():
        query = (
            "SELECT count(DISTINCT coalesce(d.text, '')) FROM current c JOIN decision d ON d.number = c.decision "
            "WHERE c.entry = ? AND c.annotator <> ?"
        )
        differ[entry] = store.reader.execute(query, (entry, FINAL)).fetchone()[0] > 1
    differ &= final == OPEN
    accepted = np.where(final == OPEN, (taken > 0) & ~differ, final != REJECTED)
    rejected = np.where(final == OPEN, (refused > 0) & ~differ, final == REJECTED)
    return accepted, rejected, differ
