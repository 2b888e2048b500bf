"""``compare --baseline``: the others against one system, and a correction for those tests alone."""

from __future__ import annotations

import pytest

import kontrast
from kontrast import Item, KontrastError, Scores, Suite, Variant

PAIR = Variant("ein Hund"), Variant("eine Hund", error="np_agreement")
SUITE = Suite("made", tuple(Item(str(i), f"dog {i}", PAIR) for i in range(60)))


def _system(name: str, wrong: int) -> Scores:
    return Scores(name, (2.0, 1.0) * wrong + (1.0, 2.0) * (60 - wrong))


SYSTEMS = [_system("a", 30), _system("b", 20), _system("c", 22)]


def test_only_pairs_with_the_baseline() -> None:
    found = kontrast.compare(SUITE, *SYSTEMS, baseline="b").total
    assert [(row.a, row.b) for row in found] == [("b", "a"), ("b", "c")]
    assert found[0].difference == pytest.approx(-10 / 60)


def test_holm_counts_only_those_tests() -> None:
    every = {(row.a, row.b): row for row in kontrast.compare(SUITE, *SYSTEMS).total}
    against = {(row.a, row.b): row for row in kontrast.compare(SUITE, *SYSTEMS, baseline="a").total}
    assert set(against) == {("a", "b"), ("a", "c")}
    assert against["a", "b"].jackknife == every["a", "b"].jackknife
    assert against["a", "b"].p == pytest.approx(every["a", "b"].p * 2 / 3)


def test_unknown_baseline_names_the_systems() -> None:
    with pytest.raises(KontrastError, match="--baseline: there is no system 'x' among these: a, b, c"):
        kontrast.compare(SUITE, *SYSTEMS, baseline="x")
