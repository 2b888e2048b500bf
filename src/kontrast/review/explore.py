"""What systems made of a suite: verdicts and margins beside the entries, as `evaluate` and `check` judge them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from kontrast.errors import KontrastError
from kontrast.judging.check import judge_translations
from kontrast.judging.check_records import CheckedItem
from kontrast.judging.signatures import check_suite
from kontrast.judging.systems import names_of, read_translations
from kontrast.judging.verdicts import Verdicts, judge
from kontrast.judging.written import by_decision
from kontrast.review.entries import ReviewEntry, entries_of, unique
from kontrast.review.index import Filter, Index, Places
from kontrast.review.marks import changed
from kontrast.suites.model import Scores, Suite
from kontrast.suites.packed import shape_of
from kontrast.suites.scores import read_scores

BINS = 24


class Explored:
    """Score files and translations of one suite, by the entries of its review."""

    def __init__(
        self, suite: Suite, index: Index, scores: Sequence[str | Path] = (), translations: Sequence[str | Path] = ()
    ) -> None:
        self.suite, self.index = suite, index
        self.scores = [read_scores(path, suite, tokens=True) for path in scores]
        for one in self.scores:
            check_suite(suite, one)
        self.verdicts: list[Verdicts] = [judge(suite, one) for one in self.scores]
        self.systems = _named(self.scores)
        encode = msgspec.json.encode
        self.tokens = [[encode(row) for row in one.tokens] if one.tokens else None for one in self.scores]
        self.scores = [msgspec.structs.replace(one, tokens=None) for one in self.scores]
        self.texts = [(Path(path).name, read_translations(path, suite)) for path in translations]
        self.checked = [_checked(suite, lines, name) for name, lines in self.texts]
        self.first_row = np.concatenate(([0], np.cumsum(shape_of(suite.items)[0])))
        self._join()

    def _join(self) -> None:
        """For every entry the decision that it belongs to; for every decision the entry that stands for it."""
        size = len(self.index)
        self.item: Places = np.full(size, -1, np.int64)
        self.decision: Places = np.full(size, -1, np.int64)
        decided: dict[tuple[int, int], int] = {}
        if self.verdicts:
            decisions = self.verdicts[0].decisions
            pairs = zip(decisions.item.tolist(), decisions.variant.tolist(), strict=True)
            decided = {pair: number for number, pair in enumerate(pairs)}
        sizes, _ = shape_of(self.suite.items)
        places = np.repeat(np.arange(len(sizes)), np.maximum(sizes - 1, 1)).tolist()
        for at, entry in zip(places, unique(entries_of(self.suite)), strict=True):
            number = self.index.number.get(entry.key)
            if number is None:
                continue
            self.item[number] = at
            variant = -1 if entry.variant is None else entry.variant
            self.decision[number] = decided.get((at, -1), decided.get((at, variant), -1))
        self._seen = -1
        self._follow()

    def _derive(self) -> None:
        _, first = np.unique(self.decision, return_index=True)
        self.leads = np.zeros(len(self.decision), np.bool_)
        self.leads[first] = True
        self.leads &= self.decision >= 0
        self.margins = [self._spread(v.margin) for v in self.verdicts]
        self.wrong = [self._spread((v.credit < 1).astype(np.float64)) == 1 for v in self.verdicts]
        self.right = [self._spread((v.margin > 0).astype(np.float64)) == 1 for v in self.verdicts]

    def _follow(self) -> None:
        """Items written or changed in the app have no scores: those on file are for another text."""
        if self._seen == self.index.version:
            return
        self._seen = self.index.version
        new = len(self.index) - len(self.decision)
        self.item, self.decision = (np.append(old, np.full(new, -1)) for old in (self.item, self.decision))
        self.item[self.index.authored] = self.decision[self.index.authored] = -1
        self._derive()

    def _spread(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        found = np.full(len(self.decision), np.nan)
        known = self.decision >= 0
        found[known] = values[self.decision[known]]
        return found

    def narrow(self, places: Places, chosen: Filter) -> Places:
        """Of these entries those that the filter's systems got right or wrong, sorted by margin where asked."""
        if not self.verdicts or not (chosen.show or chosen.sort or chosen.low is not None or chosen.high is not None):
            return places
        self._follow()
        a = self._system(chosen.a)
        keep = self.leads[places]
        if chosen.show == "wrong":
            keep &= self.wrong[a][places]
        elif chosen.show == "right":
            keep &= self.right[a][places]
        elif chosen.show == "flip":
            b = self._system(chosen.b if chosen.b != chosen.a else int(chosen.a == 0))
            keep &= self.right[a][places] & self.wrong[b][places]
        elif chosen.show == "any":
            keep &= np.any([wrong[places] for wrong in self.wrong], axis=0)
        elif chosen.show == "all":
            keep &= np.all([wrong[places] for wrong in self.wrong], axis=0)
        margin = self.margins[a][places]
        with np.errstate(invalid="ignore"):
            if chosen.low is not None:
                keep &= margin >= chosen.low
            if chosen.high is not None:
                keep &= margin < chosen.high
        places, margin = places[keep], margin[keep]
        if chosen.sort:
            order = np.argsort(margin if chosen.sort == "worst" else -margin, kind="stable")
            return places[order]
        return places

    def _system(self, number: int) -> int:
        if number >= len(self.verdicts):
            raise KontrastError(f"there is no system {number}: {len(self.verdicts)} are loaded")
        return number

    def charts(self, places: Places, chosen: Filter) -> dict[str, Any]:
        """Accuracy by phenomenon and the distribution of margins, of the decisions among these entries."""
        self._follow()
        shown = places[self.leads[places]]
        codes, decided = self.index.phenomenon[shown], self.decision[shown]
        size = len(self.index.phenomena)
        counted = [_counted(v, codes, decided, size) for v in self.verdicts]
        named = [(name, code) for name, code in self.index.phenomena.items() if counted[0]["items"][code]]
        named.sort(key=lambda each: -int(counted[0]["items"][each[1]]))
        groups = [{"name": name, "systems": [_at(each, code) for each in counted]} for name, code in named]
        whole = np.zeros(len(shown), np.int64)
        total = [_at(_counted(v, whole, decided, 1), 0) for v in self.verdicts]
        a = self._system(chosen.a)
        margins = self.margins[a][shown]
        low, high = np.quantile(margins, [0.01, 0.99]) if len(margins) else (0.0, 1.0)
        edges = np.linspace(min(low, 0), max(high, 0) or 1, BINS + 1)
        # Zero is an edge, so that no bar holds both right and wrong.
        edges = np.unique(np.concatenate((edges[np.abs(edges) > (edges[1] - edges[0]) / 2], [0.0])))
        # The outermost bars hold all that lies beyond.
        counts, _ = np.histogram(np.clip(margins, edges[0], edges[-1]), edges)
        return {
            "groups": groups,
            "total": total,
            "edges": edges.tolist(),
            "histogram": counts.tolist(),
            "system": self.systems[a]["name"],
        }

    def row(self, number: int) -> list[dict[str, Any]]:
        """Each system's margin on an entry's decision, for the list."""
        self._follow()
        if self.decision[number] < 0:
            return []
        return [
            {"margin": float(margin[number]), "right": bool(right[number])}
            for margin, right in zip(self.margins, self.right, strict=True)
        ]

    def of(self, number: int, entry: ReviewEntry) -> dict[str, Any] | None:
        """Every variant's score by every system, their tokens, and the translations."""
        self._follow()
        at = int(self.item[number])
        if at < 0:
            return None
        item = self.suite.items[at]
        rows = range(int(self.first_row[at]), int(self.first_row[at + 1]))
        variants = [
            {
                "text": variant.text,
                "pieces": changed(item.best.text, variant.text)[1],
                "correct": i == item.correct,
                "here": i == entry.variant,
                "scores": [one.values[row] for one in self.scores],
                "tokens": [msgspec.json.decode(t[row]) if t is not None else None for t in self.tokens],
            }
            for i, (variant, row) in enumerate(zip(item.variants, rows, strict=True))
        ]
        translations = [
            {
                "system": name,
                "pieces": changed(item.best.text, lines[at])[1],
                "verdict": said[at, -1 if entry.variant is None else entry.variant].verdict if said else None,
            }
            for (name, lines), said in zip(self.texts, self.checked, strict=True)
        ]
        return {"variants": variants, "margins": self.row(number), "translations": translations}


def _counted(verdicts: Verdicts, codes: Places, decided: Places, size: int) -> dict[str, NDArray[np.float64]]:
    """Sums of what `Verdicts.counts` counts, for each code at once."""
    credit, tied = verdicts.credit[decided], verdicts.tied[decided]
    weights = {
        "items": np.ones(len(codes)),
        "credit": credit,
        "right": (credit == 1.0) & ~tied,
        "ties": tied,
        "chance": verdicts.decisions.chance[decided],
    }
    return {name: np.bincount(codes, each, minlength=size).astype(np.float64) for name, each in weights.items()}


def _at(counted: dict[str, NDArray[np.float64]], code: int) -> dict[str, Any]:
    items, right, ties = (int(counted[name][code]) for name in ("items", "right", "ties"))
    return {
        "items": items,
        "right": right,
        "wrong": items - right - ties,
        "ties": ties,
        "accuracy": float(counted["credit"][code]) / max(1, items),
        "chance": float(counted["chance"][code]) / max(1, items),
    }


def _named(scores: Sequence[Scores]) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "context": one.signature.context if one.signature else None,
            "lower": one.lower_is_better,
            "signature": str(one.signature or ""),
        }
        for name, one in zip(names_of(scores), scores, strict=True)
    ]


def _checked(suite: Suite, lines: Sequence[str], name: str) -> dict[tuple[int, int], CheckedItem]:
    """What `check` says of each item's translation; nothing where it cannot decide this suite."""
    try:
        return by_decision(suite, judge_translations(suite, lines, system=name))
    except KontrastError:
        return {}
