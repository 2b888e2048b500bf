"""Inputs near the valid ones, without a library: bytes changed, parts repeated, hostile words put in."""

from __future__ import annotations

import random

__all__ = ["mutated"]

WORDS = [
    *(b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\n", b"\r", b"\t", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"\x1b[2J"),
    *(b"-1", b"0", b"1e308", b"1e999", b"NaN", b"99999999999999999999", b"1_0", "²".encode(), "٣".encode()),
    *(b"[", b"]", b"{", b"}", b'"', b"'", b",", b":", b"[[", b"{{", b"null", b"true", b"\\", b"\\ud800", b"#", b"="),
    *(b"../../x", b"%s", b"{0}", b"(?P<", b"1-99999999", b"5.1", b"[" * 2000, b'{"a":' * 1000, b"a" * 5000),
]


def mutated(seeds: list[bytes], chance: random.Random) -> bytes:
    """One of the seeds after a few changes."""
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        place = chance.randrange(len(data) + 1)
        end = min(len(data), place + chance.choice((1, 2, 4, 16, 64)))
        match chance.randrange(7):
            case 0 if place < len(data):
                data[place] ^= 1 << chance.randrange(8)
            case 1:
                del data[place:end]
            case 2:
                data[place:place] = data[place:end] * chance.choice((1, 2, 50))
            case 3:
                data[place:place] = chance.choice(WORDS)
            case 4:
                data[place:end] = chance.choice(WORDS)
            case 5:
                other = chance.choice(seeds)
                start = chance.randrange(len(other) + 1)
                data[place:end] = other[start : start + 40]
            case _:
                del data[place:]
    return bytes(data)
