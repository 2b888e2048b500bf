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
from kontrast.judging.intervals import cluster_interval, cluster_sums, resampled_means, student_quantile, wilson


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
    found = paired.permutation_test(sums, 200_000, np.random.default_rng(1))
    assert found == pytest.approx(exact, abs=0.004)
    scipys = stats.permutation_test(
        (b, a), lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples", n_resamples=np.inf
    ).pvalue
    assert exact == pytest.approx(scipys)


def test_bootstrap_of_kinds_is_the_bootstrap_of_items() -> None:
    """Drawing kinds of clusters gives the distribution that drawing clusters gives."""
    generator = np.random.default_rng(5)
    credit = np.column_stack([generator.random(400) < 0.7, generator.random(400) < 0.75]).astype(np.float64)
    sums, sizes = cluster_sums(credit, np.arange(400) // 3)
    fast = resampled_means(sums, sizes, 20_000, generator)
    draws = generator.integers(0, len(sizes), (20_000, len(sizes)))
    plain = sums[draws].sum(axis=1) / sizes[draws].sum(axis=1)[:, None]
    assert fast.mean(axis=0) == pytest.approx(plain.mean(axis=0), abs=1e-3)
    assert np.cov(fast.T) == pytest.approx(np.cov(plain.T), rel=0.06, abs=2e-6)
    assert np.quantile(fast, [0.025, 0.975], axis=0) == pytest.approx(
        np.quantile(plain, [0.025, 0.975], axis=0), abs=3e-3
    )


def test_paired_bootstrap_interval_is_near_scipys() -> None:
    generator = np.random.default_rng(8)
    a = (generator.random(600) < 0.7).astype(np.float64)
    b = np.where(generator.random(600) < 0.2, generator.random(600) < 0.9, a).astype(np.float64)
    sums, sizes = cluster_sums(np.column_stack([a, b]), np.arange(600))
    interval, _ = paired.bootstrap_difference(sums, sizes, 10_000, generator)
    theirs = stats.bootstrap((b - a,), np.mean, rng=generator, n_resamples=10_000).confidence_interval
    assert (interval.low, interval.high) == (
        pytest.approx(theirs.low, abs=0.004),
        pytest.approx(theirs.high, abs=0.004),
    )


def test_minimum_detectable_difference_is_found_with_that_power() -> None:
    """Simulated at the difference it names, the test is significant in about 80% of the cases."""
    generator = np.random.default_rng(2)
    n, discordant = 1000, 0.2
    base = generator.random(n) < discordant
    sums = np.column_stack([base & (np.arange(n) % 2 == 0), base & (np.arange(n) % 2 == 1)]).astype(np.float64)
    difference = paired.minimum_detectable(sums, np.ones(n))
    assert difference is not None
    found = 0
    for _ in range(600):
        total = generator.binomial(n, discordant)
        better = generator.binomial(total, 0.5 + difference / discordant / 2)
        found += paired.mcnemar_exact(total - better, better) <= 0.05
    assert 0.72 <= found / 600 <= 0.88


def test_cluster_interval_covers_where_wilson_does_not() -> None:
    generator = np.random.default_rng(11)
    sets, clusters, each, share = 400, 40, 10, 0.8
    covered = plain = 0
    for i in range(sets):
        rate = generator.beta(share * 3, (1 - share) * 3, clusters)
        number = np.repeat(np.arange(clusters), each)
        credit = (generator.random(number.size) < rate[number]).astype(np.float64)
        own, naive = cluster_interval(credit, number, resamples=600, seed=i), wilson(credit.sum(), credit.size)
        covered += own.low <= share <= own.high
        plain += naive.low <= share <= naive.high
    assert 0.91 <= covered / sets <= 0.985
    assert plain / sets < 0.85


def test_false_positives_are_few() -> None:
    generator = np.random.default_rng(12)
    sets = 500
    rejected = {"mcnemar": 0, "permutation": 0, "bootstrap": 0}
    for _ in range(sets):
        a, b = (generator.random((2, 600)) < 0.75).astype(np.float64)
        sums, sizes = cluster_sums(np.column_stack([a, b]), np.arange(600))
        rejected["mcnemar"] += paired.mcnemar_exact(*paired.discordant(a, b)) <= 0.05
        rejected["permutation"] += paired.permutation_test(sums, 1000, generator) <= 0.05
        rejected["bootstrap"] += paired.bootstrap_difference(sums, sizes, 1000, generator)[1] <= 0.05
    for name, count in rejected.items():
        assert count / sets <= 0.075, name
    assert rejected["permutation"] / sets >= 0.02
