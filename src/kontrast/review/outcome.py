"""What the readers' decisions come to: for each entry one outcome, and from these the reviewed suite.

Where the review stands, counted over the index: what is settled, what is disputed, how well readers agree (Cohen's
kappa for each two, Krippendorff's alpha for all, with bootstrap intervals over entries). Cohen (1960),
doi:10.1177/001316446002000104; Krippendorff, Content Analysis (2004), chapter 11, nominal data. An entry counts by
how many readers gave it each category: entries with the same counts are of one kind, a resample is a draw of kinds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, groupby
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from kontrast.review.index import CHANGED, FINAL, OPEN, REJECTED, Places
from kontrast.review.intake import headers
from kontrast.review.store import ReviewDecision, ReviewStore
from kontrast.suites.model import Item, Suite, Variant

Undecided = Literal["drop", "keep"]
Status = Literal["accepted", "rejected", "open", "disputed"]


class Outcome(msgspec.Struct, frozen=True):
    """Of one entry: what was decided and the text that is kept. Disputed: readers differ and nobody adjudicated."""

    entry: int
    status: Status
    text: str | None = None
    adjudicated: bool = False
    readers: int = 0


def settled(entry: int, decisions: Iterable[ReviewDecision]) -> Outcome:
    """The outcome of the decisions that stand on an entry."""
    found = list(decisions)
    final = next((d for d in found if d.annotator == FINAL), None)
    readers = [d for d in found if d.annotator != FINAL]
    if final is not None:
        status: Status = "rejected" if final.status == "rejected" else "accepted"
        return Outcome(entry, status, final.text, True, len(readers))
    if not readers:
        return Outcome(entry, "open")
    said = {(d.status == "rejected", d.text if d.status != "rejected" else None) for d in readers}
    if len(said) > 1:
        return Outcome(entry, "disputed", readers=len(readers))
    ((rejected, text),) = said
    return Outcome(entry, "rejected" if rejected else "accepted", text, False, len(readers))


def outcomes(store: ReviewStore) -> dict[int, Outcome]:
    """Of every entry with a decision."""
    return {entry: settled(entry, made) for entry, made in groupby(store.standing(), key=lambda d: d.entry)}


def reviewed(store: ReviewStore, undecided: Undecided = "drop") -> tuple[dict[str, Suite], Counter[str]]:
    """For each part the suite of what was accepted, and how many entries went which way.

    Candidates that were rejected, are disputed or were not decided are left out (``undecided="keep"`` keeps the
    last); an item of which no candidate is left is left out whole.
    """
    found = outcomes(store)
    tally: Counter[str] = Counter()
    items: dict[str, list[Item]] = {part: [] for part in headers(store)}
    groups = groupby(store.entries(), key=lambda pair: (pair[1].part, int(store.index.items[pair[0]])))
    for (part, _), pairs in groups:
        kept: dict[int, str | None] = {}
        whole: Item | None = None
        listed = list(pairs)
        for number, entry in listed:
            outcome = found.get(number, Outcome(number, "open"))
            tally[outcome.status] += 1
            if outcome.status == "accepted" or (outcome.status == "open" and undecided == "keep"):
                if entry.variant is None:
                    whole = entry.item
                else:
                    kept[entry.variant] = outcome.text
        item = listed[0][1].item
        if whole is not None:
            items.setdefault(part, []).append(whole)
        elif kept:
            items.setdefault(part, []).append(_with(item, kept))
    blank = Suite("reviewed", ())
    made = {
        part: msgspec.structs.replace(headers(store).get(part, blank), items=tuple(found_items))
        for part, found_items in items.items()
    }
    return made, tally


def _with(item: Item, kept: dict[int, str | None]) -> Item:
    """The item with its correct variant and those kept, as they were changed."""
    variants: list[Variant] = []
    correct = 0
    for i, variant in enumerate(item.variants):
        if i == item.correct:
            correct = len(variants)
            variants.append(variant)
        elif i in kept:
            text = kept[i]
            variants.append(variant if text is None else msgspec.structs.replace(variant, text=text))
    return msgspec.structs.replace(item, variants=tuple(variants), correct=correct)


def decisions(store: ReviewStore) -> Iterator[dict[str, object]]:
    """Every decision that stands as a record for people and programs: who said what of which entry, and when."""
    names = store.names()
    for made in store.standing():
        entry = store.entry(made.entry)
        record: dict[str, object] = {
            "key": entry.key,
            "item": entry.item.id,
            "phenomenon": entry.phenomenon,
            "annotator": names[made.made_by],
            "adjudicated": made.annotator == FINAL,
            "decision": made.status,
            "reason": made.reason,
            "candidate": entry.candidate,
            "text": made.text,
            "note": made.note,
            "seconds": made.seconds,
            "at": made.at,
        }
        yield {name: value for name, value in record.items() if value not in (None, "", False)}


Mask = NDArray[np.bool_]


def agreed(store: ReviewStore) -> Agreement:
    """How well the readers agree on accepting or rejecting; adjudicated decisions do not count."""
    names = store.annotators()
    statuses = _statuses(store, names)
    codes = np.where(statuses == OPEN, -1, (statuses == REJECTED).astype(np.int8)).astype(np.int8)
    return agreement_of(list(names.values()), codes[:, ~store.index.gone])


def disputed(store: ReviewStore) -> Places:
    """Entries on which readers differ, in what they say or in the text they accept, and nobody adjudicated."""
    return np.flatnonzero(_split(store)[2])


def tally(store: ReviewStore) -> tuple[Counter[str], int]:
    """How many entries went which way, and how many items have an accepted one."""
    accepted, rejected, differ = _split(store)
    found = Counter(accepted=int(accepted.sum()), rejected=int(rejected.sum()), disputed=int(differ.sum()))
    found["open"] = int((~store.index.gone).sum()) - found.total()
    return found, len(np.unique(store.index.items[accepted]))


def _statuses(store: ReviewStore, names: dict[int, str]) -> NDArray[np.int8]:
    if not names:
        return np.zeros((0, len(store.index)), np.int8)
    return np.stack([store.index.of(number) for number in names])


def _split(store: ReviewStore) -> tuple[Mask, Mask, Mask]:
    """Accepted, rejected, disputed; an entry that is gone is none of these."""
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
    alive = ~store.index.gone
    return accepted & alive, rejected & alive, differ & alive


Floats = NDArray[np.float64]


class Measure(msgspec.Struct, frozen=True):
    """A coefficient and its 95% interval; ``value`` is None where it is not defined (one category was used)."""

    value: float | None
    low: float | None
    high: float | None


class Pairwise(msgspec.Struct, frozen=True):
    """Two readers on the entries that both decided; ``table[i][j]``: the first said i, the second j."""

    a: str
    b: str
    entries: int
    agreed: float
    kappa: Measure
    table: list[list[int]]


class Agreement(msgspec.Struct, frozen=True):
    """Of all readers on all entries that two or more of them decided."""

    categories: list[str]
    entries: int
    readers: int
    alpha: Measure
    pairs: list[Pairwise]


def kappa(table: Floats) -> Floats:
    """Cohen's kappa of tables of counts (the last two axes); nan where chance agreement is complete."""
    total = table.sum((-2, -1))
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = np.trace(table, axis1=-2, axis2=-1) / total
        chance = (table.sum(-1) * table.sum(-2)).sum(-1) / total**2
        found: Floats = (observed - chance) / (1 - chance)
    return np.where(np.isclose(chance, 1), np.nan, found)


def alpha(kinds: Floats, times: Floats) -> Floats:
    """Krippendorff's alpha: ``kinds[k, c]`` readers gave category c, ``times[..., k]`` such entries."""
    sizes = kinds.sum(1)
    use = sizes > 1
    kinds, times, sizes = kinds[use], times[..., use], sizes[use]
    # Pairs of unequal values within entries, each entry weighing as many values as it has.
    unequal = (sizes**2 - (kinds**2).sum(1)) / (sizes - 1)
    totals = times @ kinds
    n = totals.sum(-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = (times @ unequal) / n
        expected = (n**2 - (totals**2).sum(-1)) / (n * (n - 1))
        found: Floats = 1 - observed / expected
    return np.where(expected > 0, found, np.nan)


def agreement_of(
    names: Sequence[str],
    codes: NDArray[np.int8],
    categories: Sequence[str] = ("accept", "reject"),
    *,
    resamples: int = 2000,
    seed: int = 0,
) -> Agreement:
    """Agreement of readers: a row a reader, a column an entry, in it the number of the category (-1: none)."""
    counts = np.column_stack([(codes == code).sum(0) for code in range(len(categories))])
    several = counts[counts.sum(1) > 1]
    # One number for each row of counts: much faster to sort than rows.
    base = (len(names) + 1) ** np.arange(len(categories))
    _, first, times = np.unique(several @ base, return_index=True, return_counts=True)
    table = several[first].astype(np.float64).reshape(-1, len(categories))
    measured = _measure(lambda drawn: alpha(table, drawn), times.astype(np.float64), resamples, seed)
    pairs = [
        _pair(names[i], names[j], codes[i], codes[j], len(categories), resamples, seed)
        for i, j in combinations(range(len(names)), 2)
    ]
    return Agreement(list(categories), len(several), len(names), measured, [pair for pair in pairs if pair.entries])


def _pair(
    a: str, b: str, first: NDArray[np.int8], second: NDArray[np.int8], size: int, resamples: int, seed: int
) -> Pairwise:
    both = (first >= 0) & (second >= 0)
    cells = first[both].astype(np.int64) * size + second[both]
    table = np.bincount(cells, minlength=size * size).astype(np.float64).reshape(size, size)
    total = int(table.sum())
    agreed = float(np.trace(table)) / total if total else math.nan

    def measure(drawn: Floats) -> Floats:
        return kappa(drawn.reshape(*drawn.shape[:-1], size, size))

    found = _measure(measure, table.reshape(-1), resamples, seed)
    return Pairwise(a, b, total, agreed, found, table.astype(int).tolist())


def _measure(function: Callable[[Floats], Floats], times: Floats, resamples: int, seed: int) -> Measure:
    """The value for these counts of kinds, and the percentiles of its bootstrap over entries."""
    total = int(times.sum())
    value = float(function(times)) if total else math.nan
    if math.isnan(value):
        return Measure(None, None, None)
    drawn = np.random.default_rng(seed).multinomial(total, times / total, size=resamples).astype(np.float64)
    found = function(drawn)
    # A resample with one category has nothing to disagree on: it agrees, as perfectly as it can.
    found = np.where(np.isnan(found), 1.0, found)
    low, high = np.quantile(found, [0.025, 0.975])
    return Measure(value, float(low), float(high))
