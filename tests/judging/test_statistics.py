"""Intervals and tests against scipy and statsmodels, and by simulations (more: benchmarks/judging_statistics.py)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint, proportion_effectsize

from kontrast.judging import paired
from kontrast.judging.clusters import Grouped
from kontrast.judging.intervals import share_interval, wilson
from kontrast.judging.jackknife import cluster_sums, jackknife
from kontrast.judging.student import student_quantile, student_tail


@pytest.mark.parametrize(("right", "items"), [(0, 10), (1, 7), (94, 100), (500, 1000), (20, 20)])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_wilson_is_that_of_statsmodels(right: int, items: int, level: float) -> None:
    low, high = proportion_confint(right, items, alpha=1 - level, method="wilson")
    found = wilson(right, items, level)
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-12), pytest.approx(high, abs=1e-12))


@pytest.mark.parametrize("freedom", [1, 2, 3, 7, 29, 400, 5000])
def test_student_quantile_is_that_of_scipy(freedom: int) -> None:
    for p in (0.025, 0.6, 0.9, 0.975, 0.995):
        assert student_quantile(p, freedom) == pytest.approx(stats.t.ppf(p, freedom), rel=3e-4)


@pytest.mark.parametrize(("a", "b"), [(0, 0), (2, 11), (5, 5), (0, 6), (60, 90), (900, 1100), (4000, 4300)])
def test_mcnemar_is_that_of_statsmodels(a: int, b: int) -> None:
    expected = mcnemar([[10, a], [b, 10]], exact=True).pvalue
    assert paired.mcnemar_exact(a, b) == pytest.approx(min(1.0, expected), rel=1e-9)


def test_holm_is_that_of_statsmodels() -> None:
    generator = np.random.default_rng(3)
    for size in (1, 2, 5, 20):
        p_values = (generator.random(size) ** 3).tolist()
        assert paired.holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1].tolist())


def test_cohens_h_is_that_of_statsmodels() -> None:
    assert paired.cohens_h(0.7, 0.8) == pytest.approx(proportion_effectsize(0.8, 0.7))


def test_permutation_is_that_of_all_permutations() -> None:
    """Twelve decisions with shared ties: every sign of every difference, and scipy's own test."""
    a = np.array([1, 0, 1, 1, 0.5, 0, 1, 0, 1, 0, 1 / 3, 0])
    b = np.array([1, 1, 1, 0, 1, 1, 1, 1, 0.5, 1, 1, 0])
    gaps = (b - a)[b != a]
    signs = np.array(list(itertools.product([-1, 1], repeat=len(gaps))))
    exact = np.mean(np.abs(signs @ gaps) >= abs(gaps.sum()) - 1e-9)
    sums, _ = cluster_sums(np.column_stack([a, b]), np.arange(len(a)))
    drawn = paired.permutation_test(sums[:, 1] - sums[:, 0], 1000, np.random.default_rng(1))
    every = paired.permutation_test(sums[:, 1] - sums[:, 0], 10_000, np.random.default_rng(1))
    assert every == pytest.approx(exact) and drawn == pytest.approx(exact, abs=0.05)
    scipys = stats.permutation_test(
        (b, a), lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples", n_resamples=np.inf
    ).pvalue
    assert exact == pytest.approx(scipys)


@pytest.mark.parametrize("freedom", [0.7, 1, 2.4, 5, 30.5, 900])
def test_student_tail_is_that_of_scipy(freedom: float) -> None:
    for t in (-1.0, 0.0, 0.5, 2.0, 4.5):
        assert student_tail(t, freedom) == pytest.approx(stats.t.sf(t, freedom), rel=2e-3, abs=1e-4)


def test_jackknife_is_that_of_leaving_out_each_cluster() -> None:
    generator = np.random.default_rng(5)
    sizes = generator.integers(1, 40, 12).astype(np.float64)
    sums = generator.binomial(sizes.astype(int), 0.7).astype(np.float64)
    left = np.array([np.delete(sums, i).sum() / np.delete(sizes, i).sum() for i in range(12)])
    found = jackknife(sums, sizes)
    assert found.mean == pytest.approx(sums.sum() / sizes.sum())
    assert found.variance == pytest.approx(11 / 12 * ((left - found.mean) ** 2).sum())
    assert found.effective == pytest.approx(sizes.sum() ** 2 / (sizes**2).sum())


def test_on_equal_clusters_it_is_the_t_test() -> None:
    """With documents of equal size the jackknife is the paired t test on their means, but for half a decision."""
    generator = np.random.default_rng(8)
    gaps = generator.normal(3, 10, 30).round()
    found = paired.contrast(gaps, np.full(30, 100.0))
    theirs = stats.ttest_1samp(gaps / 100, 0)
    assert found.freedom <= 29
    interval = theirs.confidence_interval()
    assert found.interval().low == pytest.approx(interval.low, abs=0.004)
    assert found.p == pytest.approx(theirs.pvalue, abs=0.01)


def test_a_perfect_score_has_no_jump() -> None:
    """1600 of 1600 and 1599 in eight documents are nearly the same result."""
    grouped = Grouped("document", np.arange(1600) // 200)
    credit = np.ones(1600)
    perfect = share_interval(credit, grouped)
    credit[0] = 0
    nearly = share_interval(credit, grouped)
    assert 0.985 < nearly.low < perfect.low < 1 and perfect.high == 1
    assert perfect.low - nearly.low < 0.01


def test_odds_stay_finite() -> None:
    ratio, interval = paired.odds_ratio(np.zeros(40), np.ones(40))
    assert ratio is None and interval is None
    ratio, interval = paired.odds_ratio(np.repeat([1.0, 2.0], 20), np.repeat([3.0, 2.0], 20))
    assert ratio == pytest.approx(5 / 3) and interval is not None and 1 < interval.low < ratio < interval.high < 4


def unequal(generator: np.random.Generator, tilt: float, gain: float = 0.0, discordant: float = 0.2):  # type: ignore[no-untyped-def]
    """Differences on documents of very unequal size, some of which favour one system."""
    sizes = np.array([70, 60, 40, 30, 20, 15, 10, 8, 8, 6, 5, 4, 4, 3, 3, 2, 2, 2, 1, 1])
    strength = (1 - tilt) / tilt
    middle = 0.5 + gain / discordant / 2
    favour = generator.beta(middle * strength, (1 - middle) * strength, len(sizes))
    differ = generator.binomial(sizes, discordant)
    return 2.0 * generator.binomial(differ, favour) - differ, sizes.astype(np.float64)


def test_unequal_documents_keep_the_level_and_the_power() -> None:
    """False positives, coverage, and the power that the minimum detectable difference promises."""
    generator = np.random.default_rng(12)
    sets = 600
    rejected = sum(paired.contrast(*unequal(generator, 0.1)).p <= 0.05 for _ in range(sets))
    assert 0.01 <= rejected / sets <= 0.07
    errors = [paired.contrast(*unequal(generator, 0.1)) for _ in range(200)]
    typical = errors[int(np.argsort([found.error for found in errors])[100])]
    gain = typical.detectable()
    assert gain is not None
    found = [paired.contrast(*unequal(generator, 0.1, gain)) for _ in range(sets)]
    covered = sum(each.interval().low <= gain <= each.interval().high for each in found)
    power = sum(each.p <= 0.05 for each in found)
    assert 0.92 <= covered / sets <= 0.985
    assert 0.68 <= power / sets <= 0.9


def test_cluster_interval_covers_where_wilson_does_not() -> None:
    generator = np.random.default_rng(11)
    sets, clusters, each, share = 400, 40, 10, 0.8
    covered = plain = 0
    for _ in range(sets):
        rate = generator.beta(share * 3, (1 - share) * 3, clusters)
        number = np.repeat(np.arange(clusters), each)
        credit = (generator.random(number.size) < rate[number]).astype(np.float64)
        own, naive = share_interval(credit, Grouped("document", number)), wilson(credit.sum(), credit.size)
        covered += own.low <= share <= own.high
        plain += naive.low <= share <= naive.high
    assert 0.91 <= covered / sets <= 0.985
    assert plain / sets < 0.85


def test_false_positives_are_few() -> None:
    generator = np.random.default_rng(12)
    sets = 500
    rejected = {"mcnemar": 0, "permutation": 0, "jackknife": 0}
    for _ in range(sets):
        a, b = (generator.random((2, 600)) < 0.75).astype(np.float64)
        rejected["mcnemar"] += paired.mcnemar_exact(*paired.discordant(a, b)) <= 0.05
        rejected["permutation"] += paired.permutation_test(b - a, 1000, generator) <= 0.05
        rejected["jackknife"] += paired.contrast(b - a, np.ones(600)).p <= 0.05
    for name, count in rejected.items():
        assert count / sets <= 0.075, name
    assert rejected["jackknife"] / sets >= 0.02
