"""Source–target pairs that fit a neighbour better than each other.

Knowledge comes from the suite itself: which words go together in the *other* pairs (Dice coefficient, the pair in
question left out), words and numbers that are the same on both sides, length, and the final question mark. Only a
pair that fits badly is compared with its neighbours: the sentences of its context and the items beside it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from kontrast.suites.lint.finding import Check, Finding, found, words_of
from kontrast.suites.model import Suite

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]

MARGIN = 0.2
"""By how much a neighbour must fit better; see docs/lint.md for what this finds and what it costs."""
_FEWEST = 50
_REACH = 2
_SUSPECT = 0.2
"""The share of pairs, those of the worst fit, that are looked at."""


class _Fit:
    """How well a source and a target fit, by what the suite's pairs have in common."""

    def __init__(self, sources: list[list[str]], targets: list[list[str]]) -> None:
        import numpy as np

        self._np = np
        self._source_ids, self._source_df = _vocabulary(sources)
        self._target_ids, self._target_df = _vocabulary(targets)
        self._wide = len(self._target_df) + 1
        pairs = dict.fromkeys((tuple(s), tuple(t)) for s, t in zip(sources, targets, strict=True))
        codes = [self._codes(self.source_ids(s), self.target_ids(t)).ravel() for s, t in pairs]
        self._known, self._counts = np.unique(np.concatenate([np.zeros(0, np.int64), *codes]), return_counts=True)
        ratios = [math.log((len(t) + 1) / (len(s) + 1)) for s, t in pairs]
        self._usual_ratio = sum(ratios) / len(ratios)
        self._spread = max(0.2, (sum((r - self._usual_ratio) ** 2 for r in ratios) / len(ratios)) ** 0.5)

    def source_ids(self, words: list[str] | tuple[str, ...]) -> Ids:
        return self._np.array(sorted({self._source_ids[w] for w in words if w in self._source_ids}), "int64")

    def target_ids(self, words: list[str] | tuple[str, ...]) -> Ids:
        return self._np.array(sorted({self._target_ids[w] for w in words if w in self._target_ids}), "int64")

    def _codes(self, source: Ids, target: Ids) -> Ids:
        codes: Ids = source[:, None] * self._wide + target[None, :]
        return codes

    def __call__(self, source: list[str], target: list[str], *, own: bool) -> float:
        """Between about -1 and 1; ``own`` leaves the pair itself out of what is known."""
        np = self._np
        same = {w for w in set(source) & set(target) if len(w) > 3 or w.isdigit()}
        s = self.source_ids([w for w in source if w not in same])
        t = self.target_ids([w for w in target if w not in same])
        total = 2.0 * len(same)
        if len(s) and len(t):
            codes = self._codes(s, t)
            at = np.searchsorted(self._known, codes).clip(max=len(self._known) - 1)
            count = np.where(self._known[at] == codes, self._counts[at], 0) - (1 if own else 0)
            dice = np.where(count > 1, 2 * count / (self._source_df[s][:, None] + self._target_df[t][None, :]), 0)
            total += float(dice.max(axis=1).sum() + dice.max(axis=0).sum())
        ratio = math.log((len(target) + 1) / (len(source) + 1))
        strange = min(3.0, abs(ratio - self._usual_ratio) / self._spread)
        return total / max(4, len(s) + len(t) + 2 * len(same)) - 0.05 * strange**2


def _vocabulary(texts: list[list[str]]) -> tuple[dict[str, int], Ids]:
    """Words in at least three texts and at most a twentieth of them, numbered, with how many texts have them."""
    import numpy as np

    counts = Counter(word for words in texts for word in set(words))
    most = max(3, len(texts) // 20)
    kept = [(word, n) for word, n in counts.items() if 3 <= n <= most]
    return {word: i for i, (word, _) in enumerate(kept)}, np.array([n for _, n in kept], "int64")


def _asks(text: str) -> bool:
    return text.rstrip(" \"'”“»«").endswith(("?", "？"))


def misfits(suite: Suite) -> dict[int, float]:
    """The items whose source fits a neighbouring target better than its own, or the target a source, by how much."""
    items = suite.items
    if len(items) < _FEWEST:
        return {}
    sources = [words_of(item.source) for item in items]
    targets = [words_of(item.best.text) for item in items]
    fit = _Fit(sources, targets)
    own = [
        _score(fit, i.source, s, i.best.text, t, own=True) for i, s, t in zip(items, sources, targets, strict=True)
    ]
    bar = sorted(own)[int(_SUSPECT * len(own))]
    result = {}
    for i, item in enumerate(items):
        if own[i] > bar:
            continue
        best = -1.0
        for j in range(max(0, i - _REACH), min(len(items), i + _REACH + 1)):
            other = items[j]
            if other.source != item.source and other.best.text != item.best.text:
                best = max(
                    best,
                    _score(fit, item.source, sources[i], other.best.text, targets[j]),
                    _score(fit, other.source, sources[j], item.best.text, targets[i]),
                )
        context = item.best.context if item.best.context is not None else item.target_context
        for beside in [(context or ("",))[-1], (item.target_next or ("",))[0]]:
            if beside.strip() and beside != item.best.text:
                best = max(best, _score(fit, item.source, sources[i], beside, words_of(beside)))
        if best > own[i] + MARGIN:
            result[i] = best - own[i]
    return result


def _score(
    fit: _Fit, source: str, source_words: list[str], target: str, target_words: list[str], own: bool = False
) -> float:
    return fit(source_words, target_words, own=own) - (0.1 if _asks(source) != _asks(target) else 0.0)


def _misaligned(suite: Suite) -> Iterator[Finding]:
    message = "in {n} source or target fits a neighbour better than its own counterpart: read them"
    return found("misaligned-pair", "warning", suite, misfits(suite), message)


CHECKS = (
    Check(
        "misaligned-pair",
        "warning",
        f"a source or target fits a neighbouring item or sentence better (sets of {_FEWEST} items or more)",
        _misaligned,
    ),
)
