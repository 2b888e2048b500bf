"""Correlations equal scipy's; pairwise accuracy and its threshold equal a plain loop over all pairs."""

from __future__ import annotations

import contextlib
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import kontrast
from kontrast import Judgements, KontrastError
from kontrast.cli import kontrast as cli
from kontrast.judging.correlation.statistics import (
    calibrated_accuracy,
    flip_test,
    kendall,
    pearson,
    spearman,
    williams,
)
from kontrast.suites.judgements import read_judgements


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=40))
def test_correlations_are_scipys(points: list[tuple[int, int]]) -> None:
    a, b = np.array(points, dtype=float).T
    for ours, theirs in ((pearson, scipy.stats.pearsonr), (spearman, scipy.stats.spearmanr)):
        found = ours(a, b)
        if np.ptp(a) and np.ptp(b):
            assert found == pytest.approx(theirs(a, b).statistic, abs=1e-12)
        else:
            assert found is None
    expected = scipy.stats.kendalltau(a, b).statistic
    assert kendall(a, b) == (None if np.isnan(expected) else pytest.approx(expected, abs=1e-12))


def plain_accuracy(metric: np.ndarray, human: np.ndarray, epsilon: float) -> float:
    """Segment by segment, pair by pair."""
    shares = []
    for k in range(human.shape[1]):
        pairs = [(i, j) for i, j in combinations(range(len(human)), 2) if not np.isnan(human[i, k] + human[j, k])]
        right = 0
        for i, j in pairs:
            order, margin = human[i, k] - human[j, k], metric[i, k] - metric[j, k]
            called = 0 if abs(margin) <= epsilon else np.sign(margin)
            right += called == np.sign(order)
        shares += [right / len(pairs)] if pairs else []
    return float(np.mean(shares))


@given(st.integers(2, 5), st.integers(1, 6), st.integers(0, 10_000))
def test_pairwise_accuracy_is_the_plain_one_at_its_best_threshold(systems: int, segments: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    human = generator.integers(0, 3, (systems, segments)).astype(float)
    human[generator.random(human.shape) < 0.2] = np.nan
    metric = generator.integers(0, 5, human.shape).astype(float)
    found = calibrated_accuracy(metric, human)
    if found is None:
        return
    gaps = {
        0.0,
        *(abs(metric[i, k] - metric[j, k]) for i, j in combinations(range(systems), 2) for k in range(segments)),
    }
    best = max(plain_accuracy(metric, human, gap) for gap in gaps)
    assert found.accuracy == pytest.approx(best) == pytest.approx(plain_accuracy(metric, human, found.epsilon))
    assert found.accuracy_at_zero == pytest.approx(plain_accuracy(metric, human, 0.0))
    assert np.mean(found.by_segment) == pytest.approx(found.accuracy)


def simulated(noises: dict[str, float], systems: int = 8, segments: int = 60) -> tuple[Judgements, list[Judgements]]:
    generator = np.random.default_rng(3)
    quality = generator.normal(0, 1, (systems, 1)) + generator.normal(0, 1, (systems, segments))
    human = np.minimum(0, np.round(quality * 2) - 1)

    def named(name: str, values: np.ndarray) -> Judgements:
        keys = [(f"s{i}", str(k + 1)) for i in range(systems) for k in range(segments)]
        return Judgements(name, dict(zip(keys, values.reshape(-1).tolist(), strict=True)))

    noisy = [named(name, quality + generator.normal(0, noise, quality.shape)) for name, noise in noises.items()]
    return named("mqm", human), noisy


def test_known_answers() -> None:
    """The judgements themselves agree wholly, a constant metric with the ties alone, an inverse one with nothing."""
    human, _ = simulated({})
    constant = Judgements("constant", dict.fromkeys(human.values, 1.0))
    inverse = Judgements("inverse", {key: -value for key, value in human.values.items()})
    same, flat, turned = kontrast.correlate([Judgements("same", human.values), constant, inverse], human).metrics
    assert (same.segment_accuracy, same.system_accuracy) == (1.0, 1.0)
    assert same.segment_pearson == same.segment_kendall == pytest.approx(1.0)
    ties = plain_accuracy(np.zeros((8, 60)), np.array(list(human.values.values())).reshape(8, 60), 0.0)
    assert flat.segment_accuracy == pytest.approx(ties) and flat.segment_pearson is None
    assert turned.system_accuracy == 0.0 and turned.segment_pearson == pytest.approx(-1.0)
    [turned_back] = kontrast.correlate(inverse, human, minimize=["inverse"]).metrics
    assert turned_back.segment_accuracy == 1.0


def test_the_better_metric_is_told_from_the_worse_and_not_from_its_twin() -> None:
    human, metrics = simulated({"good": 0.3, "bad": 3.0, "also_bad": 3.0})
    good_bad, _, bad_twin = kontrast.correlate(metrics, human, resamples=2000).differences
    assert good_bad.segment_p is not None and good_bad.segment_p < 0.001
    assert good_bad.segment_accuracy is not None and good_bad.segment_accuracy > 0.1
    assert bad_twin.segment_p is not None and bad_twin.segment_p > 0.05


def test_the_flip_test_keeps_its_level() -> None:
    generator = np.random.default_rng(0)
    found = [flip_test(*generator.normal(0, 1, (2, 30)), resamples=199, seed=i) for i in range(300)]
    assert 0.02 <= np.mean(np.array(found) <= 0.05) <= 0.09


def test_williams_is_the_formula_with_scipys_t() -> None:
    r12, r13, r23, n = 0.8, 0.55, 0.4, 12
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    t = (r12 - r13) * np.sqrt(
        (n - 1) * (1 + r23) / (2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3)
    )
    assert williams(r12, r13, r23, n) == pytest.approx(2 * scipy.stats.t.sf(t, n - 3), abs=1e-6)
    assert williams(0.5, 0.5, 1.0, 9) is None and williams(0.5, 0.4, 0.1, 3) is None


MQM = """system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity
A\td\t1\t1\tr1\tx\t"y\tAccuracy/Omission\tMajor
A\td\t1\t1\tr1\tx\ty\tFluency/Punctuation\tMinor
A\td\t1\t1\tr2\tx\ty\tNo-error\tno-error
B\td\t1\t1\tr1\tx\ty\tNon-translation!\tMajor
"""


def test_mqm_annotations_become_scores(tmp_path: Path) -> None:
    path = tmp_path / "mqm.tsv"
    path.write_text(MQM)
    found = read_judgements(path)
    assert found.values == {("A", "1:1"): pytest.approx(-2.55), ("B", "1:1"): -25.0}
    assert (found.kind, found.raters) == ("MQM", 2)


def test_other_forms(tmp_path: Path) -> None:
    (tmp_path / "m.seg.score").write_text("A\t1.5\nA\tNone\nB\t2\nB\t3\n")
    assert read_judgements(tmp_path / "m.seg.score").values == {("A", "1"): 1.5, ("B", "1"): 2.0, ("B", "2"): 3.0}
    (tmp_path / "esa.jsonl").write_text('{"system": "A", "doc_id": "n", "seg_id": 3, "esa_score": 80}\n')
    assert read_judgements(tmp_path / "esa.jsonl").values == {("A", "n:3"): 80.0}
    (tmp_path / "da.tsv").write_text("system\tsegment\tscore\nA\t1\t70\nA\t1\t80\n")
    assert read_judgements(tmp_path / "da.tsv").values == {("A", "1"): 75.0}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        ("A\tx\n", "expected a number"),
        ("A\tnan\n", "expected a finite number"),
        ("system\tscore\nA\t1\n", "column for the segment"),
        ("system\tsegment\tscore\nA\t1\n", "expected 3 columns, found 2"),
        ('{"system": 1\n', "JSON object"),
        ("a b A 1 2\na b A 1 3\n", "once"),
        (MQM.replace("Minor", "huge"), "severity"),
    ],
)
def test_bad_judgements(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "x.tsv"
    path.write_text(text)
    with pytest.raises(KontrastError, match=problem) as raised:
        read_judgements(path)
    assert "\n" not in str(raised.value)


def test_missing_scores_are_refused_and_more_are_counted() -> None:
    human = Judgements("h", {("A", "1"): 1.0, ("B", "1"): 2.0})
    with pytest.raises(KontrastError, match="m has no system B"):
        kontrast.correlate(Judgements("m", {("A", "1"): 1.0}), human)
    with pytest.raises(KontrastError, match="no score of segment 1 of B"):
        kontrast.correlate(Judgements("m", {("A", "1"): 1.0, ("B", "2"): 1.0}), human)
    more = {("A", "1"): 1.0, ("B", "1"): 1.0, ("C", "1"): 5.0, ("A", "2"): 1.0}
    assert kontrast.correlate(Judgements("m", more), human).left_out == 2
    with pytest.raises(KontrastError, match="two systems"):
        kontrast.correlate(Judgements("m", more), Judgements("h", {("A", "1"): 1.0}))
    with pytest.raises(KontrastError, match="no such metric"):
        kontrast.correlate(Judgements("m", more), human, minimize=["x"])


@given(st.binary(max_size=60))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("bytes") / "x"
    path.write_bytes(data)
    with contextlib.suppress(KontrastError):
        assert isinstance(read_judgements(path), Judgements)


def test_pairwise_accuracy_is_not_defined_where_people_tie_every_pair() -> None:
    places = [(system, str(n)) for system in "abc" for n in range(20)]
    human = Judgements("human", dict.fromkeys(places, 1.0))
    metric = Judgements("m", {place: float(n) for n, place in enumerate(places)})
    found = kontrast.correlate(metric, human=human)
    assert (found.pairs, found.tied_pairs) == (60, 60)
    assert found.metrics[0].segment_accuracy is None and found.metrics[0].epsilon is None
    assert "not defined" in found.notes[0]


def test_people_who_give_every_translation_the_same_order_no_systems() -> None:
    """The means of .7 over three and over ten segments differ by rounding."""
    places = [(system, str(n)) for system, size in (("a", 3), ("b", 10), ("c", 6)) for n in range(size)]
    metric = Judgements("m", {place: float(n * 7 % 11) for n, place in enumerate(places)})
    result = kontrast.correlate(metric, Judgements("human", dict.fromkeys(places, 0.7)))
    numbers = {name: value for name, value in result.metrics[0].to_dict().items() if name != "metric"}
    assert set(numbers.values()) == {None}
    assert "people tie all" in result.notes[0]


def test_no_p_without_a_difference() -> None:
    """Systems whose means are equal but for rounding have no correlation, and so no test of one."""
    systems, segments = [f"s{i}" for i in range(5)], [str(i) for i in range(20)]
    draw = np.random.default_rng(1)
    gold = {(s, g): float(i + draw.normal()) for i, s in enumerate(systems) for g in segments}
    metric = {key: value + float(draw.normal()) for key, value in gold.items()}
    values = [0.1 * i for i in range(20)]
    level = {(s, g): float(v) for s in systems for g, v in zip(segments, draw.permutation(values), strict=True)}
    found = kontrast.correlate([Judgements("m", metric), Judgements("level", level)], Judgements("people", gold))
    [difference] = found.differences
    assert found.metrics[1].system_pearson is None
    assert difference.system_pearson is None
    assert difference.system_p is None


def test_a_negative_seed_is_refused() -> None:
    told = CliRunner().invoke(cli, ["correlate", "x", "--human", "y", "--seed", "-1"])
    assert told.exit_code == 2 and "x>=0" in told.output
