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
from kontrast.judging.contrast import Contrast, Gaps, contrast, gaps_of
from kontrast.judging.intervals import cluster_sums, jackknife, share_interval, wilson, with_seeds
from kontrast.judging.student import student_quantile, student_tail


@pytest.mark.parametrize(("right", "items"), [(0, 10), (1, 7), (94, 100), (500, 1000), (20, 20)])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_wilson_is_that_of_statsmodels(right: int, items: int, level: float) -> None:
    low, high = proportion_confint(right, items, alpha=1 - level, method="wilson")
    found = wilson(right, items, level)
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-12), pytest.approx(high, abs=1e-12))


@pytest.mark.parametrize("freedom", [0.5, 1, 2, 2.37, 3, 7, 29, 400, 5000])
def test_student_quantile_is_that_of_scipy(freedom: float) -> None:
    for p in (0.025, 0.6, 0.9, 0.975, 0.995):
        assert student_quantile(p, freedom) == pytest.approx(stats.t.ppf(p, freedom), rel=1e-9)


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
        assert student_tail(t, freedom) == pytest.approx(stats.t.sf(t, freedom), rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_jackknife_is_that_of_leaving_out_each_cluster(seed: int) -> None:
    """Written from the decisions, without sums or formulas: take a document's decisions out, and the mean again.

    The mean is over decisions, so that long documents count for more. A jackknife of the documents' own means (each
    counts the same) is another estimate, and its error another number.
    """
    generator = np.random.default_rng(seed)
    number = np.repeat(np.arange(12), generator.integers(1, 40, 12))
    credit = generator.choice([0.0, 1.0, 0.5, 1 / 3], len(number))
    sums, sizes = cluster_sums(credit, number)
    found = jackknife(sums[:, 0], sizes)
    without = [credit[number != document].mean() for document in range(12)]
    variance = 11 / 12 * sum((each - credit.mean()) ** 2 for each in without)
    assert found.mean == pytest.approx(credit.mean(), abs=1e-12)
    assert found.variance == pytest.approx(variance, abs=1e-12)
    assert found.effective == pytest.approx(len(number) ** 2 / (np.bincount(number) ** 2).sum(), abs=1e-9)
    by_document = [credit[number == document].mean() for document in range(12)]
    assert found.variance != pytest.approx(np.var(by_document, ddof=1) / 12, rel=1e-3)


def test_on_equal_clusters_it_is_the_t_test() -> None:
    """With documents of equal size the jackknife is the paired t test on their means, but for what is added."""
    generator = np.random.default_rng(8)
    gaps = generator.normal(3, 10, 30).round()
    found = contrast(Gaps(gaps, np.abs(gaps) + 20, np.full(30, 100.0), float(np.abs(gaps).sum()) + 600))
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


def unequal(generator: np.random.Generator, tilt: float, gain: float = 0.0, discordant: float = 0.2) -> Contrast:
    """Differences on documents of very unequal size, some of which favour one system."""
    sizes = np.array([70, 60, 40, 30, 20, 15, 10, 8, 8, 6, 5, 4, 4, 3, 3, 2, 2, 2, 1, 1])
    strength = (1 - tilt) / tilt
    middle = 0.5 + gain / discordant / 2
    favour = generator.beta(middle * strength, (1 - middle) * strength, len(sizes))
    differ = generator.binomial(sizes, discordant)
    sums = 2.0 * generator.binomial(differ, favour) - differ
    return contrast(Gaps(sums, differ.astype(np.float64), sizes.astype(np.float64), float(differ.sum())))


def test_unequal_documents_keep_the_level_and_the_power() -> None:
    """False positives, coverage, and the power that the minimum detectable difference promises."""
    generator = np.random.default_rng(12)
    sets = 600
    rejected = sum(unequal(generator, 0.1).p <= 0.05 for _ in range(sets))
    assert 0.01 <= rejected / sets <= 0.07
    gain = float(np.median([unequal(generator, 0.1).detectable() or 1.0 for _ in range(200)]))
    found = [unequal(generator, 0.1, gain) for _ in range(sets)]
    covered = sum(each.interval().low <= gain <= each.interval().high for each in found)
    assert 0.92 <= covered / sets <= 0.985
    # Averaged over suites: each names a difference, and another suite has it.
    named = [each.detectable() for each in found[:300]]
    assert all(named)
    power = sum(unequal(generator, 0.1, min(each or 0.0, 0.19)).p <= 0.05 for each in named)
    assert 0.72 <= power / len(named) <= 0.88


def test_differences_in_few_documents() -> None:
    """Where two of eight documents have nearly all the differences, there are about two documents, not eight."""
    spread = Gaps(np.full(8, 5.0), np.full(8, 9.0), np.full(8, 100.0), 72.0)
    few = Gaps(
        np.array([20.0, 18, 1, 0, 1, 0, 0, 0]), np.array([36.0, 34, 1, 0, 1, 0, 0, 0]), np.full(8, 100.0), 72.0
    )
    assert spread.contributing == 8
    assert 2 <= few.contributing < 2.2
    assert contrast(few).freedom == pytest.approx(few.contributing - 1)
    assert contrast(spread).p < 0.001 < 0.05 < contrast(few).p
    # Single decisions in documents of their own do not look concentrated.
    alone = gaps_of(np.zeros(400), (np.arange(400) % 20 == 0) * 1.0, np.arange(400) // 20)
    assert alone.contributing == 20


def test_the_interval_is_what_the_test_does_not_reject() -> None:
    generator = np.random.default_rng(4)
    for _ in range(50):
        found = unequal(generator, 0.2, 0.05)
        for level in (0.9, 0.95, 0.99):
            interval = found.interval(level)
            assert (interval.low > 0 or interval.high < 0) == (found.p < 1 - level)
            assert -1 <= interval.low <= found.difference <= interval.high <= 1


def test_tango_is_the_score_of_maximum_likelihood() -> None:
    """The error at a difference is that of Tango's restricted estimate, here by brute force."""
    a_better, b_better, items = 12, 30, 200
    credit = np.concatenate([np.full(a_better, -1.0), np.ones(b_better), np.zeros(items - a_better - b_better)])
    found = contrast(gaps_of(np.zeros(items), credit, np.arange(items)))
    b, a = (found.moved + found.centre) / 2, (found.moved - found.centre) / 2
    for truth in (-0.05, 0.0, 0.1, 0.2):
        shares = np.linspace(max(0, -truth) + 1e-9, (1 - truth) / 2 - 1e-9, 400_001)
        likelihood = b * np.log(shares + truth) + a * np.log(shares) + (1 - a - b) * np.log(1 - truth - 2 * shares)
        best = shares[np.argmax(likelihood)]
        expected = (2 * best + truth - truth**2) / (b + a - (b - a) ** 2)
        assert found.error_at(truth) / found.error == pytest.approx(np.sqrt(expected), rel=1e-3)


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


def test_three_seeds_and_many_decisions_keep_the_level() -> None:
    """Where seeds add most of the variance: Satterthwaite's degrees of freedom reject 7.5%."""
    generator = np.random.default_rng(13)
    sets, decisions = 20_000, 1000
    over_decisions = 0.2 * generator.chisquare(decisions, sets) / decisions
    over_seeds = 0.8 * generator.chisquare(2, sets) / 2
    parts = zip(over_decisions.tolist(), over_seeds.tolist(), strict=True)
    total, freedom = np.array([with_seeds(v, decisions, ((s, 2),)) for v, s in parts]).T
    rejected = np.abs(generator.normal(size=sets)) > stats.t.ppf(0.975, freedom) * np.sqrt(total)
    assert 0.04 < rejected.mean() < 0.06


def test_false_positives_are_few() -> None:
    generator = np.random.default_rng(12)
    sets = 500
    rejected = {"mcnemar": 0, "permutation": 0, "jackknife": 0}
    for _ in range(sets):
        a, b = (generator.random((2, 600)) < 0.75).astype(np.float64)
        rejected["mcnemar"] += paired.mcnemar_exact(*paired.discordant(a, b)) <= 0.05
        rejected["permutation"] += paired.permutation_test(b - a, 1000, generator) <= 0.05
        rejected["jackknife"] += contrast(gaps_of(a, b, np.arange(600))).p <= 0.05
    for name, count in rejected.items():
        assert count / sets <= 0.075, name
    assert rejected["jackknife"] / sets >= 0.02
