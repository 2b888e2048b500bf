"""A part of a suite for a first trial: so many items, spread over the phenomena as in the whole, drawn by a seed."""

from __future__ import annotations

import msgspec

from kontrast.defaults import SEED
from kontrast.errors import KontrastError
from kontrast.suites.model import Suite


def sampled(suite: Suite, size: int, seed: int = SEED) -> Suite:
    """``size`` items in the suite's order; each phenomenon has its share, and at least one where there is room.

    >>> from kontrast.suites.demo import bundled
    >>> part = sampled(bundled("demo:fr"), 30)
    >>> len(part), part.name
    (30, 'demo-fr')
    """
    if size < 1:
        raise KontrastError(f"limit={size}: expected 1 or more")
    if size >= len(suite.items):
        return suite
    import random

    chance = random.Random(seed)
    strata: dict[str, list[int]] = {}
    for i, item in enumerate(suite.items):
        strata.setdefault(item.phenomenon or "", []).append(i)
    for places in strata.values():
        chance.shuffle(places)
    # Each item's place within its phenomenon, as a share: the smallest come first, so that all are spread alike.
    order = sorted((place / len(places), i) for places in strata.values() for place, i in enumerate(places))
    chosen = sorted(i for _, i in order[:size])
    return msgspec.structs.replace(suite, items=tuple(suite.items[i] for i in chosen))
