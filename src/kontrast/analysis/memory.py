"""Was the suite in the training data? Items against their twins, Min-K% per token, completion of the second half."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from statistics import NormalDist
from typing import Any, Literal, Unpack

import msgspec
import numpy as np

from kontrast.analysis.means import Mean, mean_of
from kontrast.analysis.options import MemoryTest
from kontrast.errors import KontrastError
from kontrast.judging.clusters import clusters_of
from kontrast.judging.correlation.statistics import area
from kontrast.judging.floats import Floats
from kontrast.judging.wording import explained
from kontrast.options import filled
from kontrast.record import Record
from kontrast.suites.model import Item, Scores, Suite, TokenScores

MemoryVerdict = Literal["remembers it", "no sign of memory", "undecided"]


class UnseenComparison(msgspec.Struct, frozen=True):
    """Min-K% of this suite beside that of one which the model cannot have seen.

    ``auc``: how often an item of this suite is more likely than one of the other (.5: no difference).
    """

    suite: str
    items: int
    auc: float
    low: float
    high: float


class Memory(Record, frozen=True):
    """Items compared with their twins, in bits per common token: Min-K% (``least``) and the mean (``whole``).

    ``completion``: the share of words of the second half that the model completes, items minus twins.
    """

    suite: str
    system: str
    items: int
    twins: int
    k: float
    natural: float
    """Bits that an item may be ahead without having been seen."""
    verdict: MemoryVerdict
    shows: str
    p: float | None
    """One-sided, of Min-K% being ahead by no more than ``natural``."""
    least: Mean | None
    whole: Mean | None
    completion: Mean | None
    completed: float | None
    completed_twins: float | None
    against: UnseenComparison | None
    ahead: tuple[tuple[str, float], ...]
    """Each item and its bits per token ahead of its twin by Min-K%, the furthest first."""
    notes: tuple[str, ...] = ()

    def _rows(self) -> list[dict[str, Any]]:
        return [{"item": item, "bits": bits} for item, bits in self.ahead]


def memory(
    suite: Suite,
    twins: Mapping[int, Item],
    own: Scores,
    twin_scores: Scores,
    *,
    other: tuple[Scores, Suite, Scores] | None = None,
    completions: Mapping[int, tuple[float, float]] | None = None,
    **options: Unpack[MemoryTest],
) -> Memory:
    """From a row of scores a twin, in order: of the item's correct variant (``own``), and of the twin's.

    ``other``: scores of all correct variants of the suite, another suite, and scores of its correct variants.
    ``completions`` has, by item, the share of the second half that was reproduced, of the item and of its twin.
    """
    asked = filled(MemoryTest, options, memory)
    k, natural, level = asked["k"], asked["natural"], asked["level"]
    order = list(twins)
    shared = [_shared_tokens(a, b) for a, b in zip(_tokens(own), _tokens(twin_scores), strict=True)]
    kept = [index for index, pair in zip(order, shared, strict=True) if pair is not None]
    pairs = [pair for pair in shared if pair is not None]
    clusters = clusters_of(suite, np.array(kept, dtype=np.int64))
    ahead = np.array([least_likely(a, k) - least_likely(b, k) for a, b in pairs], dtype=np.float64)
    whole = np.array([least_likely(a, 1) - least_likely(b, 1) for a, b in pairs], dtype=np.float64)
    verdict, p = _verdict(mean_of(ahead - natural, clusters, level=level), asked["alpha"])
    completion = completed = completed_twins = None
    if completions:
        written = np.array(list(completions.values()), dtype=np.float64)
        of = clusters_of(suite, np.array(list(completions), dtype=np.int64))
        completion = mean_of(written[:, 0] - written[:, 1], of, level=level)
        completed, completed_twins = float(written[:, 0].mean()), float(written[:, 1].mean())
    against = None
    if other is not None:
        against = _against(_each(other[0], k), other[1], _each(other[2], k), level)
    single = sorted(zip(kept, ahead.tolist(), strict=True), key=lambda pair: -pair[1])
    lost = len(order) - len(kept)
    return Memory(
        suite=suite.name,
        system=own.system,
        items=len(suite.items),
        twins=len(order),
        k=k,
        natural=natural,
        verdict=verdict,
        shows=explained("memory")[verdict],
        p=p,
        least=mean_of(ahead, clusters, level=level),
        whole=mean_of(whole, clusters, level=level),
        completion=completion,
        completed=completed,
        completed_twins=completed_twins,
        against=against,
        ahead=tuple((suite.items[i].id, bits) for i, bits in single),
        notes=(f"{lost:,} twins have no token in common with their items and are left out",) if lost else (),
    )


def _verdict(beyond: Mean | None, alpha: float) -> tuple[MemoryVerdict, float | None]:
    """From the mean of what is ahead beyond what is natural: a one-sided test."""
    if beyond is None or beyond.undecided is not None:
        return "undecided", None
    p = beyond.p / 2 if beyond.value > 0 else 1 - beyond.p / 2
    return ("remembers it" if p <= alpha else "no sign of memory"), p


def least_likely(logprobs: Sequence[float], k: float) -> float:
    """Min-K%: the mean of the least likely share ``k`` of tokens, in bits."""
    ordered = sorted(logprobs)[: max(1, math.ceil(k * len(logprobs)))]
    return math.fsum(ordered) / len(ordered) / math.log(2)


def _tokens(scores: Scores) -> Sequence[TokenScores]:
    if scores.tokens is None:
        raise KontrastError(
            f"{scores.system} gives no log-probabilities of tokens: use an engine that does (hf, ct2 …)"
        )
    return scores.tokens


def _each(scores: Scores, k: float) -> Floats:
    return np.array([least_likely(row.logprobs, k) for row in _tokens(scores)], dtype=np.float64)


def _shared_tokens(one: TokenScores, other: TokenScores) -> tuple[list[float], list[float]] | None:
    """The log-probabilities of the tokens that both have: a changed name is rarer or not, whatever was learnt."""
    blocks = SequenceMatcher(None, one.tokens, other.tokens, autojunk=False).get_matching_blocks()
    first = [p for block in blocks for p in one.logprobs[block.a : block.a + block.size]]
    second = [p for block in blocks for p in other.logprobs[block.b : block.b + block.size]]
    return (first, second) if first else None


def _against(own: Floats, suite: Suite, other: Floats, level: float) -> UnseenComparison:
    """With the interval of Hanley and McNeil (1982)."""
    auc, n, m = area(own, other), len(own), len(other)
    q1, q2 = auc / (2 - auc), 2 * auc**2 / (1 + auc)
    variance = (auc * (1 - auc) + (n - 1) * (q1 - auc**2) + (m - 1) * (q2 - auc**2)) / (n * m)
    half = NormalDist().inv_cdf((1 + level) / 2) * math.sqrt(max(0.0, variance))
    return UnseenComparison(suite.name, m, auc, max(0.0, auc - half), min(1.0, auc + half))


def halves(text: str) -> tuple[str, str]:
    """A sentence cut in two at a blank."""
    words = text.split()
    middle = len(words) // 2
    return " ".join(words[:middle]), " ".join(words[middle:])


def reproduced(written: str, expected: str) -> float:
    """The share of the expected words that were written, from the first on, before the first difference."""
    found, wanted = written.split(), expected.split()
    same = 0
    while same < min(len(found), len(wanted)) and found[same] == wanted[same]:
        same += 1
    return same / max(1, len(wanted))
