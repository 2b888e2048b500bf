"""Comparison of systems, and what it refuses."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from scipy import stats

from kontrast import Item, KontrastError, Scores, Suite, Variant
from kontrast.judging.compare import compare
from kontrast.judging.evaluate import evaluate_all
from kontrast.judging.wording import comparison_method, p_text
from kontrast.suites.model import Signature

from .making import pairs_in_documents, scores_from, suite_of

SUITE = pairs_in_documents(40, 5)


def simulated(seed: int, share: float, system: str):  # type: ignore[no-untyped-def]
    return scores_from(np.random.default_rng(seed).random(200) < share, system)


def test_every_pair_and_every_group() -> None:
    suite = suite_of([2] * 200)
    systems = [simulated(1, 0.5, "a"), simulated(2, 0.55, "b"), simulated(3, 0.9, "c")]
    result = compare(suite, systems, by=["distance", "kind"], resamples=2000)
    assert [(d.a, d.b) for d in result.total] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [d.significant for d in result.total] == [False, True, True]
    assert [b.by for b in result.by] == ["phenomenon", "distance", "kind"]
    assert len(result.by[1].groups) == 5 * 3 and sum(d.items for d in result.by[2].groups) == 600
    for row in (*result.total, *result.by[1].groups):
        assert row.a_better + row.b_better + row.same == row.items
        assert row.interval.low <= row.difference <= row.interval.high
        assert row.difference == pytest.approx((row.b_better - row.a_better) / row.items)
        assert row.p >= row.jackknife  # Holm never makes a p-value smaller


def test_documents_move_together() -> None:
    """Two systems differ in four whole documents of 40: far from sure by documents, sure by items."""
    right = np.ones(200, dtype=bool)
    worse = right.copy()
    worse[:20] = False
    row = compare(SUITE, [scores_from(right, "a"), scores_from(worse, "b")], resamples=5000).total[0]
    assert row.mcnemar < 0.001 < row.permutation
    assert row.permutation == pytest.approx(0.125, abs=0.02)
    note = compare(SUITE, [scores_from(right, "a"), scores_from(worse, "b")], test="mcnemar", resamples=200).notes
    assert "independent" in note[0]


def test_runs_count_as_their_mean() -> None:
    a, b = simulated(1, 0.5, "a1"), simulated(2, 0.5, "a2")
    result = compare(SUITE, [("a", [a, b]), simulated(3, 0.8, "b")], resamples=500)
    each = [compare(SUITE, [x, simulated(3, 0.8, "b")], resamples=200).total[0].accuracy_a for x in (a, b)]
    assert result.systems == ("a", "b")
    assert result.total[0].accuracy_a == pytest.approx(np.mean(each))


def signed(scores, **parts):  # type: ignore[no-untyped-def]
    parts.setdefault("fingerprint", SUITE.fingerprint)
    return msgspec.structs.replace(scores, signature=Signature(suite=SUITE.name, **parts))


def test_contexts_are_systems() -> None:
    a = signed(simulated(1, 0.5, "none"), model="m", context="none")
    b = signed(simulated(2, 0.8, "prev"), model="m", context="prev:1")
    assert compare(SUITE, [a, b], resamples=200).differs == ("context",)
    same = msgspec.structs.replace(b, system="none")
    assert compare(SUITE, [a, same], resamples=200).systems == ("none (none)", "none (prev:1)")


def test_equal_systems_are_not_known_to_be_equal() -> None:
    """No difference on 200 decisions: the interval still has a width, about the z²/(n + z²) of the score."""
    a = simulated(1, 0.5, "a")
    row = compare(SUITE, [a, msgspec.structs.replace(a, system="b")], resamples=200).total[0]
    assert row.difference == 0 and row.p == 1 and -0.025 < row.interval.low < -0.015
    assert row.minimum_detectable is None


@pytest.mark.parametrize("documents", [2, 3, 5])
def test_few_documents_decide_nothing(documents: int) -> None:
    """All right against all wrong on five documents: a difference, but no test that could have failed."""
    suite = pairs_in_documents(documents, 200)
    right = np.ones(documents * 200, dtype=bool)
    for test in ("jackknife", "permutation"):
        result = compare(suite, [scores_from(right, "a"), scores_from(~right, "b")], test=test)  # type: ignore[arg-type]
        [row] = result.total
        assert row.undecided == f"{documents} documents are too few" and not row.significant
        assert row.minimum_detectable is None and row.interval.within == f"{documents} documents"
        assert "too few" in result.notes[0] and p_text(row) == "–"


def test_the_permutation_says_where_its_floor_is_too_high() -> None:
    """Seven documents can give p = 1/64, which Holm over ten pairs makes .16: nothing can be found."""
    suite = pairs_in_documents(7, 5)
    systems = [scores_from(np.arange(35) % 7 >= k, f"s{k}") for k in range(5)]
    rows = compare(suite, systems, test="permutation").total
    assert all("smallest possible p of the permutation test" in str(row.undecided) for row in rows)
    assert all(row.undecided is None for row in compare(suite, systems).total)
    assert compare(suite, systems[:2], test="permutation").total[0].undecided is None


def test_mcnemar_needs_decisions_that_are_right_or_wrong() -> None:
    """Half a credit everywhere against half of the items: a sign test would find a difference where there is none."""
    suite = suite_of([2] * 100)
    half = Scores("half", (1.0, 1.0) * 100)
    some = scores_from(np.arange(100) % 2 == 0, "some")
    with pytest.raises(KontrastError, match="--test jackknife or permutation"):
        compare(suite, [half, some], test="mcnemar")
    row = compare(suite, [half, some]).total[0]
    assert row.mcnemar is None and row.p == 1


def test_seeds_count_in_the_test() -> None:
    """80.2, 81.9, 85.4 against 80.7, 83.2, 86.7 on 12,000 items: the seeds differ more than the systems."""
    suite = suite_of([2] * 12_000)

    def runs(name: str, *shares: float):  # type: ignore[no-untyped-def]
        order = np.random.default_rng(4).random(12_000)
        return name, [scores_from(order < share, f"{name}{i}") for i, share in enumerate(shares)]

    systems = [runs("a", 0.802, 0.819, 0.854), runs("b", 0.807, 0.832, 0.867)]
    over, fixed = compare(suite, systems), compare(suite, systems, runs="fixed")
    welch = stats.ttest_ind([0.802, 0.819, 0.854], [0.807, 0.832, 0.867], equal_var=False).pvalue
    assert over.seeds and over.total[0].p == pytest.approx(welch, abs=0.05)
    assert fixed.total[0].p < 0.001 and "for these runs only" in fixed.notes[0]
    two = compare(suite, [(name, several[:2]) for name, several in systems])
    assert not two.seeds and "needs 3 runs" in two.notes[0]
    one = compare(suite, [systems[0], systems[1][1][2]])
    assert one.seeds and one.total[0].freedom < 3 and "one run" in one.notes[0]
    three = compare(suite, [systems[0], systems[1][1][2], systems[1][1][1]])
    assert (
        three.total[2].seed_error == 0
        and "one run for each system, the test holds for these runs only" in three.notes[1]
    )
    assert not any("each" in note for note in one.notes)
    with pytest.raises(KontrastError, match="checkpoints are not one system"):
        compare(suite, systems, runs="checkpoints")


def test_items_of_one_source_stand_together() -> None:
    """Ten items a source, no documents: the sources are the clusters."""
    variants = Variant("gut"), Variant("schlecht", error="e")
    suite = Suite("sources", tuple(Item(str(i), f"source {i // 10}", variants) for i in range(200)))
    worse = np.ones(200, dtype=bool)
    worse[:30] = False
    result = compare(suite, [scores_from(~worse | True, "a"), scores_from(worse, "b")])
    assert (result.cluster, result.clusters) == ("source", 20)
    assert result.total[0].p > 0.05 > result.total[0].mcnemar  # type: ignore[operator]
    assert "20 sources" in comparison_method(result)


def test_what_is_refused() -> None:
    plain, other = simulated(1, 0.5, "plain"), simulated(2, 0.5, "other")
    with pytest.raises(KontrastError, match="plain and other differ in normalise: sum against token"):
        compare(SUITE, [signed(plain), signed(other, normalise="token")])
    with pytest.raises(KontrastError, match="differ in direction: lower is better against higher"):
        compare(SUITE, [plain, msgspec.structs.replace(other, lower_is_better=False)])
    with pytest.raises(KontrastError, match="other items or another order"):
        compare(SUITE, [plain, signed(other, fingerprint="0" * 64)])
    with pytest.raises(KontrastError, match="two systems or more"):
        compare(SUITE, [plain])
    allowed = compare(SUITE, [signed(plain), signed(other, normalise="token")], allow=["normalise"], resamples=200)
    assert allowed.items == 200


def test_a_seed_that_stands_twice_is_refused() -> None:
    suite = suite_of([2] * 20)
    draw = np.random.default_rng(3)
    first, second, third = (Scores(f"seed{i}", tuple(draw.random(40).tolist())) for i in range(3))
    other = msgspec.structs.replace(first, system="copy")
    with pytest.raises(KontrastError, match=r"^new: runs 1 and 3 are the same \(seed0, copy\); give every seed once"):
        compare(suite, [third, ("new", [first, second, other])])
    with pytest.raises(KontrastError, match="runs 1 and 2 are the same"):
        evaluate_all(suite, [("new", [first, first])])
    assert compare(suite, [third, ("new", [first, second, other])], runs="fixed").total
    right = [scores_from(np.ones(20, dtype=bool), f"seed{i}") for i in range(3)]  # all right: nothing odd about that
    assert evaluate_all(suite, [("new", right)]).runs[0].mean == 1
    with pytest.raises(KontrastError, match="runs 1 and 2 are the same"):
        evaluate_all(suite, [("new", right[:1] * 3)])


def test_the_same_seed_gives_the_same_numbers() -> None:
    systems = [simulated(1, 0.5, "a"), simulated(2, 0.6, "b")]
    first, again = (compare(SUITE, systems, seed=7, resamples=500) for _ in range(2))
    assert first == again
