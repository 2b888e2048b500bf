"""Meta-evaluation: ACES' tau and score, severities, sensitivity, ties, agreement; DEMETR's failed items."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import kontrast
from kontrast import Item, KontrastError, Scores, Suite, Variant
from kontrast.judging.meta.evaluate import leave_out_unchanged, meta_evaluate
from kontrast.judging.meta.statistics import calibrate
from kontrast.testsets.aces import WEIGHTS, category_of


def suite_of(*tags: dict[str, object]) -> Suite:
    items = [
        Item(
            str(i), f"s{i}", (Variant("good"), Variant(f"bad{i}", error=str(each.get("phenomenon", "e")))), tags=each
        )
        for i, each in enumerate(tags)
    ]
    return Suite("made", tuple(items), "de", "en")


def scores(*pairs: tuple[float, float], name: str = "m", lower: bool = False) -> Scores:
    return Scores(name, tuple(value for pair in pairs for value in pair), lower_is_better=lower)


ACES = (
    "addition",
    "omission",
    "hallucination-date-time",
    "anaphoric_singular_they:deletion",
    "copy-source",
    "do-not-translate",
    "hyponym-replacement",
    "hypernym-replacement",
    "antonym-replacement",
    "similar-language-low",
    "punctuation:deletion_all",
)


def test_aces_score_weights_the_means_of_categories() -> None:
    suite = suite_of(*({"phenomenon": name} for name in ACES for _ in range(2)))
    # Right everywhere but: a tie among dates, both wrong for the pronoun.
    values = [(2.0, 1.0)] * len(suite.items)
    values[4], values[6], values[7] = (1.0, 1.0), (1.0, 2.0), (1.0, 2.0)
    taus = meta_evaluate(suite, [scores(*values)]).metrics[0].taus
    assert {tau.label: tau.tau for tau in taus.phenomena}["hallucination-date-time"] == 0.0
    assert taus.categories["mistranslation"] == -0.5
    assert taus.aces == pytest.approx(sum(WEIGHTS.values()) - 5 * 1.5) and taus.reach == pytest.approx(29.1)
    assert (taus.total.concordant, taus.total.discordant, taus.total.ties) == (19, 3, 1)


def test_without_all_categories_there_is_no_aces_score() -> None:
    taus = meta_evaluate(suite_of({"phenomenon": "addition"}), [scores((2, 1))]).metrics[0].taus
    assert taus.aces is None and (taus.partial, taus.reach) == (5.0, 5.0)
    assert category_of("pronoun_it") is None


def test_graver_errors_cost_more() -> None:
    tags: list[dict[str, object]] = [
        {"severity": name} for name in ("minor", "major", "critical", "base") for _ in "123"
    ]
    costs = [1, 2, 3, 2, 3, 4, 5, 6, 7, 99, 99, 99]
    found = meta_evaluate(suite_of(*tags), [scores(*((50.0 + i, 50.0 + i - c) for i, c in enumerate(costs)))])
    severities = found.metrics[0].severities
    assert severities is not None and severities.ordered
    assert [level.margin for level in severities.levels] == [2.0, 3.0, 6.0]
    pairs = [
        (a, b)
        for i, j in combinations(range(3), 2)
        for a in costs[3 * i : 3 * i + 3]
        for b in costs[3 * j : 3 * j + 3]
    ]
    assert severities.graver == pytest.approx(np.mean([(a < b) + 0.5 * (a == b) for a, b in pairs]))
    assert severities.pairs == len(pairs)


def test_sensitivity_is_in_the_metrics_spread() -> None:
    suite = suite_of({}, {}, {})
    values = [(10.0, 8.0), (20.0, 16.0), (30.0, 24.0)]
    [plain] = meta_evaluate(suite, [scores(*values)]).metrics[0].sensitivity
    assert (plain.margin, plain.spread, plain.effect) == (4.0, 10.0, 0.4)
    [scaled] = (
        meta_evaluate(suite, [scores(*((-a / 7, -b / 7) for a, b in values), lower=True)]).metrics[0].sensitivity
    )
    assert scaled.effect == pytest.approx(plain.effect)
    [output] = meta_evaluate(suite, [scores(*values)], outputs=[[1.0, 3.0, 5.0]]).metrics[0].sensitivity
    assert output.spread == 2.0 and output.over == "a system's output"


differences = st.lists(st.tuples(st.sampled_from([-1.0, 0.0, 1.0]), st.integers(-3, 3)), min_size=1, max_size=12)


@given(differences)
def test_the_calibrated_threshold_is_the_best_there_is(pairs: list[tuple[float, int]]) -> None:
    gold, metric = (np.array(column, dtype=np.float64) for column in zip(*pairs, strict=True))

    def accuracy(epsilon: float) -> float:
        decided = np.where(np.abs(metric) <= epsilon, 0.0, np.sign(metric))
        return float((decided == gold).mean())

    found = calibrate(gold, metric)
    assert found.accuracy == pytest.approx(max(accuracy(e) for e in (0, 1, 2, 3)))
    assert accuracy(found.epsilon) == pytest.approx(found.accuracy)
    assert accuracy(0) == pytest.approx(found.accuracy_at_zero) and found.ties == int((gold == 0).sum())


def test_translations_of_one_source_are_compared_for_ties() -> None:
    items = [
        Item(str(i), "the same", (Variant("good"), Variant(f"bad{i}", error="e")), tags={"severity": severity})
        for i, severity in enumerate(("minor", "minor", "critical"))
    ]
    found = meta_evaluate(Suite("s", tuple(items)), [scores((9, 7), (9, 6.5), (9, 1))]).metrics[0].calibration
    # good, two minor ones, a critical one: six pairs, of which the two minor ones are level
    assert found is not None and (found.pairs, found.ties) == (6, 1)
    assert (found.accuracy_at_zero, found.accuracy, found.epsilon) == (5 / 6, 1.0, 0.5)


def test_metrics_that_agree() -> None:
    suite = suite_of(*({} for _ in range(6)))
    one = [(3.0, 1.0), (2.0, 1.0), (1.0, 2.0), (1.0, 1.0), (5.0, 1.0), (4.0, 1.0)]
    other = [(3.0, 2.0), (1.0, 2.0), (1.0, 3.0), (1.0, 1.0), (9.0, 1.0), (2.0, 1.0)]
    result = meta_evaluate(suite, [scores(*one, name="a"), scores(*other, name="b")])
    [pair] = result.agreements
    margins = [[a - b for a, b in values] for values in (one, other)]
    assert pair.agreement == pytest.approx(5 / 6)
    assert pair.pearson == pytest.approx(scipy.stats.pearsonr(*margins).statistic)
    assert pair.spearman == pytest.approx(scipy.stats.spearmanr(*margins).statistic)
    assert result.comparison is not None and result.comparison.total[0].difference == pytest.approx(-1 / 6)


def test_failed_perturbations_are_left_out_and_counted(data: Path) -> None:
    suite = kontrast.load(data / "demetr-x-en" / "critical_id10_numbers_replaced.json")
    result = kontrast.metrics(suite, ["chrF"])
    assert (result.items, result.left_out) == (372, 628)
    assert result.metrics[0].evaluation.items == 372 and result.metrics[0].evaluation.interval.low > 0.5
    with pytest.raises(KontrastError, match=r"no item tests a metric \(pert_check"):
        leave_out_unchanged(suite_of({"pert_check": False}), [])


def test_a_whole_file_of_demetr(data: Path) -> None:
    result = kontrast.metrics(kontrast.load(data / "demetr-x-en" / "minor_id32_first_lower.json"), ["chrF", "TER"])
    assert result.items == 1000 and result.left_out == 0
    chrf, ter = (each.evaluation for each in result.metrics)
    assert ter.ties >= 990  # it lower-cases
    assert chrf.interval.low > 0.7 and chrf.ties < 200


def test_a_foil_that_is_the_reference_is_left_out() -> None:
    """DEMETR's base_id35_reference: every good metric prefers the "perturbed" text."""
    turned = Item("1", "x", (Variant("a b"), Variant("a c", error="base")), references=(Variant("a c"),))
    usual = Item("2", "x", (Variant("a b"), Variant("a d", error="e")), references=(Variant("a c"),))
    result = meta_evaluate(Suite("s", (turned, usual)), [Scores("m", (1.0, 9.0, 5.0, 2.0), lower_is_better=False)])
    assert (result.items, result.left_out, result.metrics[0].evaluation.accuracy) == (1, 1, 1.0)
    assert result.reasons == {"the changed text equals the reference": 1}


def test_equal_scores_have_no_spread() -> None:
    """0.1 three times is not 0.3: the deviation of equal values must not be what rounding leaves."""
    suite = suite_of({}, {}, {})
    same = scores((0.1, 0.0), (0.1, 0.0), (0.1 + 1e-17, 0.0))
    found = meta_evaluate(suite, [same]).metrics[0]
    assert found.sensitivity[0].effect is None
    outputs = meta_evaluate(suite, [same], outputs=[[0.1, 0.1, 0.1]]).metrics[0]
    assert outputs.sensitivity[0].effect is None
