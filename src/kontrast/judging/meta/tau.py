"""Kendall's tau as ACES computes it, and its weighted score over ten categories (Amrhein et al. 2022)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from kontrast.judging.meta.records import Tau, Taus
from kontrast.judging.verdicts import Verdicts

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
