"""Small programs for the ``command:`` engine: each reads the context in its own way.

A line in is source and target with a tab between; out goes a negative log-probability.
"""

from __future__ import annotations

import sys
import zlib

FORMS = {"lamp": "sie", "table": "er", "book": "es"}


def cost(kind: str, source: str, target: str) -> float:
    words, form = source.replace(".", "").split(), target.split()[0]
    noise = zlib.crc32(target.encode()) % 100 / 25
    if kind.startswith("word:"):
        place = -int(kind.removeprefix("word:"))
        read = words[place] if len(words) >= -place else ""
        return noise + zlib.crc32(f"{read} {form}".encode()) % 100 / 10
    named = [FORMS[word] for word in words if word in FORMS]
    if kind == "antecedent" and named:
        return noise + (0.0 if form == named[-1] else 3.0)
    if kind == "against" and named:
        return noise + (3.0 if form == named[-1] else 0.0)
    if kind == "length":
        return noise + zlib.crc32(f"{len(source)} {target}".encode()) % 100 / 20
    if kind == "random":
        return zlib.crc32(f"{source} {target}".encode()) % 1000 / 100
    return noise


if __name__ == "__main__":
    for line in sys.stdin:
        source, target = line.rstrip("\n").split("\t")[:2]
        print(cost(sys.argv[1], source, target))
