"""The French antecedent against people (benchmarks/scat.py): marks, figures, what the network has learnt from."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def scat(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    sys.modules.pop("scat", None)
    import scat

    return scat


def test_marks_are_read_and_taken_out(scat: Any) -> None:
    words, places, text = scat.unmark("Mes  <hon>hommes<hoff>  m'aimaient, <p>ils</p> le disaient.")
    assert words == ["hommes"]
    assert text[places[0] :].startswith("ils le disaient.")
    assert "<" not in text


def test_figures_count_what_is_sure_enough(scat: Any) -> None:
    outcomes = [
        scat.Outcome(True, False, confidence=0.9, right=True),
        scat.Outcome(False, False, confidence=0.4, distance=1),
        scat.Outcome(True, False, confidence=0.1, right=True),
        scat.Outcome(True, False, why="no antecedent"),
    ]
    found = scat.figures(outcomes, scat.Confidences(0.2, 0.5))
    assert (found["items"], found["ceiling"]) == (4, 0.75)
    assert (found["answered"], found["right"]) == (0.5, 0.5)
    assert (found["answered strict"], found["right strict"]) == (0.25, 1.0)
    assert (found["answered under the ceiling"], found["right under the ceiling"]) == (0.25, 1.0)
    assert (found["answered 1 before"], found["right 1 before"]) == (0.25, 0.0)
    assert "0.500" in scat.table({"second opinion": None, "of all": found})


def test_levels_never_answer_what_has_no_antecedent(scat: Any) -> None:
    outcomes = [scat.Outcome(True, False, confidence=0.5, right=True), scat.Outcome(True, False, why="no antecedent")]
    assert set(scat.levels(outcomes).values()) == {"0.500, right 1.000"}


def test_pronouns_that_the_network_has_learnt_from_are_known(scat: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    near_key, seen = scat._learnt()
    assert len(seen) > 5_000
    text = "The door was shut, and then it opened."
    monkeypatch.setattr(scat, "_learnt", lambda: (near_key, {near_key(text, text.index("it "))}))
    assert scat.is_learnt(["Nobody came.", text])
    assert not scat.is_learnt(["Nobody came.", "It rained."])
