"""The entries in arrays: filters, orders, statuses and the next one, in microseconds for 100,000 of them.

Words to search for: what is kept of an item, and what a query asks of it.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from kontrast.suites.lint.text import texts
from kontrast.suites.model import Item

OPEN: Final = 0
ACCEPTED: Final = 1
CHANGED: Final = 2
REJECTED: Final = 3
STATUS: Final = ("open", "accepted", "changed", "rejected")
"""Accepted as it is, accepted with another text, rejected, or not decided."""

ORDERS: Final = ("random", "unsure", "file", "sample")
FINAL: Final = 0
"""The number of the annotator who stands for the adjudicated decision."""

Places = NDArray[np.int64]
Marks = NDArray[np.int8]


_LOADED = np.dtype("i8, i8, i8, f8, i8, ?, ?")
_LOADED.names = ("items", "phenomenon", "part", "confidence", "place", "gone", "authored")


class Filter(msgspec.Struct, frozen=True):
    """Which entries, in which order; empty fields take all.

    ``phenomenon`` may hold several (any of them); ``unsure`` takes those at most so sure; ``part`` is a file of a
    folder; ``per`` and ``seed`` are those of the sample.

    With scores loaded: ``show`` what system ``a`` got wrong or right, what ``a`` got right and ``b`` wrong (flip),
    what any or all got wrong; margins of ``a`` from ``low`` to ``high``; ``sort`` by its margin, worst or best first.
    """

    phenomenon: tuple[str, ...] = ()
    status: str = ""
    unsure: float | None = None
    part: str = ""
    search: str = ""
    order: str = "random"
    seed: int = 1
    per: int = 100
    show: str = ""
    a: int = 0
    b: int = 1
    low: float | None = None
    high: float | None = None
    sort: str = ""


class Index:
    """Columns over all entries, and each annotator's statuses. Entries that are gone are in no view."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.items: Places = np.empty(0, np.int64)
        self.phenomena: dict[str, int] = {}
        self.phenomenon: Places = np.empty(0, np.int64)
        self.parts: dict[str, int] = {}
        self.part: Places = np.empty(0, np.int64)
        self.confidence: NDArray[np.float64] = np.empty(0)
        self.place: Places = np.empty(0, np.int64)
        self.gone: NDArray[np.bool_] = np.empty(0, np.bool_)
        self.authored: NDArray[np.bool_] = np.empty(0, np.bool_)
        self.status: dict[int, Marks] = {}
        self.number: dict[str, int] = {}
        self.version = 0
        self.lock = threading.RLock()
        self._tally: dict[int, list[int]] = {}
        self._orders: dict[tuple[Any, ...], Places] = {}
        self._draws: dict[int, NDArray[np.uint64]] = {}

    def __len__(self) -> int:
        return len(self.keys)

    def load(self, rows: Iterable[Mapping[str, Any]], current: Iterable[tuple[int, int, int]]) -> None:
        """Take in the table of entries, and (annotator, entry, status) of every decision that stands."""
        keys: dict[str, int] = {}
        phenomena: dict[str, int] = {}
        parts: dict[str, int] = {}

        def columns() -> Iterator[tuple[Any, ...]]:
            for row in rows:
                keys[row["key"]] = len(keys)
                yield _values(row, phenomena, parts)

        found = np.fromiter(columns(), _LOADED)
        with self.lock:
            self.keys, self.number, self.phenomena, self.parts = list(keys), keys, phenomena, parts
            for name in _LOADED.names or ():
                setattr(self, name, np.ascontiguousarray(found[name]))
            self.status = {}
            for annotator, entry, status in current:
                self.of(annotator)[entry] = status
            self._draws.clear()
            self._changed()

    def put(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Take in entries that are new or have changed, without looking at the others."""
        with self.lock:
            for row in sorted(rows, key=lambda row: int(row["number"])):
                number = int(row["number"])
                if number == len(self.keys):
                    self.number[row["key"]] = number
                    self.keys.append(row["key"])
                    self._draws = {s: np.append(d, np.uint64(_draw(s, row["key"]))) for s, d in self._draws.items()}
                for name, value in zip(_LOADED.names or (), _values(row, self.phenomena, self.parts), strict=True):
                    column = getattr(self, name)
                    if number == len(column):
                        setattr(self, name, np.append(column, np.array([value], column.dtype)))
                    else:
                        column[number] = value
            self._changed()

    def _changed(self) -> None:
        self.version += 1
        self._orders.clear()
        self._tally.clear()

    def of(self, annotator: int) -> Marks:
        """An annotator's statuses."""
        found = self.status.get(annotator)
        if found is None or len(found) != len(self.keys):
            fresh = np.zeros(len(self.keys), np.int8)
            if found is not None:
                fresh[: len(found)] = found
            found = self.status[annotator] = fresh
        return found

    def mark(self, annotator: int, entry: int, status: int) -> None:
        with self.lock:
            own = self.of(annotator)
            if annotator in self._tally and not self.gone[entry]:
                self._tally[annotator][own[entry]] -= 1
                self._tally[annotator][status] += 1
            own[entry] = status

    def view(self, chosen: Filter, annotator: int, found: Places | None = None) -> Places:
        """The entries of a filter in its order; ``found`` are those with the words searched for."""
        with self.lock:
            keep = ~self.gone
            if chosen.phenomenon:
                codes = [self.phenomena.get(name, -1) for name in chosen.phenomenon]
                keep &= np.isin(self.phenomenon, codes)
            if chosen.part:
                keep &= self.part == self.parts.get(chosen.part, -1)
            if chosen.unsure is not None:
                with np.errstate(invalid="ignore"):
                    keep &= self.confidence <= chosen.unsure
            if chosen.status:
                own = self.of(annotator)
                if chosen.status == "decided":
                    keep &= own != OPEN
                else:
                    keep &= own == STATUS.index(chosen.status)
            if found is not None:
                hits = np.zeros(len(self.keys), np.bool_)
                hits[found] = True
                keep &= hits
            order = self.order(chosen)
            return order[keep[order]]

    def order(self, chosen: Filter) -> Places:
        """All entries in an order that depends on the file and the seed alone; kept, since it costs a sort."""
        name = (chosen.order, chosen.seed, chosen.per if chosen.order == "sample" else 0)
        if name not in self._orders:
            self._orders[name] = self._make_order(chosen)
        return self._orders[name]

    def _make_order(self, chosen: Filter) -> Places:
        if chosen.order == "file":
            return np.argsort(self.place, kind="stable")
        drawn = self._draws.get(chosen.seed)
        if drawn is None:
            drawn = np.array([_draw(chosen.seed, key) for key in self.keys], dtype=np.uint64)
            self._draws[chosen.seed] = drawn
        if chosen.order == "unsure":
            # Those whose maker said nothing come last, among equals at random.
            sure = np.where(np.isnan(self.confidence), np.inf, self.confidence)
            return np.lexsort((drawn, sure))
        order = np.argsort(drawn, kind="stable")
        return self._sample(order, chosen.per) if chosen.order == "sample" else order

    def _sample(self, order: Places, per: int) -> Places:
        """So many of each phenomenon, taken from its parts in turn, as the reading protocol draws them."""
        order = order[~self.gone[order]]
        phenomenon, part = self.phenomenon[order], self.part[order]
        # The turn of an entry: how many of its phenomenon and part come before it.
        turn = np.zeros(len(order), np.int64)
        for group in {(a, b) for a, b in zip(phenomenon.tolist(), part.tolist(), strict=True)}:
            mine = (phenomenon == group[0]) & (part == group[1])
            turn[mine] = np.arange(int(mine.sum()))
        taken: list[Places] = []
        for code in range(len(self.phenomena)):
            mine = np.flatnonzero(phenomenon == code)
            taken.append(mine[np.lexsort((mine, turn[mine]))][:per])
        kept = np.sort(np.concatenate(taken)) if taken else np.empty(0, np.int64)
        return order[kept]

    def counts(self, annotator: int) -> dict[str, int]:
        """How many entries have each status; counted once and kept."""
        with self.lock:
            if annotator not in self._tally:
                own = self.of(annotator)[~self.gone]
                self._tally[annotator] = np.bincount(own, minlength=len(STATUS)).tolist()
            return dict(zip(STATUS, self._tally[annotator], strict=True))

    def readers(self) -> list[int]:
        """Everyone with a decision that stands, but not the adjudicated one."""
        with self.lock:
            return sorted(a for a, own in self.status.items() if a != FINAL and own.any())


def _values(row: Mapping[str, Any], phenomena: dict[str, int], parts: dict[str, int]) -> tuple[Any, ...]:
    """The columns of an entry; phenomena and parts are numbered as they come."""
    phenomenon = phenomena.setdefault(row["phenomenon"], len(phenomena))
    part = parts.setdefault(row["part"], len(parts))
    confidence = np.nan if row["confidence"] is None else row["confidence"]
    return row["item"], phenomenon, part, confidence, row["place"], bool(row["gone"]), bool(row["authored"])


def _draw(seed: int, key: str) -> int:
    """A number that depends on the seed and the key alone."""
    return int.from_bytes(hashlib.blake2b(f"{seed}/{key}".encode(), digest_size=8).digest(), "big")


# Scripts written without blanks: each character is a word of its own.
_CHARACTER = re.compile("([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])")
_WORD = re.compile(r"[\w'’]+")


def searchable(item: Item) -> str:
    """All texts of an item and its id, as the index of words takes them."""
    text = " ".join([*texts(item), item.id])
    return text if text.isascii() else _CHARACTER.sub(r" \1 ", text)


def source_hash(source: str) -> int:
    """A number for a source, to find the same one again."""
    return int.from_bytes(hashlib.blake2b(source.encode(), digest_size=8).digest(), "big", signed=True)


def searched(query: str) -> str:
    """A query for SQLite's full-text search: every word must be there, or one that begins so."""
    found = []
    for word in _WORD.findall(query):
        spaced = " ".join(_CHARACTER.sub(r" \1 ", word).split())
        found.append('"' + spaced.replace('"', "") + '"*')
    return " ".join(found)
