"""Suites that break statistics: few documents, a huge one, 0 and 100%, ties, equal systems, one odd document.

Nothing may raise, be outside its range, or decide what it cannot.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from kontrast import Item, KontrastError, Scores, Suite, Variant, compare, evaluate
from kontrast.judging.contrast import contrast, gaps_of
from kontrast.judging.floats import Floats, Ints
from kontrast.judging.gate import BaselineRule, GateConfig, gate
from kontrast.judging.records import Difference
from kontrast.judging.wording import points_text, share_text

PAIR = Variant("gut"), Variant("schlecht", error="e")
SHAPES = {
    "2": [20] * 2,
    "3": [7] * 3,
    "5": [200] * 5,
    "6": [20] * 6,
    "7": [3] * 7,
    "huge": [2000] + [1] * 30,
    "singles": [1] * 40,
    "tiny": [1, 1, 1, 1, 1, 2],
    "two big": [500, 500, 1, 1, 1, 1],
}


def suite_of(sizes: list[int]) -> tuple[Suite, Ints]:
    number = np.repeat(np.arange(len(sizes)), sizes)
    return Suite("hard", tuple(Item(str(i), f"s{i}", PAIR, document=f"d{d}") for i, d in enumerate(number))), number


def scores_of(name: str, credit: Floats) -> Scores:
    """Credits of 0, 1 or a half (a tie)."""
    return Scores(name, tuple(np.column_stack([2.0 - credit, 1.0 + credit]).ravel().tolist()))


def systems_on(number: Ints) -> dict[str, tuple[Floats, Floats]]:
    generator = np.random.default_rng(1)
    size = len(number)
    one, nought = np.ones(size), np.zeros(size)
    first, second = (generator.random((2, size)) < 0.7).astype(np.float64)
    return {
        "all and nothing": (one, nought),
        "equal, perfect": (one, one),
        "equal": (first, first),
        "all ties": (one / 2, one / 2),
        "ties and perfect": (one / 2, one),
        "one document": (one, one - (number == 0)),
        "the last document": (one, one - (number == number.max())),
        "one item": (one, one - (np.arange(size) == 0)),
        "any": (first, second),
    }


def sound(row: Difference) -> None:
    assert -1 <= row.interval.low <= row.difference <= row.interval.high <= 1
    assert all(math.isfinite(n) for n in (row.p, row.error, row.freedom, row.steady, row.moved)) and 0 <= row.p <= 1
    assert row.minimum_detectable is None or 0 < row.minimum_detectable <= 1
    assert row.undecided is None or (not row.significant and row.minimum_detectable is None)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("shape", SHAPES)
def test_no_shape_breaks_a_comparison(shape: str) -> None:
    suite, number = suite_of(SHAPES[shape])
    for a, b in systems_on(number).values():
        rows = [
            compare(suite, [scores_of("a", a), scores_of("b", b)], test=test, resamples=200).total[0]
            for test in ("jackknife", "permutation")
        ]
        runs = [("A", [scores_of(f"a{i}", own) for i, own in enumerate((a, b, a))])]
        runs.append(("B", [scores_of(f"b{i}", own) for i, own in enumerate((b, b, a))]))
        rows.append(compare(suite, runs, resamples=200).total[0])
        for row in rows:
            sound(row)
        assert not (a == b).all() or not rows[0].significant
        passed = gate(
            suite, scores_of("b", b), GateConfig(baseline=BaselineRule("a", margin=0.02)), scores_of("a", a)
        )
        assert not passed.passed or rows[0].undecided is None or (a == b).all()
        assert not (passed.failed and (a == b).all())
        result = evaluate(suite, scores_of("b", b))
        assert 0 <= result.interval.low <= result.accuracy <= result.interval.high <= 1


def test_what_cannot_be_decided() -> None:
    """Too few documents, one document with nearly all decisions, one with all the differences."""
    for shape, system, reason in (
        ("5", "all and nothing", "5 documents are too few"),
        ("huge", "any", "one of 31 documents has nearly all decisions"),
        ("two big", "equal", "the suite counts as 2.0 documents of 6, too few"),
        ("6", "one document", "what differs counts as 1.1 documents of 6, too few"),
    ):
        suite, number = suite_of(SHAPES[shape])
        a, b = systems_on(number)[system]
        row = compare(suite, [scores_of("a", a), scores_of("b", b)], resamples=200).total[0]
        assert row.undecided == reason
    suite, number = suite_of(SHAPES["6"])
    row = compare(suite, [scores_of("a", np.ones(120)), scores_of("b", np.zeros(120))], resamples=200).total[0]
    assert row.undecided is None and row.significant and row.interval.high < -0.9


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_no_number_is_refused(bad: float) -> None:
    suite, _ = suite_of([10] * 8)
    with pytest.raises(KontrastError, match="finite"):
        evaluate(suite, Scores("bad", (bad, 1.0) * 80))


def test_the_error_of_a_difference_is_the_plain_jackknife_and_a_quarter_of_a_decision_a_cell() -> None:
    """Of 40 decisions a plain error of .1925 becomes .1886: what is added draws the difference towards 0."""
    generator = np.random.default_rng(2)
    number = np.arange(40) // 5
    a, b = (generator.random((2, 40)) < np.repeat([0.2, 0.9, 0.1, 0.8, 0.9, 0.2, 0.3, 0.9], 5)[None]) * 1.0
    b = np.where(number % 2 == 0, 1 - b, b)
    without = [(b - a)[number != document].mean() for document in range(8)]
    plain = 7 / 8 * sum((each - (b - a).mean()) ** 2 for each in without)
    found = contrast(gaps_of(a, b, number))
    assert found.error**2 == pytest.approx((40 / 41) ** 2 * plain + 0.5 / 41**2, abs=1e-12)
    assert math.sqrt((40 / 41) ** 2 * 0.1925**2 + 0.5 / 41**2) == pytest.approx(0.1886, abs=5e-5)


def test_decimals_that_the_items_carry() -> None:
    assert share_text(8 / 17, 17) == "47%" and share_text(80 / 170, 170) == "47.1%"
    assert share_text(0.9132, 48, against=0.913194) == "91.32%"  # not 91%, which would read as too little
    assert share_text(0.5, 48, against=0.5) == "50%" and share_text(0.7959, 49, against=0.8) == "79.6%"
    assert points_text(-1 / 17, 17) == "-6" and points_text(-1 / 170, 170) == "-0.6"
    suite, _ = suite_of([1] * 49)
    right = (np.arange(49) < 39).astype(np.float64)
    [check] = gate(suite, scores_of("a", right), GateConfig(accuracy=0.8)).checks
    # 79.6% is not "80%, expected at least 80%".
    assert check.message == "accuracy 79.6% of 49, expected at least 80%" and not check.passed
