"""The divergence: published values, every edge, and the floor against brute force."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kontrast.errors import KontrastError
from kontrast.splitting.measured_divergence import contributions, divergence, floor

COUNTS = st.lists(st.integers(0, 30), min_size=1, max_size=12)
ALPHA = st.floats(0.05, 0.95)


def test_published_values() -> None:
    assert divergence(np.array([[2, 4, 10]]), np.array([[1, 2, 5]]), 0.5) == 0.0
    assert divergence(np.array([[2, 0, 6]]), np.array([[0, 5, 5]]), 0.1) == 0.4793101280037947
    assert type(divergence([2, 0, 6], [0, 5, 5], 0.1)) is float


@pytest.mark.parametrize(("train", "test"), [([1, 2], [0, 0]), ([0, 0], [3, 1]), ([1, 0], [0, 1])])
def test_nothing_shared_is_one(train: list[int], test: list[int]) -> None:
    assert divergence(train, test, 0.5) == 1.0


@pytest.mark.parametrize(
    ("train", "test", "alpha", "said"),
    [
        ([0, 0], [0, 0], 0.5, "empty"),
        ([], [], 0.5, "empty"),
        ([1, 2], [1], 0.5, "2 counts and test 1"),
        ([1, -1], [1, 1], 0.5, "not negative"),
        ([1, float("nan")], [1, 1], 0.5, "finite"),
        ([[1, 2], [3, 4]], [1, 2], 0.5, "single row"),
        ([1], [1], -0.1, "alpha"),
        ([1], [1], 1.1, "alpha"),
        (["a"], [1], 0.5, "not numbers"),
    ],
)
def test_undefined_is_said(train: list[object], test: list[object], alpha: float, said: str) -> None:
    with pytest.raises(KontrastError, match=said):
        divergence(train, test, alpha)


@given(
    COUNTS.flatmap(lambda a: st.tuples(st.just(a), st.lists(st.integers(0, 30), min_size=len(a), max_size=len(a)))),
    ALPHA,
)
def test_range_contributions_and_scale(pair: tuple[list[int], list[int]], alpha: float) -> None:
    train, test = pair
    if not any(train) or not any(test):
        return
    value = divergence(train, test, alpha)
    assert 0 <= value <= 1
    assert divergence(np.array(train) * 7, test, alpha) == pytest.approx(value, abs=1e-12)
    adds = contributions(train, test, alpha)
    assert (adds >= 0).all()
    assert adds.sum() == pytest.approx(value, abs=1e-9)
    assert divergence(train, train, alpha) == pytest.approx(0, abs=1e-12)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), ALPHA)
def test_floor_is_never_above_the_best(totals: list[int], alpha: float) -> None:
    best: dict[int, float] = {}
    for test in product(*(range(n + 1) for n in totals)):
        mass = sum(test)
        if 0 < mass < sum(totals):
            value = divergence([n - x for n, x in zip(totals, test, strict=True)], test, alpha)
            best[mass] = min(best.get(mass, 1.0), value)
    for mass, value in best.items():
        assert floor(totals, sum(totals) - mass, mass, alpha) <= value + 1e-9


def test_floor_of_large_counts_is_near_what_is_possible() -> None:
    assert floor([5000, 1000], 3000, 3000, 0.5) < 1e-6
