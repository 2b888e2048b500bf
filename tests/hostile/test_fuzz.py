"""A few thousand hostile inputs: every reader of what others wrote answers, or refuses in one line.

The coverage-guided runs of a million inputs each are in ``make soak`` (``tools/fuzz.py``).
"""

from __future__ import annotations

import random
import runpy
import zlib
from pathlib import Path

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


def test_going_on_from_the_page() -> None:
    """The page counts every target, and its counts are what ``--from-page`` begins with."""
    rows = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "fuzz.py"))["page_rows"]()
    assert sorted(row["target"] for row in rows) == sorted(TARGETS)
    assert all(row["executions"] >= 1_000 and row["earlier_states"] >= 8 for row in rows)
