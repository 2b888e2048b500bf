"""Agreement against other people's code and numbers, and against the definition counted out by hand."""

from __future__ import annotations

import random
from itertools import permutations

import numpy as np
import pytest

from kontrast.review.outcome import Agreement, agreement_of, alpha, kappa


def agreement(
    said: dict[str, dict[int, str]], categories: tuple[str, ...] = ("accept", "reject"), resamples: int = 2000
) -> Agreement:
    """Of readers, each with their category for the entries they decided."""
    entries = sorted({entry for decided in said.values() for entry in decided})
    codes = [
        [categories.index(decided[entry]) if entry in decided else -1 for entry in entries]
        for decided in said.values()
    ]
    return agreement_of(list(said), np.array(codes, np.int8), categories, resamples=resamples)


def test_kappa_is_that_of_statsmodels() -> None:
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    draw = np.random.default_rng(3)
    for _ in range(30):
        table = draw.integers(0, 40, size=(3, 3)).astype(float)
        assert kappa(table) == pytest.approx(inter_rater.cohens_kappa(table, return_results=False), abs=1e-12)


KRIPPENDORFF = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""
"""Krippendorff, Computing Krippendorff's Alpha-Reliability (2011): four observers, twelve units."""


def test_alpha_is_the_published_one() -> None:
    rows = [line.split() for line in KRIPPENDORFF.split("\n") if line]
    said = {str(i): {u: value for u, value in enumerate(row) if value != "."} for i, row in enumerate(rows)}
    found = agreement(said, ("1", "2", "3", "4", "5"))
    assert found.alpha.value == pytest.approx(0.743, abs=5e-4)
    assert found.entries == 11


def _by_definition(units: list[list[str]]) -> float:
    """One minus observed over expected disagreement, every ordered pair of values counted."""
    units = [unit for unit in units if len(unit) > 1]
    values = [value for unit in units for value in unit]
    observed = sum(sum(a != b for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in units) / len(values)
    expected = sum(a != b for a, b in permutations(values, 2)) / (len(values) * (len(values) - 1))
    return 1 - observed / expected


def test_alpha_is_its_definition() -> None:
    draw = random.Random(5)
    for _ in range(20):
        units = [[draw.choice("ab") for _ in range(draw.randrange(1, 5))] for _ in range(25)]
        kinds = np.array([[unit.count("a"), unit.count("b")] for unit in units], dtype=float)
        assert float(alpha(kinds, np.ones(len(units)))) == pytest.approx(_by_definition(units), abs=1e-12)


def test_known_answers() -> None:
    same = {n: "accept" if n % 3 else "reject" for n in range(90)}
    assert agreement({"a": same, "b": same, "c": same}).alpha.value == 1.0
    flipped = {n: "reject" if said == "accept" else "accept" for n, said in same.items()}
    assert agreement({"a": same, "b": flipped}).pairs[0].kappa.value < 0
    draw = random.Random(1)
    chance = [{n: draw.choice(["accept", "reject"]) for n in range(4000)} for _ in range(2)]
    found = agreement({"a": chance[0], "b": chance[1]})
    assert abs(found.alpha.value) < 0.05 and found.alpha.low < 0 < found.alpha.high
    one = dict.fromkeys(range(10), "accept")
    assert agreement({"a": one, "b": one}).alpha.value is None


def test_interval_covers() -> None:
    """Of 200 reviews of 80 entries by readers of a known agreement, the interval holds it in about 95%."""
    draw = np.random.default_rng(11)
    # Two readers each read the truth with 90%: half the truths accept, so kappa is 0.64 in the limit.
    held = 0
    for _ in range(200):
        truth = draw.random(80) < 0.5
        readers = [np.where(draw.random(80) < 0.9, truth, ~truth) for _ in range(2)]
        said = {
            str(i): {n: "accept" if v else "reject" for n, v in enumerate(r.tolist())} for i, r in enumerate(readers)
        }
        found = agreement(said, resamples=400)
        held += found.alpha.low <= 0.64 <= found.alpha.high
    assert held >= 180
