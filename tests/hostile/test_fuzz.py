"""A few thousand hostile inputs: every reader of what others wrote answers, or refuses in one line.

The coverage-guided runs of a million inputs each are in ``make soak`` (``tools/fuzz.py``).
"""

from __future__ import annotations

import random
import zlib

import pytest

from .mutation import mutated
from .targets import TARGETS, attack, seeds

RUNS = 80


@pytest.mark.parametrize("name", TARGETS)
def test_hostile_input(name: str) -> None:
    known = seeds(name)
    chance = random.Random(zlib.crc32(name.encode()))
    for data in [*known, *(mutated(known, chance) for _ in range(RUNS))]:
        attack(name, data)


def test_seeds_are_read() -> None:
    """A fuzzer that begins with nothing valid does not get far."""
    folders = {"suite-large-enfr", "suite-mt-geneval", "suite-scat", "suite-distil-lingeval"}
    refused = [n for n in TARGETS if n not in folders and not any(attack(n, data) for data in seeds(n))]
    assert refused == []
