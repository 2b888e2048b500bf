"""Verdicts in words: each sentence says what the figures say, and no more."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import kontrast
from kontrast import GateConfig, Item, Scores, Suite, Variant, evaluate_all
from kontrast.cli import kontrast as command

from .making import pairs_in_documents, scores_from

PAIRS = (Variant("ein Hund"), Variant("eine Hund")), (Variant("eine Katze"), Variant("ein Katze"))


def suite(items: int = 200, phenomena: int = 2) -> Suite:
    made = [
        Item(str(i), f"{i}", PAIRS[i // 2 % 2], tags={"phenomenon": f"kind{i % phenomena}"}) for i in range(items)
    ]
    return Suite("dogs", tuple(made))


def system(name: str, *right: bool) -> Scores:
    return Scores(name, tuple(value for good in right for value in ((1.0, 2.0) if good else (2.0, 1.0))))


def test_an_evaluation_is_held_against_guessing() -> None:
    good = kontrast.evaluate(suite(), system("good", *[True] * 200)).verdict
    assert good.startswith("good prefers the right translation in 100.0% of 200 items, clearly more than guessing")
    assert "clearly above guessing and the most frequent form in kind0 and kind1" in good
    chance = kontrast.evaluate(suite(), system("half", *[True, False, False, True] * 50)).verdict
    assert "not clearly more than guessing (50.0%)" in chance and "2 of 2 phenomena" in chance
    bad = kontrast.evaluate(suite(), system("bad", *[False] * 200)).verdict
    assert "clearly less than guessing" in bad and "clearly below guessing in kind0 and kind1" in bad


def test_a_comparison_says_which_how_sure_and_where() -> None:
    old, new = system("old", *[True] * 200), system("new", *[i % 2 == 0 or i > 60 for i in range(200)])
    found = kontrast.compare(suite(), old, new)
    assert found.verdict.startswith(
        "new (85.0%) is 15.0 points worse than old (100.0%). That is significant (p < .0005)."
    )
    assert "new does worse on 30 items and better on none." in found.verdict
    assert "significantly worse in kind1 (-30.0); no significant change in 1" in found.verdict
    close = system("close", *[i > 1 for i in range(200)])
    told = kontrast.compare(suite(), old, close).verdict
    assert told.endswith("no significant change in 2 (largest drop: kind0, -1.0).")
    mixed = Suite(
        "mixed", (*suite(100, 1).items, *(Item(f"x{i}", "x", PAIRS[0], tags={"phenomenon": "rare"}) for i in "123"))
    )
    rare = kontrast.compare(
        mixed, system("old", *[True] * 103), system("new", *[0 < i < 101 for i in range(103)])
    ).verdict
    assert rare.endswith("no significant change in 1 (largest drop: kind0, -1.0); too few items to decide in 1."), (
        "rare loses more and cannot be tested"
    )
    assert "not significant" in told and re.search(r"reliably shows differences of [\d.]+ points or more", told)
    assert kontrast.compare(suite(), old, old).verdict == "old#1 and old#2 have the same result on all 200 items."
    few = kontrast.compare(suite(4, 1), system("a", *[True] * 4), system("b", *[False] * 4)).verdict
    assert "No test can decide whether this is chance: 4 decisions are too few" in few


def test_of_several_systems_the_best_is_named_or_all_stand_against_the_baseline() -> None:
    best, same = system("best", *[True] * 200), system("same", *[i > 0 for i in range(200)])
    worst = system("worst", *[i % 3 == 0 for i in range(200)])
    told = kontrast.compare(suite(), worst, same, best).verdict
    assert told.startswith("best is right most often (100.0% of 200 items); significantly better than worst (+66.5)")
    assert "not significantly better than same (+0.5)" in told
    against = kontrast.compare(suite(), worst, same, best, baseline="worst").verdict
    assert against.startswith("Against worst (33.5%): significantly better: same (+66.0) and best (+66.5).")
    assert against.endswith("Between worst and the others: a significant difference in kind0 and kind1.")


def test_a_gate_names_the_broken_rules() -> None:
    good, bad = system("good", *[True] * 200), system("bad", *[False] * 200)
    config = GateConfig(accuracy=0.9, tie_rate=0.1)
    assert kontrast.gate(suite(), good, config).verdict == "good passes the gate on dogs: all 2 rules are kept."
    told = "bad fails the gate on dogs: 1 of 2 rules broken (total: accuracy 0.0% of 200, expected at least 90%)."
    assert kontrast.gate(suite(), bad, config).verdict == told


def test_json_has_the_sentence_under_its_key_and_the_original_style_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    kontrast.convert("demo:de", "own.json", to_format="contrapro")
    rows = kontrast.load("own.json").row_count
    for name, step in (("a", 7), ("b", 5)):
        Path(f"{name}.scores").write_text("".join(f"{(step * i) % 11}\n" for i in range(rows)))

    def run(*args: str) -> str:
        shown = CliRunner().invoke(command, args)
        assert shown.exit_code == 0, shown.output
        return shown.stdout

    for args in (("evaluate", "own.json", "a.scores"), ("compare", "own.json", "a.scores", "b.scores")):
        verdict = json.loads(run(*args, "--json"))["verdict"]
        assert run(*args).partition("\n\n")[0].replace("\n", " ") == verdict
    original = run("evaluate", "own.json", "a.scores", "--style", "original")
    assert original.startswith("total :") and "prefers" not in original


def test_equal_systems_are_called_equal() -> None:
    suite = pairs_in_documents(8, 2)
    right = np.arange(16) > 3
    found = evaluate_all(suite, [scores_from(right, "a"), scores_from(right, "b"), scores_from(right & False, "c")])
    assert found.verdict.startswith("a and b are right equally often on 16 items (75%), then c (0%);")
