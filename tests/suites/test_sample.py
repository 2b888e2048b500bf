"""A first trial: a part of a suite that stands for the whole."""

from __future__ import annotations

from collections import Counter

import pytest

import kontrast
from kontrast import KontrastError


def test_a_part_is_spread_over_the_phenomena() -> None:
    whole, part = kontrast.load("demo:de"), kontrast.load("demo:de?limit=60")
    assert len(part) == 60 and len(whole) > 60
    counts, all_of_them = Counter(i.phenomenon for i in part), Counter(i.phenomenon for i in whole)
    for phenomenon, count in all_of_them.items():
        assert counts[phenomenon] >= 1 and abs(counts[phenomenon] - 60 * count / len(whole)) <= 3
    assert [i.id for i in part] == [i.id for i in whole if i.id in {j.id for j in part}]  # in the suite's order


def test_the_seed_draws_and_the_whole_is_the_whole() -> None:
    assert kontrast.load("demo:fr?limit=20") == kontrast.load("demo:fr?limit=20&seed=1")
    assert kontrast.load("demo:fr?limit=20") != kontrast.load("demo:fr?limit=20&seed=2")
    assert kontrast.load("demo:fr?limit=5000") == kontrast.load("demo:fr")
    assert kontrast.load("demo:fr?limit=20").fingerprint != kontrast.load("demo:fr").fingerprint


@pytest.mark.parametrize("text", ["limit=0", "limit=x", "limit=-3", "limit=5&seed=x", "limit=²"])
def test_bad_limits(text: str) -> None:
    with pytest.raises(KontrastError, match="limit="):
        kontrast.load(f"demo:fr?{text}")
