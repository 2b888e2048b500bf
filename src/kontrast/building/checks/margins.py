"""A model's opinion of foils: how much likelier it finds the reference moves the judge's confidence."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import msgspec

from kontrast.suites.model import Item, Suite, Variant

PER_NAT, MOST = 0.1, 4.0
"""What a nat between reference and foil adds to the log odds, and the nats that count at most.

Of 0, 0.05, 0.1, 0.2 and 0.5, 0.05 and 0.1 fit readers' verdicts on 1,050 French foils best, with OPUS-MT as judge
(log loss 626; 630 without a judge, 753 with 0.5): a model finds many sound foils likely, above all omissions.
"""
_UNJUDGED = 0.9


def judged_by(suite: Suite, values: Sequence[float], least: float) -> Suite:
    """The suite with the tag ``margin`` (nats that the foil is less likely than the reference) and the confidence
    that it moves, without foils that are less sure than ``least`` then; ``values`` are the scores of its rows.

    >>> from kontrast.suites.model import Item, Variant
    >>> foils = (Variant("ein Hund"), Variant("eine Hund"), Variant("der Hund"))
    >>> found = judged_by(Suite("two", (Item("1", "a dog", foils),)), [2.0, 6.0, 1.0], 0.9)
    >>> [(foil.text, foil.tags["margin"], foil.tags["confidence"]) for foil in found.items[0].variants[1:]]
    [('eine Hund', 4.0, 0.931)]
    """
    items = []
    for item, foils in _beside_reference(suite, values):
        kept = [item.variants[0]]
        for foil, margin in foils:
            sure = _moved(float(str(foil.tags.get("confidence", _UNJUDGED))), margin)
            if sure >= least:
                tags = {**foil.tags, "margin": round(margin, 3), "confidence": round(sure, 3)}
                kept.append(msgspec.structs.replace(foil, tags=tags))
        if len(kept) > 1:
            best = max(foil.tags["confidence"] for foil in kept[1:])
            moved = {"confidence": best} if "confidence" in item.tags else {}
            items.append(msgspec.structs.replace(item, variants=tuple(kept), tags={**item.tags, **moved}))
    return msgspec.structs.replace(suite, items=tuple(items))


def _beside_reference(suite: Suite, values: Sequence[float]) -> Iterator[tuple[Item, list[tuple[Variant, float]]]]:
    """Each item, and its foils with the nats that they are less likely than the reference."""
    rows = iter(values)
    for item in suite.items:
        right, *others = (next(rows) for _ in item.variants)
        yield item, [(foil, value - right) for foil, value in zip(item.variants[1:], others, strict=True)]


def _moved(confidence: float, margin: float) -> float:
    """
    >>> round(_moved(0.9, 0.0), 3), round(_moved(0.9, -4.0), 3)
    (0.9, 0.858)
    """
    bounded = min(max(confidence, 1e-6), 1 - 1e-6)
    odds = math.log(bounded / (1 - bounded)) + PER_NAT * max(min(margin, MOST), -MOST)
    return 1 / (1 + math.exp(-odds))


def likeliest(suite: Suite, values: Sequence[float], least: float) -> Suite:
    """Of each item and error the foil that a model finds likeliest, tagged ``margin``; unsure ones are left out.

    >>> from kontrast.suites.model import Item, Variant
    >>> foils = [Variant(t, "np_agreement", None, {"confidence": 0.9}) for t in ("eine Hund", "einem Hund")]
    >>> made = Suite("two", (Item("1", "a dog", (Variant("ein Hund"), *foils)),))
    >>> [foil.text for foil in likeliest(made, [2.0, 6.0, 5.0], 0.85).items[0].variants[1:]]
    ['einem Hund']
    """
    items = []
    for item, foils in _beside_reference(suite, values):
        best: dict[str, Variant] = {}
        for foil, margin in sorted(foils, key=lambda pair: pair[1]):
            if float(str(foil.tags.get("confidence") or 0)) >= least:
                told = msgspec.structs.replace(foil, tags={**foil.tags, "margin": round(margin, 3)})
                best.setdefault(str(foil.error), told)
        if best:
            items.append(msgspec.structs.replace(item, variants=(item.variants[0], *best.values())))
    return msgspec.structs.replace(suite, items=tuple(items))
