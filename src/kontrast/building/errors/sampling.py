"""What the shards of a build give, and a sample of it: equal shares of types, spread over the documents.

A sample is made in rounds, each over the whole text and another part of its lines, until every type has its share.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from zlib import crc32

import msgspec

from kontrast.suites.model import Item, Variant

Round = tuple[int, int]
"""Of so many rounds over the text the one whose lines are looked at."""
WHOLE: Round = (0, 1)
LEAST_ROUND = 1000
"""Lines of a round at least."""


class MadeErrors(msgspec.Struct):
    """What a shard gives: items without their numbers, lines that could not be used, what the source speaks for."""

    items: list[Item]
    lines: int
    unusable: int
    left: dict[str, dict[str, int]]
    """By error and reason."""
    composed: int = 0
    """Lines that had accents as characters of their own."""


def decoded(part: bytes) -> MadeErrors:
    return msgspec.msgpack.decode(part, type=MadeErrors)


def errors_in(made: MadeErrors) -> Counter[str]:
    return Counter(str(foil.error) for item in made.items for foil in item.variants[1:])


def shares_of(types: Sequence[str], sample: int | None) -> dict[str, int]:
    """How many errors of each type a sample has; empty where all are wanted."""
    if sample is None:
        return {}
    return {name: sample // len(types) + (k < sample % len(types)) for k, name in enumerate(types)}


def rounds(
    run: Callable[[Round], Iterator[bytes]], lines: Callable[[], int], shares: dict[str, int]
) -> Iterator[bytes]:
    """The parts of round after round, until all shares are there."""
    if not shares:
        yield from run(WHOLE)
        return
    count = max(1, lines() // max(LEAST_ROUND, 2 * sum(shares.values())))
    found: Counter[str] = Counter()
    for number in range(count):
        for part in run((number, count)):
            found.update(errors_in(decoded(part)))
            yield part
        if all(found[name] >= share for name, share in shares.items()):
            return
    short = ", ".join(f"{share - found[name]} {name}" for name, share in shares.items() if share > found[name])
    print(f"kontrast: warning: --sample: the text has too few errors: {short}", file=sys.stderr)


def lines_of(round: Round, first: int, size: int, seed: int) -> Collection[int]:
    """The lines of a shard that belong to a round."""
    number, count = round
    if count == 1:
        return range(size)
    return {n for n in range(size) if crc32(f"{seed} {first + n}".encode()) % count == number}


def chosen(parts: Iterable[bytes], shares: dict[str, int], seed: int) -> Callable[[], Iterator[Item]]:
    """The items of all parts, or a sample's: of each type the first of every document, then the second, and so on."""
    if not shares:
        return lambda: _items(parts)
    ranks: dict[str, dict[str | None, list[bytes]]] = {name: defaultdict(list) for name in shares}
    for item in _items(parts):
        for foil in item.variants[1:]:
            # A text without documents is one of as many as it has lines.
            ranks[str(foil.error)][item.document or item.id].append(_rank(item, foil, seed))
    drawn: dict[str, set[bytes]] = {}
    for name, documents in ranks.items():
        in_turn = sorted((k, rank) for found in documents.values() for k, rank in enumerate(sorted(found)))
        drawn[name] = {rank for _, rank in in_turn[: shares[name]]}
    return lambda: _drawn(_items(parts), drawn, seed)


def _rank(item: Item, foil: Variant, seed: int) -> bytes:
    """Its place in a random order that depends on nothing but the error itself."""
    told = f"{seed} {item.tags['origin']} {foil.error} {foil.text}".encode()
    return hashlib.blake2b(told, digest_size=16).digest()


def _drawn(items: Iterable[Item], drawn: dict[str, set[bytes]], seed: int) -> Iterator[Item]:
    number = 0
    for item in items:
        right, *foils = item.variants
        foils = [foil for foil in foils if _rank(item, foil, seed) in drawn[str(foil.error)]]
        if foils:
            number += 1
            yield msgspec.structs.replace(item, id=str(number), variants=(right, *foils))


def _items(parts: Iterable[bytes]) -> Iterator[Item]:
    """The items of all parts with their numbers."""
    number = 0
    for part in parts:
        for item in decoded(part).items:
            number += 1
            yield msgspec.structs.replace(item, id=str(number))
