"""Source–target pairs that fit a neighbour better than each other.

Knowledge comes from the suite itself: which words go together in the *other* pairs (Dice coefficient, the pair in
question left out), words and numbers that are the same on both sides, length, and the final question mark. Only a
pair that fits badly is compared with its neighbours: the sentences of its context and the items beside it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from kontrast.io.words import words
from kontrast.suites.lint.finding import Finding, Level, LintCheck, found
from kontrast.suites.model import Suite

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]

MARGIN = 0.3
"""By how much a neighbour must fit better; see docs/lint.md for what this finds and what it costs."""
USUAL = 0.02
"""The share of pairs that a well aligned set of free translations may have here: above it, a warning."""
_FEWEST = 50
_REACH = 2
_MOST = 300
"""A word in more texts than this tells pairs apart badly, and costs time."""
_SUSPECT = 0.2
"""The share of pairs, those of the worst fit, that are looked at."""


class _Side(NamedTuple):
    """One text, prepared: its length in words, the words that tell much if the other side has them, known words."""

    length: int
    telling: frozenset[str]
    ids: Ids
    asks: bool


class _Fit:
    """How well a source and a target fit, by what the suite's pairs have in common."""

    def __init__(self, sources: list[str], targets: list[str]) -> None:
        import numpy as np

        self._np = np
        source_words, target_words = [words(s) for s in sources], [words(t) for t in targets]
        self._source_ids, self._source_df = _vocabulary(source_words)
        self._target_ids, self._target_df = _vocabulary(target_words)
        self.sources = [self._side(t, w, self._source_ids) for t, w in zip(sources, source_words, strict=True)]
        self.targets = [self._side(t, w, self._target_ids) for t, w in zip(targets, target_words, strict=True)]
        unique = dict.fromkeys(zip(sources, targets, strict=True))
        at = {pair: i for i, pair in enumerate(zip(sources, targets, strict=True))}
        pairs = [(self.sources[at[pair]], self.targets[at[pair]]) for pair in unique]
        codes = [self._codes(s.ids, t.ids).ravel() for s, t in pairs]
        self._known, self._counts = np.unique(np.concatenate([np.zeros(0, np.int64), *codes]), return_counts=True)
        ratios = [math.log((t.length + 1) / (s.length + 1)) for s, t in pairs]
        self._usual_ratio = sum(ratios) / len(ratios)
        self._spread = max(0.2, (sum((r - self._usual_ratio) ** 2 for r in ratios) / len(ratios)) ** 0.5)

    def target(self, text: str) -> _Side:
        return self._side(text, words(text), self._target_ids)

    def _side(self, text: str, own: list[str], vocabulary: dict[str, int]) -> _Side:
        telling = frozenset(word for word in own if len(word) > 3 or word.isdigit())
        ids = self._np.array(sorted({vocabulary[word] for word in own if word in vocabulary}), "int64")
        return _Side(len(own), telling, ids, text.rstrip(" \"'”“»«").endswith(("?", "？")))

    def _codes(self, source: Ids, target: Ids) -> Ids:
        codes: Ids = source[:, None] * (len(self._target_df) + 1) + target[None, :]
        return codes

    def __call__(self, source: _Side, target: _Side, *, own: bool = False) -> float:
        """Between about -1 and 1; ``own`` leaves the pair itself out of what is known."""
        np = self._np
        same = len(source.telling & target.telling)
        total = 2.0 * same
        if len(source.ids) and len(target.ids) and len(self._known):
            codes = self._codes(source.ids, target.ids)
            at = np.minimum(np.searchsorted(self._known, codes), len(self._known) - 1)
            count = np.where(self._known[at] == codes, self._counts[at] - own, 0)
            dice = 2 * count / (self._source_df[source.ids][:, None] + self._target_df[target.ids])
            dice[count < 2] = 0
            total += float(dice.max(axis=1).sum() + dice.max(axis=0).sum())
        ratio = math.log((target.length + 1) / (source.length + 1))
        strange: float = min(3.0, abs(ratio - self._usual_ratio) / self._spread)
        fit: float = total / max(4, len(source.ids) + len(target.ids) + 2 * same)
        return fit - 0.05 * strange * strange - (0.1 if source.asks != target.asks else 0.0)


def _vocabulary(texts: list[list[str]]) -> tuple[dict[str, int], Ids]:
    """Words in at least three texts and not in very many, numbered, with how many texts have them."""
    import numpy as np

    counts = Counter(word for text in texts for word in set(text))
    most = max(3, min(len(texts) // 20, _MOST))
    kept = [(word, n) for word, n in counts.items() if 3 <= n <= most]
    return {word: i for i, (word, _) in enumerate(kept)}, np.array([n for _, n in kept], "int64")


def misfits(suite: Suite) -> dict[int, float]:
    """The items whose source fits a neighbouring target better than its own, or the target a source, by how much."""
    items = suite.items
    if len(items) < _FEWEST:
        return {}
    fit = _Fit([item.source for item in items], [item.best.text for item in items])
    own = [fit(source, target, own=True) for source, target in zip(fit.sources, fit.targets, strict=True)]
    bar = sorted(own)[int(_SUSPECT * len(own))]
    result = {}
    for i, item in enumerate(items):
        if own[i] > bar:
            continue
        fits = [own[i]]
        for j in range(max(0, i - _REACH), min(len(items), i + _REACH + 1)):
            if items[j].source != item.source and items[j].best.text != item.best.text:
                fits += [fit(fit.sources[i], fit.targets[j]), fit(fit.sources[j], fit.targets[i])]
        context = item.best.context if item.best.context is not None else item.target_context
        for beside in ((context or ("",))[-1], (item.target_next or ("",))[0]):
            if beside.strip() and beside != item.best.text:
                fits.append(fit(fit.sources[i], fit.target(beside)))
        if max(fits) > own[i] + MARGIN:
            result[i] = max(fits) - own[i]
    return result


def _misaligned(suite: Suite) -> Iterator[Finding]:
    places = misfits(suite)
    level: Level = "warning" if len(places) > USUAL * len(suite.items) else "note"
    message = "in {n} source or target fits a neighbour better than its own counterpart: read them"
    return found("misaligned-pair", level, suite, places, message)


CHECKS = (
    LintCheck(
        "misaligned-pair",
        "warning",
        f"a source or target fits a neighbouring item or sentence better (a note up to {USUAL:.0%} of items; sets of "
        f"{_FEWEST} items or more)",
        _misaligned,
    ),
)
