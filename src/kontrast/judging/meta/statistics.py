"""Tie calibration as in WMT's meta-evaluation: from which difference on does a metric mean what it says?

Pairwise accuracy with ties (Deutsch, Foster and Freitag 2023): a pair of translations of one source counts as right
where metric and gold agree that the first is better, that the second is, or that they are level. The metric's
differences up to ``epsilon`` are ties; of all thresholds the one with the highest accuracy is taken.

Do two metrics decide the same way? Agreement of outcomes, Cohen's kappa, and correlation of margins.

Kendall's tau as ACES computes it, and its weighted score over ten categories (Amrhein et al. 2022).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from kontrast.judging.correlation.statistics import pearson, spearman
from kontrast.judging.decisions import Floats
from kontrast.judging.meta.records import Calibration, MetricAgreement, Tau, Taus
from kontrast.judging.meta.sensitivity import SEVERITIES
from kontrast.judging.verdicts import Verdicts
from kontrast.suites.model import Suite


def calibration_of(suite: Suite, values: Floats) -> Calibration | None:
    """Calibrate on a suite: translations of one source (with the same references) are compared with each other.

    Gold: the correct one is best, then by severity of the error (all errors are level where the suite has none).
    Errors without a place in that order (DEMETR's "base") are left out where others have one.
    """
    groups: dict[tuple[str, tuple[str, ...]], dict[str, tuple[int, float]]] = {}
    severe = any(item.tags.get("severity") in SEVERITIES for item in suite.items)
    for row, value in zip(suite.rows(), values.tolist(), strict=True):
        item = row.item
        rank = 0
        if row.variant_index != item.correct:
            severity = row.variant.tags.get("severity", item.tags.get("severity"))
            if severe and severity not in SEVERITIES:
                continue
            rank = 1 + SEVERITIES.index(severity) if severe else 1
        key = (item.source, tuple(reference.text for reference in item.references))
        groups.setdefault(key, {}).setdefault(row.variant.text, (rank, value))
    gold, metric = [], []
    for texts in groups.values():
        for (rank_a, a), (rank_b, b) in combinations(texts.values(), 2):
            gold.append(np.sign(rank_b - rank_a))
            metric.append(a - b)
    return calibrate(np.array(gold, dtype=np.float64), np.array(metric)) if gold else None


def calibrate(gold: Floats, metric: Floats) -> Calibration:
    """The best threshold for differences whose gold sign (1, -1, or 0 for a tie) is known.

    >>> result = calibrate(np.array([1.0, 1.0, 0.0]), np.array([3.0, 2.0, 0.5]))
    >>> result.epsilon, result.accuracy, result.accuracy_at_zero
    (0.5, 1.0, 0.6666666666666666)
    """
    size, order = np.abs(metric), np.argsort(np.abs(metric), kind="stable")
    right = (np.sign(metric) == gold) & (gold != 0)
    level = gold == 0
    # With the k smallest differences tied: gold ties among them and right orders among the others are right.
    tied = np.concatenate(([0], np.cumsum(level[order])))
    kept = int(right.sum()) - np.concatenate(([0], np.cumsum(right[order])))
    correct = tied + kept
    ordered = size[order]
    # Differences of equal size tie together; a difference of 0 always does.
    ends = np.flatnonzero(np.concatenate((ordered[1:] > ordered[:-1], [True]))) + 1
    zeros = int((ordered == 0).sum())
    choices = [zeros, *(int(end) for end in ends if end > zeros)]
    best = max(choices, key=lambda k: (correct[k], -k))
    epsilon = float(ordered[best - 1]) if best else 0.0
    count = len(metric)
    return Calibration(epsilon, float(correct[best] / count), float(correct[zeros] / count), count, int(level.sum()))


def agreements(names: Sequence[str], verdicts: Sequence[Verdicts]) -> tuple[MetricAgreement, ...]:
    """Every pair of metrics."""
    rows = []
    for i, j in combinations(range(len(names)), 2):
        one, other = _outcomes(verdicts[i]), _outcomes(verdicts[j])
        same = float((one == other).mean())
        expected = sum(float((one == k).mean() * (other == k).mean()) for k in (-1, 0, 1))
        rows.append(
            MetricAgreement(
                names[i],
                names[j],
                len(one),
                same,
                (same - expected) / (1 - expected) if expected < 1 else None,
                pearson(verdicts[i].margin, verdicts[j].margin),
                spearman(verdicts[i].margin, verdicts[j].margin),
            )
        )
    return tuple(rows)


def _outcomes(verdicts: Verdicts) -> Floats:
    """1 right, -1 wrong, 0 tied."""
    return np.where(verdicts.tied, 0.0, np.sign(verdicts.margin))


WEIGHTS = {
    "addition": 5.0,
    "omission": 5.0,
    "mistranslation": 5.0,
    "untranslated": 1.0,
    "do not translate": 1.0,
    "overtranslation": 5.0,
    "undertranslation": 5.0,
    "real-world knowledge": 1.0,
    "wrong language": 1.0,
    "punctuation": 0.1,
}
"""ACES-score: the sum of the categories' taus with these weights; at most 29.1."""

_WHOLE = {
    "addition": "addition",
    "omission": "omission",
    "copy-source": "untranslated",
    "untranslated-vs-ref-word": "untranslated",
    "untranslated-vs-synonym": "untranslated",
    "do-not-translate": "do not translate",
    "hyponym-replacement": "overtranslation",
    "hypernym-replacement": "undertranslation",
    "antonym-replacement": "real-world knowledge",
    "commonsense-only-ref-ambiguous": "real-world knowledge",
    "commonsense-src-and-ref-ambiguous": "real-world knowledge",
    "coreference-based-on-commonsense": "mistranslation",
    "lexical-overlap": "mistranslation",
    "nonsense": "mistranslation",
    "ordering-mismatch": "mistranslation",
}
_BEGINNINGS = {
    "real-world-knowledge-": "real-world knowledge",
    "similar-language-": "wrong language",
    "punctuation:": "punctuation",
    "ambiguous-translation-": "mistranslation",
    "anaphoric_": "mistranslation",
    "hallucination-": "mistranslation",
    "modal_verb:": "mistranslation",
    "overly-literal-": "mistranslation",
    "pleonastic_it:": "mistranslation",
    "xnli-": "mistranslation",
}


def category_of(phenomenon: str) -> str | None:
    """The category of one of ACES' 68 phenomena; None for any other.

    >>> category_of("hallucination-date-time"), category_of("np_agreement")
    ('mistranslation', None)
    """
    begun = (category for begin, category in _BEGINNINGS.items() if phenomenon.startswith(begin))
    return _WHOLE.get(phenomenon) or next(begun, None)


def taus(verdicts: Verdicts, phenomena: Iterable[str | None]) -> Taus:
    """In total, by phenomenon, by category (the mean over its phenomena), and summed up."""
    names = np.array([name or "" for name in phenomena], dtype=object)
    known = sorted({str(name) for name in names} - {""})
    by_phenomenon = tuple(_tau(name, verdicts, names == name) for name in known)
    categories: dict[str, list[float]] = {}
    for tau in by_phenomenon:
        category = category_of(tau.label)
        if category is not None:
            categories.setdefault(category, []).append(tau.tau)
    means = {name: float(np.mean(categories[name])) for name in WEIGHTS if name in categories}
    partial = float(sum(WEIGHTS[name] * value for name, value in means.items())) if means else None
    return Taus(
        total=_tau("total", verdicts, np.ones(len(names), dtype=bool)),
        phenomena=by_phenomenon if len(by_phenomenon) > 1 else (),
        categories=means,
        aces=partial if len(means) == len(WEIGHTS) else None,
        partial=partial,
        reach=float(sum(WEIGHTS[name] for name in means)) if means else None,
    )


def _tau(label: str, verdicts: Verdicts, chosen: NDArray[np.bool_]) -> Tau:
    margin, tied = verdicts.margin[chosen], verdicts.tied[chosen]
    pairs, concordant = len(margin), int(((margin > 0) & ~tied).sum())
    discordant = pairs - concordant
    tau = (concordant - discordant) / pairs if pairs else 0.0
    return Tau(label, pairs, concordant, discordant, int(tied.sum()), tau)
