"""Verdicts against a plain loop, tie policies, and constant scorers on every real suite."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kontrast import KontrastError, Scores, Suite, judge, load
from kontrast.judging.verdicts import TIE_POLICIES

from .making import suite_of


def slow_credit(values: list[float], correct: int, ties: str, epsilon: float) -> float:
    """The definition, one item at a time; larger is better."""
    rivals = [v for j, v in enumerate(values) if j != correct]
    margin = values[correct] - max(rivals)
    if abs(margin) > epsilon:
        return float(margin > 0)
    level = [j for j, v in enumerate(values) if j == correct or max(values) - v <= epsilon]
    return {"report": 1 / len(level), "wrong": 0.0, "right": 1.0, "first": float(level[0] == correct)}[ties]


def test_a_tie_counts_the_variants_within_epsilon_of_the_best() -> None:
    """3, 3.8 and 2.2 with an epsilon of 1: the third is level with the correct one, but not with the best."""
    [found] = judge(suite_of([3]), Scores("m", (3.0, 3.8, 2.2), lower_is_better=False), epsilon=1.0)
    assert found.credit == 1 / 2


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_credits_follow_the_definition(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(2, 6), min_size=1, max_size=8))
    correct = [data.draw(st.integers(0, size - 1)) for size in sizes]
    values = [[float(data.draw(st.integers(0, 3))) for _ in range(size)] for size in sizes]
    ties = data.draw(st.sampled_from(TIE_POLICIES))
    epsilon = data.draw(st.sampled_from([0.0, 1.0]))
    suite = suite_of(sizes, correct)
    scores = Scores("s", tuple(v for item in values for v in item), lower_is_better=False)
    found = [v.credit for v in judge(suite, scores, ties=ties, epsilon=epsilon)]
    assert found == pytest.approx([slow_credit(v, c, ties, epsilon) for v, c in zip(values, correct, strict=True)])


def test_direction_margin_and_pairs() -> None:
    suite = suite_of([3, 2])
    verdicts = judge(suite, Scores("s", (1.0, 2.0, 3.0, 5.0, 4.0)))
    assert [(v.outcome, v.margin) for v in verdicts] == [("right", 1.0), ("wrong", -1.0)]
    turned = judge(suite, Scores("s", (-1.0, -2.0, -3.0, -5.0, -4.0), lower_is_better=False))
    assert turned.margin.tolist() == verdicts.margin.tolist()
    pairs = judge(suite, Scores("s", (1.0, 2.0, 1.0, 5.0, 4.0)), unit="pair")
    assert [(v.item_index, v.variant_index, v.outcome) for v in pairs] == [
        (0, 1, "right"),
        (0, 2, "tie"),
        (1, 1, "wrong"),
    ]


def test_counts_by_policy() -> None:
    suite = suite_of([2, 2, 2], [0, 1, 1])
    scores = Scores("s", (0.0, 1.0, 2.0, 2.0, 3.0, 3.0))
    report = judge(suite, scores).counts()
    assert (report.right, report.wrong, report.ties, report.accuracy) == (1, 0, 2, pytest.approx(2 / 3))
    for policy, right in (("wrong", 1), ("right", 3), ("first", 1)):
        counts = judge(suite, scores, ties=policy).counts()  # type: ignore[arg-type]
        assert (counts.right, counts.wrong, counts.ties) == (right, 3 - right, 2)


def test_bad_scores() -> None:
    suite = suite_of([2, 2])
    with pytest.raises(KontrastError, match=r"expected 4 scores .* found 3"):
        judge(suite, Scores("s", (1.0, 2.0, 3.0)))
    with pytest.raises(KontrastError, match="found nan in row 2"):
        judge(suite, Scores("s", (1.0, float("nan"), 3.0, 4.0)))
    with pytest.raises(KontrastError, match="no item with two variants"):
        judge(suite_of([1, 1]), Scores("s", (1.0, 2.0)))


REAL = [
    "contrapro-en-de/contrapro.subset.json",
    "contrapro-en-de",
    "un-en-fr/UN-testset-enfr.json",
    "discevalmt-en-fr/anaphora.json",
    "discevalmt-en-fr/lexical-choice.json",
    "consistency-en-ru/deixis_dev.json",
    "consistency-en-ru/ellipsis_infl.json",
    "consistency-en-ru/lex_cohesion_dev.json",
    "distil-lingeval-en-de/np_agreement.mt",
    "demetr-x-en/critical_id8_negation.json",
    "pro-mistranslations-en-de",
]


@pytest.mark.parametrize("name", REAL)
def test_a_constant_scorer_is_at_chance(name: str, data: Path) -> None:
    suite: Suite = load(data / name)
    constant = judge(suite, Scores("constant", (3.5,) * suite.row_count))
    chance = np.mean([1 / len(item.variants) for item in suite.items if len(item.variants) > 1])
    assert constant.counts().accuracy == pytest.approx(chance)
    assert constant.counts().ties == len(constant)


def test_first_reproduces_the_trap_of_the_consistency_sets(data: Path) -> None:
    """Their own script gives a constant scorer everything; our default must not."""
    suite = load(data / "consistency-en-ru/deixis_dev.json")
    scores = Scores("constant", (1.0,) * suite.row_count)
    assert judge(suite, scores, ties="first").counts().accuracy == 1.0
    assert judge(suite, scores).counts().accuracy == pytest.approx(0.5)
