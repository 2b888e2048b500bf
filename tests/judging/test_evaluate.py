"""Evaluation: real figures, grouping, baselines, normalisation, runs."""

from __future__ import annotations

import csv
from pathlib import Path

import msgspec
import numpy as np
import pytest

import kontrast
from kontrast import Item, KontrastError, Scores, Suite, Variant, evaluate, evaluate_all, load, read_scores
from kontrast.judging.decisions import decisions_of
from kontrast.judging.grouping import MISSING, TagColumns, group_by
from kontrast.judging.runs import steps_of
from kontrast.suites.model import Signature, TokenScores

from .making import pairs_in_documents, scores_from, suite_of


def test_the_scores_of_gpt(data: Path) -> None:
    """Two prompts on 52 items: 11 wins, 2 losses, 91 ties, and the sixteen published means."""
    folder = data / "pro-mistranslations-en-de"
    suite = load(folder)
    suite = msgspec.structs.replace(
        suite, items=tuple(i for i in suite.items if i.tags["test_set"] == "newstest2021")
    )
    published = (folder / "gpt_scores/results_gpt.txt").read_text()
    total = np.zeros(3, dtype=int)
    means = 0
    for prompt in ("doc_DA", "doc_SQM"):
        values: list[float] = []
        for letter in "ABCD":
            good, bad = (
                [float(row["score"]) for row in csv.DictReader(path.read_text().splitlines(keepends=True))]
                for path in (
                    folder / f"gpt_scores/{prompt}_ref-{letter}.csv",
                    folder / f"gpt_scores/{prompt}_perturbed_ref-{letter}.csv",
                )
            )
            values += [value for pair in zip(good, bad, strict=True) for value in pair]
        result = evaluate(suite, Scores(prompt, tuple(values), lower_is_better=False), by=["reference"])
        total += (result.right, result.wrong, result.ties)
        rows = np.array(values).reshape(-1, 2)
        letters = np.array([item.tags["reference"] for item in suite.items])
        section = published.partition(f"Prompt type: {prompt}")[2].partition("Temperature")[0]
        for letter in "ABCD":
            for mean in rows[letters == letter].mean(axis=0):
                means += str(mean) in section.split()
    assert total.tolist() == [11, 2, 91]
    assert means == 16


def test_contrapro_against_the_original(data: Path, golden: Path) -> None:
    """With ties wrong the total is the one that the original printed."""
    suite = load(data / "contrapro-en-de/contrapro.subset.json")
    scores = read_scores(golden / "contrapro/system.scores", suite)
    strict = evaluate(suite, scores, ties="wrong", by=["src_pronoun,ref_pronoun", "distance:cap=3"])
    printed = (golden / "contrapro/default.txt").read_text()
    assert f"total : {strict.right} {strict.items} {strict.accuracy}\n" in printed
    for group in strict.by[0].groups:
        assert f"{group.label.replace(' · ', ':')} : {group.right} {group.items} {group.accuracy}\n" in printed
    own = evaluate(suite, scores)
    assert own.right + own.wrong + own.ties == own.items == 2600
    assert own.cluster == "document" and own.interval.method == "jackknife"
    assert {b.name for b in own.baselines} == {"chance", "constant", "majority", "shorter"}


def test_lingeval97_counts_pairs(golden: Path) -> None:
    suite = load(golden / "lingeval97/suite.json")
    scores = read_scores(golden / "lingeval97/system.scores", suite)
    result = evaluate(suite, scores, ties="wrong", by=["frequency:lingeval97", "distance:lingeval97"])
    assert result.unit == "pair" and result.items == result.as_pairs.items > result.as_items.items
    printed = (golden / "lingeval97/default.txt").read_text()
    assert f"total : {result.right} {result.items} {result.accuracy}\n" in printed
    for group in result.by[0].groups:
        assert f"{group.label} : {group.right} {group.items} {group.accuracy}\n" in printed
    assert result.by[0].by == "phenomenon" and result.macro == result.by[0].macro


def test_always_the_majority_is_seen() -> None:
    """Nine of ten items want `es`: a scorer that always says so gets 90%, and the baseline shows it."""
    items = []
    for i in range(100):
        right, wrong = ("es", "er") if i % 10 else ("er", "es")
        variants = Variant(f"{right} ist"), Variant(f"{wrong} ist", "pronoun", tags={"replacement": wrong})
        items.append(Item(str(i), "it is", variants, tags={"ref_pronoun": right}))
    suite = Suite("unbalanced", tuple(items))
    values = [0.0 if v.text.startswith("es") else 1.0 for item in items for v in item.variants]
    result = evaluate(suite, Scores("es", tuple(values)), by=["ref_pronoun"])
    majority = next(b for b in result.baselines if b.name == "majority")
    assert result.accuracy == majority.accuracy == 0.9
    assert [g.majority for g in result.by[0].groups] == [0.0, 1.0]


def test_binning_rules() -> None:
    decisions = decisions_of(suite_of([2] * 14))

    def labels(by: str) -> list[str]:
        grouping = group_by(decisions.tags, by)
        return [label for label, _, _ in grouping.parts()]

    assert labels("distance") == ["0", "1", "2", "3", "4"]
    assert labels("distance:cap=2") == ["0", "1", "2", ">2"]
    assert labels("distance:width=2") == ["0–1", "2–3", "4–5"]
    assert labels("distance:edges=1/3") == ["<1", "1–<3", "≥3"]
    assert labels("frequency:log")[:3] == ["0", "1–9", "10–99"]
    assert labels("frequency:lingeval97")[:5] == ["0", "1", ">2", ">5", ">20"]
    assert len(labels("frequency:quantiles=4")) == 4
    assert labels("distance:quantiles=1000") == ["0", "1", "2", "3", "4"]
    assert labels("distance:cap=0") == ["0", ">0"]
    assert labels("kind,distance:cap=1") == ["A · 0", "A · 1", "A · >1", "B · 0", "B · 1", "B · >1"]
    with pytest.raises(KontrastError, match="no item has a tag 'dist'; known: distance, frequency, kind, phenomenon"):
        labels("dist")
    with pytest.raises(KontrastError, match="no binning rule 'x'; known: log"):
        labels("distance:x")
    with pytest.raises(KontrastError, match="needs numbers, but kind has the value 'A'"):
        labels("kind:log")
    with pytest.raises(KontrastError, match="log needs a whole number of at least 2"):
        labels("distance:log=1")
    with pytest.raises(KontrastError, match="distance cannot be crossed with itself"):
        labels("distance,distance")
    with pytest.raises(KontrastError, match="expected the name of a tag"):
        labels("distance,")


def test_a_missing_tag_is_a_group_of_its_own_and_pronouns_fold_case() -> None:
    values = ["It", "it", ..., None, "They"]
    tags = [{} if value is ... else {"src_pronoun": value} for value in values]
    grouping = group_by(TagColumns(lambda: tags), "src_pronoun")
    assert [label for label, _, _ in grouping.parts()][:3] == ["it", "they", MISSING]
    assert grouping.number.tolist() == [0, 0, 2, 2, 1]


def test_normalisations_side_by_side() -> None:
    pair = Variant("ein Hund"), Variant("ein Huhn da")
    suite = Suite("tiny", (Item("1", "a dog", pair), Item("2", "a dog", pair)))
    first = TokenScores(("ein", "Hund"), (-1.0, -2.0)), TokenScores(("ein", "Huhn", "da"), (-1.0, -1.5, -1.0))
    scores = Scores("x", (3.0, 3.5, 3.0, 3.5), tokens=first * 2)
    result = evaluate(suite, scores, normalise=["sum", "token", "byte", "span"])
    assert [n.accuracy for n in result.normalisations] == [1.0, 0.0, 0.0, 1.0]
    assert [flip.item for flip in result.flips] == ["1", "2"]
    assert result.flips[0].credits == {"sum": 1.0, "token": 0.0, "byte": 0.0, "span": 1.0}
    with pytest.raises(KontrastError, match="needs the log-probabilities of tokens"):
        evaluate(suite, Scores("x", (3.0, 3.5, 3.0, 3.5)), normalise=["token"])


def test_a_span_is_never_empty() -> None:
    """Without this, the variant that lacks a word would win everything."""
    suite = Suite("s", (Item("1", "not", (Variant("er kommt nicht ."), Variant("er kommt ."))),))
    rows = (
        TokenScores(("er", "kommt", "nicht", "."), (-1.0, -1.0, -0.5, -0.1)),
        TokenScores(("er", "kommt", "."), (-1.0, -1.0, -3.0)),
    )
    result = evaluate(suite, Scores("x", (2.6, 5.0), tokens=rows), normalise=["span"])
    assert result.accuracy == 1.0 and result.margins.mean == pytest.approx(3.0 - 0.6)


def test_runs_as_one_system() -> None:
    suite = pairs_in_documents(10, 2)
    right = np.arange(20) % 2 == 0
    runs = [scores_from(np.roll(right, i) | (np.arange(20) < i), f"base.step{100 * i}") for i in (3, 1, 2)]
    result = evaluate_all(suite, [("base", runs), scores_from(right, "other")], runs="checkpoints")
    summary = result.runs[0]
    assert summary.curve and summary.interval is None and [run.step for run in summary.runs] == [100, 200, 300]
    assert summary.mean == pytest.approx(np.mean([run.accuracy for run in summary.runs]))
    assert summary.spread == pytest.approx(np.std([run.accuracy for run in summary.runs], ddof=1))
    assert [s.system for s in result.systems][-1] == "other"
    with pytest.raises(KontrastError, match="must differ in one number"):
        steps_of(["a", "b"])


def test_seeds_are_not_guessed_from_names() -> None:
    """model.iter1000 is taken for a seed unless checkpoints are asked for; equal seeds still have an interval."""
    suite = pairs_in_documents(10, 20)
    right = np.arange(200) % 4 > 0
    runs = [scores_from(np.roll(right, i), f"model.iter{1000 * i}") for i in range(1, 4)]
    [three] = evaluate_all(suite, [("base", runs)]).runs
    assert not three.curve and three.over_seeds and three.interval is not None
    [two] = evaluate_all(suite, [("base", runs[:2])]).runs
    assert not two.over_seeds and two.interval is not None and "these runs only" in two.interval.method
    assert two.spread == 0 and two.interval.high - two.interval.low > 0.02
    assert steps_of(["model.iter1000", "model.iter500"]) == [1000, 500]


def test_scores_of_another_suite_are_refused() -> None:
    suite = pairs_in_documents(5, 2)
    scores = scores_from(np.ones(10, dtype=bool))
    foreign = msgspec.structs.replace(scores, signature=Signature(suite="x", fingerprint="ab" * 32))
    with pytest.raises(KontrastError, match=r"was scored on x \(hash abababab\), not on documents"):
        evaluate(suite, foreign)
    assert evaluate(suite, foreign, allow=["suite"]).accuracy == 1.0


def test_variants_that_are_the_same_are_noted() -> None:
    same = Item("1", "a", (Variant("b"), Variant("b", error="e")))
    other = Item("2", "a", (Variant("b", context=("x",)), Variant("b", error="e", context=("y",))))
    found = kontrast.evaluate(Suite("s", (same, other)), Scores("m", (1.0, 2.0, 1.0, 2.0)))
    assert [note for note in found.notes if "in 1 of 2 items a wrong variant equals" in note]
    assert not kontrast.evaluate(Suite("s", (other,)), Scores("m", (1.0, 2.0))).notes


def test_the_signature_says_what_changes_the_figure() -> None:
    suite = suite_of([2] * 6)
    lower = Scores("m", tuple(float(i * 7 % 5) for i in range(12)))
    higher = msgspec.structs.replace(lower, lower_is_better=False)
    how: list[dict[str, float]] = [{}, {"epsilon": 1.5}]
    found = [evaluate(suite, scores, **each) for scores in (lower, higher) for each in how]  # type: ignore[arg-type]
    assert len({each.signature for each in found}) == len(found)
    assert found[0].accuracy != found[2].accuracy


def test_runs_of_one_name_are_told_apart() -> None:
    suite = pairs_in_documents(8, 2)
    runs = [scores_from(np.arange(16) % n > 0, "x") for n in (2, 3)]
    found = evaluate_all(suite, [("base", runs)])
    assert [each.system for each in found.systems] == ["base/x#1", "base/x#2"]


def test_edges_are_numbers() -> None:
    suite = suite_of([2] * 4)
    for wrong in ("nan", "0/inf", "", "x"):
        with pytest.raises(KontrastError, match="edges needs numbers"):
            evaluate(suite, Scores("m", (1.0, 2.0) * 4), by=[f"distance:edges={wrong}"])
