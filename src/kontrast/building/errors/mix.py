"""How many of each error a suite keeps: all, evenly many, or as often as such errors occur in marked outputs.

How often they occur is in `kontrast.suites.error_shares`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import cast

import msgspec

from kontrast.errors import KontrastError
from kontrast.shards import Repeatable
from kontrast.suites.error_shares import real_shares
from kontrast.suites.model import Item, Suite

MIXES = ("all", "even", "real")
MOST = 0.15
"""The largest share of one error, where there are enough others."""


def quotas(counts: Mapping[str, int], mix: str) -> dict[str, int]:
    """How many of each error are kept: by the mix, all of those that are rarer, and none above `MOST`.

    >>> quotas({"a": 100, "b": 10, "c": 50}, "even")
    {'a': 10, 'b': 10, 'c': 10}
    """
    if mix == "all":
        return dict(counts)
    shares = real_shares(counts) if mix == "real" else {name: 1 / len(counts) for name in counts}
    most = max(MOST, 1 / max(len(counts), 1))

    def taken(size: float) -> dict[str, int]:
        return {name: min(count, max(1, round(size * shares[name]))) for name, count in counts.items()}

    low, high = 1.0, max((count / shares[name] for name, count in counts.items()), default=1.0)
    for _ in range(60):
        middle = (low + high) / 2
        kept = taken(middle)
        fits = max(kept.values()) <= most * sum(kept.values()) + 1e-9
        low, high = (middle, high) if fits else (low, middle)
    return taken(low)


def mixed(suite: Suite, mix: str, seed: int) -> Suite:
    """The suite with the quota of each error; which ones are kept depends on seed, text and error alone."""
    if mix not in MIXES:
        raise KontrastError(f"--mix: expected {', '.join(MIXES)}, found {mix!r}")
    if mix == "all":
        return suite
    drawn: dict[str, list[int]] = {}
    for item in suite.items:
        for variant in item.variants[1:]:
            drawn.setdefault(str(variant.error), []).append(_draw(seed, item, variant.text))
    kept = quotas({name: len(each) for name, each in sorted(drawn.items())}, mix)
    limits = {name: sorted(each)[kept[name] - 1] for name, each in drawn.items()}

    def items() -> Iterator[Item]:
        number = 0
        for item in suite.items:
            first, *foils = item.variants
            left = [v for v in foils if _draw(seed, item, v.text) <= limits[str(v.error)]]
            if left:
                number += 1
                yield msgspec.structs.replace(item, id=str(number), variants=(first, *left))

    found = Repeatable(items, sum(1 for _ in items()))
    return msgspec.structs.replace(suite, items=cast("tuple[Item, ...]", found), extra={**suite.extra, "mix": mix})


def _draw(seed: int, item: Item, foil: str) -> int:
    key = f"{seed}\n{item.source}\n{item.variants[0].text}\n{foil}".encode()
    return int.from_bytes(hashlib.blake2b(key, digest_size=8).digest(), "big")
