"""A review that is open: the store, its file, the guidelines, and what the page asks of them."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
import numpy as np

from kontrast.errors import KontrastError
from kontrast.io.files import read_text
from kontrast.options import keywords, records
from kontrast.review import guidelines
from kontrast.review.entries import Texts, fingerprint, is_candidates, read
from kontrast.review.explore import Explored
from kontrast.review.index import ORDERS, STATUS, Filter, Marks, Places
from kontrast.review.intake import Changes, headers, take_in
from kontrast.review.marks import shown
from kontrast.review.options import ReviewOptions
from kontrast.review.store import ReviewDecision, ReviewStore, Verb
from kontrast.suites.formats import load

PAGE = 50
RECENT = 40
VIEWS = 64
"""Views that are kept."""
PAUSE = 300.0
"""Seconds after which a reader is taken to have been away."""


def store_path(path: str | Path) -> Path:
    """Where the review of a file is kept: beside it, or here for a suite that comes by name."""
    place = Path(path)
    if place.exists() or len(place.parts) > 1:
        return place.with_name(f"{place.resolve().name if place.is_dir() else place.name}.review.sqlite")
    return Path(f"{str(path).partition('?')[0].replace(':', '-')}.review.sqlite")


@keywords(ReviewOptions)
def open_review(file: str | Path, *, new: bool = False, **given: Any) -> Review:
    """Open the review of a suite, of candidates, or of a folder of them, with the decisions so far.

    `serve_review` shows it in the browser, `export_review` writes the accepted items; Call ``close`` at the end. With
    ``new`` the file is a new suite, to be written in the app. The options are those of `kontrast review`.

    >>> import tempfile
    >>> review = open_review(Path(tempfile.mkdtemp()) / "mine.jsonl", new=True, pair="en-pt")
    >>> review.store.get("ours")
    'yes'
    >>> review.close()
    """
    [options] = records(given, open_review, ReviewOptions)
    if new:
        from kontrast.review.drafts import begin

        if options.pair is None:
            raise KontrastError("--new needs the languages: --pair en-pt")
        begin(file, options.pair)
    review = Review(file, options)
    if new:
        review.store.put(ours="yes")
    return review


class Review:
    """An open review, for the web application, the exports and the tests."""

    def __init__(self, path: str | Path, options: ReviewOptions = ReviewOptions()) -> None:  # noqa: B008 - frozen
        if options.order not in ORDERS:
            raise KontrastError(f"there is no order {options.order!r}; known: {', '.join(ORDERS)}")
        self.path, self.format, self.pair = path, options.format, options.pair
        named = (options.source_text, options.reference, options.second, options.documents)
        self.texts = Texts(*(Path(name) if name else None for name in named))
        self.guide = read_text(options.guidelines) if options.guidelines is not None else ""
        self.order, self.seed, self.per = options.order, options.seed, options.per
        self._views: dict[Filter, tuple[int, Places, Places]] = {}
        self.store = ReviewStore(options.store if options.store is not None else store_path(path))
        self.changes = self.refresh()
        self.headers = headers(self.store)
        self._stat = self._look()
        self._looked = time.monotonic()
        self._stale = False
        explored = options.scores or options.translations
        self.explored = self._explore(options.scores, options.translations) if explored else None
        self._recent: dict[int, deque[float]] = {}
        for name in ORDERS:
            self.store.index.order(Filter(order=name, seed=self.seed, per=self.per))

    def _explore(self, scores: Sequence[str | Path], translations: Sequence[str | Path]) -> Explored:
        if len(self.headers) != 1 or is_candidates(Path(self.path)):
            raise KontrastError(f"{self.path}: scores and translations need a single suite")
        suite = load(self.path, self.format)
        return Explored(suite, self.store.index, scores, translations)

    def view(self, chosen: Filter, annotator: int) -> Places:
        """The entries of a filter in its order, by the systems' verdicts too."""
        return self._view(chosen, annotator)[0]

    def _view(self, chosen: Filter, annotator: int) -> tuple[Places, Places]:
        """A view and every entry's place in it (-1: not there); kept where it does not depend on decisions."""
        version = self.store.index.version
        kept = self._views.get(chosen)
        if kept is not None and kept[0] == version:
            return kept[1:]
        places = self.store.view(chosen, annotator)
        if self.explored:
            places = self.explored.narrow(places, chosen)
        at = np.full(len(self.store.index), -1, np.int64)
        at[places] = np.arange(len(places))
        if not chosen.status:
            if len(self._views) >= VIEWS:
                self._views.clear()
            self._views[chosen] = version, places, at
        return places, at

    def close(self) -> None:
        self.store.close()

    @property
    def languages(self) -> tuple[str | None, str | None]:
        first = next(iter(self.headers.values()), None)
        return (first.source_language, first.target_language) if first else (None, None)

    def refresh(self) -> Changes:
        """Read the file if it is not what the store holds."""
        found, known = self._fingerprint(), self.store.get("fingerprint")
        if known is not None and (found == known or (found is None and len(self.store.index))):
            return Changes()
        reading = read(self.path, format=self.format, pair=self.pair, texts=self.texts)
        changes = take_in(self.store, reading, found)
        self.headers = headers(self.store)
        self._stat, self._stale = self._look(), False
        return changes

    def _fingerprint(self) -> str | None:
        return fingerprint(self.path, self.format, self.pair, *map(str, msgspec.structs.astuple(self.texts)))

    def _look(self) -> tuple[int, ...] | None:
        """The file's size and time, a cheap sign of change."""
        place = Path(self.path)
        try:
            if place.is_dir():
                return tuple(sorted(p.stat().st_mtime_ns for p in place.iterdir()))
            stat = place.stat()
        except OSError:
            return None
        return stat.st_mtime_ns, stat.st_size

    @property
    def stale(self) -> bool:
        """Has the file changed since it was read? Looked up every other second at most."""
        if time.monotonic() - self._looked > 2:
            self._looked = time.monotonic()
            self._stale = self._look() != self._stat
        return self._stale

    def wrote(self) -> None:
        """The file on the disk is ours again."""
        self.store.put(fingerprint=self._fingerprint() or "")
        self._stat, self._stale = self._look(), False

    def number(self, key: str) -> int:
        found = self.store.index.number.get(key)
        if found is None:
            raise KontrastError(f"there is no entry {key!r}")
        return found

    def about(self, annotator: int | None) -> dict[str, Any]:
        """What the page needs to begin."""
        index = self.store.index
        alive = ~index.gone
        tally = np.bincount(index.phenomenon[alive], minlength=len(index.phenomena)).tolist()
        confident = index.confidence[alive]
        return {
            "name": self.store.get("name"),
            "languages": self.languages,
            "entries": int(alive.sum()),
            "phenomena": [[name, n] for name, n in zip(index.phenomena, tally, strict=False) if n],
            "parts": [part for part in index.parts if part],
            "has_confidence": bool((~np.isnan(confident)).any()),
            "guidelines": guidelines.tree(self.guide or guidelines.built_in()),
            "built_in": not self.guide,
            "reasons": guidelines.reasons(self.guide),
            "order": self.order,
            "seed": self.seed,
            "per": self.per,
            "statuses": STATUS,
            "counts": index.counts(annotator) if annotator is not None else None,
        }

    def card(self, number: int, annotator: int, chosen: Filter) -> dict[str, Any]:
        """An entry as the page shows it, with this annotator's own decision and its place in the view."""
        own = self.store.current(number, annotator)
        card = shown(self.store.entry(number), own.text if own else None)
        return card | {"number": number, "own": own} | self.place(number, annotator, chosen)

    def place(self, number: int, annotator: int, chosen: Filter) -> dict[str, Any]:
        """Where an entry stands in a view, its neighbours there, and the reader's progress."""
        index = self.store.index
        view, places = self._view(chosen, annotator)
        here = bool(places[number] >= 0)
        at = int(places[number]) if here else self._rank(view, number, chosen)
        after, own = at + here, index.of(annotator)
        waiting = _open(view[after:], own)
        if waiting is None:
            waiting = _open(view[:at], own)
        return {
            "place": at + 1 if here else None,
            "total": len(view),
            "previous": index.keys[view[at - 1]] if at > 0 else None,
            "next": index.keys[view[after]] if after < len(view) else None,
            "waiting": index.keys[waiting] if waiting is not None else None,
            "counts": index.counts(annotator),
            "seconds_left": self._left(annotator),
        }

    def _rank(self, view: Places, number: int, chosen: Filter) -> int:
        """Where an entry would stand in a view that it is not, or no longer, in."""
        order = self.store.index.order(chosen)
        rank = np.full(len(self.store.index), len(order), np.int64)
        rank[order] = np.arange(len(order))
        return 0 if chosen.sort else int(np.searchsorted(rank[view], rank[number]))

    def first(self, annotator: int, chosen: Filter) -> int | None:
        """The first entry of a view that waits for a decision, else the first."""
        view = self.view(chosen, annotator)
        waiting = _open(view, self.store.index.of(annotator))
        return waiting if waiting is not None else int(view[0]) if len(view) else None

    def decide(self, number: int, annotator: int, verb: Verb, **said: Any) -> ReviewDecision | None:
        """Keep a decision; a text that is the candidate's own is no change."""
        text = said.get("text")
        if text is not None:
            text = " ".join(text.splitlines())
            entry = self.store.entry(number)
            if not text.strip():
                raise KontrastError("the candidate is empty: answer No instead")
            if text == entry.item.best.text:
                raise KontrastError("the candidate equals the reference, so no scorer can distinguish them")
            said["text"] = text if text != entry.candidate else None
        elif verb == "accept":
            entry = self.store.entry(number)
            if entry.candidate == entry.item.best.text:
                raise KontrastError("the candidate equals the reference: edit it or answer No")
        made = self.store.decide(number, annotator, verb, **said)
        seconds = said.get("seconds")
        if seconds is not None and 0 < seconds < PAUSE:
            self._recent.setdefault(annotator, deque(maxlen=RECENT)).append(seconds)
        return made

    def _left(self, annotator: int) -> float | None:
        """Seconds that the rest will take at the reader's recent pace; None before five decisions."""
        recent = self._recent.get(annotator, ())
        if len(recent) < 5:
            return None
        return median(recent) * self.store.index.counts(annotator)["open"]


def _open(view: Places, own: Marks) -> int | None:
    """The first entry of a view without a decision. Most are found at once, so it is looked at piece by piece."""
    for start in range(0, len(view), 4096):
        piece = view[start : start + 4096]
        found = np.flatnonzero(own[piece] == 0)
        if len(found):
            return int(piece[found[0]])
    return None
