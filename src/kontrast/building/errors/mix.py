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
from kontrast.suites.error_shares import largest_share, real_shares
from kontrast.suites.model import Item, Suite, Variant

MIXES = ("all", "even", "real")
MOST = 0.15
"""The largest share of one error, where there are enough others; easy ones have less (``data/mix.toml``)."""
SLACK = 0.2
"""How far the shares may be from the mix (half the sum of differences) so that a suite keeps more foils."""
LEAST = 10
"""Foils of each error that the mix ``real`` keeps, so that its accuracy can be read."""
FEWEST = 200
"""Foils, below which a suite is not thinned out unless a mix is named."""


def quotas(counts: Mapping[str, int], mix: str) -> dict[str, int]:
    """How many of each error are kept: as many in all as leave their shares near the mix, none above its largest.

    >>> quotas({"a": 100, "b": 10, "c": 50}, "even")
    {'a': 10, 'b': 10, 'c': 10}
    """
    if mix == "all" or not counts:
        return dict(counts)
    shares = real_shares(counts) if mix == "real" else {name: 1 / len(counts) for name in counts}
    most = {name: largest_share(name, MOST) for name in counts}
    if sum(most.values()) < 1:  # too few errors for that
        most = dict.fromkeys(counts, max(MOST, 1 / len(counts)))

    def at(size: float) -> dict[str, float]:
        return _capped(shares, {name: min(most[name], count / size) for name, count in counts.items()})

    def off(found: Mapping[str, float]) -> float:
        return sum(abs(found[name] - shares[name]) for name in shares) / 2

    bound = off(at(1.0)) + (SLACK if mix == "real" else 1e-6)
    low, high = 1.0, float(sum(counts.values()))
    for _ in range(60):
        middle = (low + high) / 2
        found = at(middle)
        low, high = (middle, high) if sum(found.values()) > 1 - 1e-9 and off(found) <= bound else (low, middle)
    least = LEAST if mix == "real" and low > FEWEST else 1
    return {name: min(counts[name], max(least, round(low * share))) for name, share in at(low).items()}


def _capped(shares: Mapping[str, float], most: Mapping[str, float]) -> dict[str, float]:
    """The shares with none above its largest; the others get what is over, in proportion.

    >>> _capped({"a": 0.8, "b": 0.1, "c": 0.1}, {"a": 0.4, "b": 0.4, "c": 0.4})
    {'a': 0.4, 'b': 0.3, 'c': 0.3}
    """
    full: dict[str, float] = {}
    while True:
        rest = sum(share for name, share in shares.items() if name not in full)
        scale = (1 - sum(full.values())) / rest if rest else 0.0
        over = {n: most[n] for n, share in shares.items() if n not in full and share * scale > most[n] + 1e-12}
        if not over:
            return {name: full.get(name, round(share * scale, 12)) for name, share in shares.items()}
        full |= over


def mixed(suite: Suite, mix: str | None, seed: int, *, hardest: bool = False) -> Suite:
    """The suite with the quota of each error; which ones are kept depends on seed, text and error alone.

    With ``hardest`` those are kept that a model finds likeliest beside the reference (their tag ``margin``). None is
    ``real``, but ``all`` in a suite of fewer than `FEWEST` foils or of too few errors for `MOST`.
    """
    if mix not in (*MIXES, None):
        raise KontrastError(f"--mix: expected {', '.join(MIXES)}, found {mix!r}")
    if mix == "all":
        return suite
    drawn: dict[str, list[float]] = {}
    for item in suite.items:
        for variant in item.variants[1:]:
            drawn.setdefault(str(variant.error), []).append(_draw(seed, item, variant, hardest))
    counts = {name: len(each) for name, each in sorted(drawn.items())}
    if mix is None and (sum(counts.values()) < FEWEST or len(counts) * MOST < 1):
        return suite
    kept = quotas(counts, mix or "real")
    limits = {name: sorted(each)[kept[name] - 1] for name, each in drawn.items()}

    def items() -> Iterator[Item]:
        number = 0
        for item in suite.items:
            first, *foils = item.variants
            left = [v for v in foils if _draw(seed, item, v, hardest) <= limits[str(v.error)]]
            if left:
                number += 1
                yield msgspec.structs.replace(item, id=str(number), variants=(first, *left))

    found = Repeatable(items, sum(1 for _ in items()))
    extra = {**suite.extra, "mix": mix or "real"}
    return msgspec.structs.replace(suite, items=cast("tuple[Item, ...]", found), extra=extra)


def _draw(seed: int, item: Item, foil: Variant, hardest: bool) -> float:
    if hardest:
        return float(str(foil.tags["margin"]))
    key = f"{seed}\n{item.source}\n{item.variants[0].text}\n{foil.text}".encode()
    return int.from_bytes(hashlib.blake2b(key, digest_size=6).digest(), "big")
