"""``--limit N``: a first trial is the same part of a suite everywhere, and tells what the whole would take."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import kontrast
from kontrast.cli import main

UPPER = f"command:{sys.executable} -c 'import sys; [print(line.strip().upper()) for line in sys.stdin]'"


def _run(capsys, *args: str | Path) -> tuple[int, str, str]:
    try:
        main([str(arg) for arg in args])
    except SystemExit as stop:
        told = capsys.readouterr()
        return int(stop.code or 0), told.out, told.err
    raise AssertionError("main always exits")


def test_trial_scores_are_those_of_the_named_part(tmp_path: Path, capsys) -> None:
    out = tmp_path / "trial.scores"
    status, _, err = _run(
        capsys, "score", "demo:fr", "--model", "tiny", "--limit", 12, "--no-store", "--threads", 1, "--out", out
    )
    assert status == 0
    assert re.search(r"the whole suite takes about \d+ (s|min)", err)
    part = kontrast.load("demo:fr?limit=12")
    trial = kontrast.read_scores(out, part)
    assert trial.signature is not None and trial.signature.fingerprint == part.fingerprint
    assert _run(capsys, "evaluate", "demo:fr?limit=12", out)[0] == 0
    status, _, err = _run(capsys, "evaluate", "demo:fr", out)
    assert status == 2
    assert "SUITE?limit=N" in err


def test_trial_of_translations_is_checked_with_the_same_limit(tmp_path: Path, capsys) -> None:
    out = tmp_path / "trial.fr"
    status, _, err = _run(capsys, "translate", "demo:fr", "--model", UPPER, "--limit", 9, "--no-store", "--out", out)
    assert status == 0
    assert "the whole suite" in err
    assert out.read_text("utf-8").splitlines() == [i.source.upper() for i in kontrast.load("demo:fr?limit=9").items]
    assert _run(capsys, "check", "demo:fr", out, "--limit", 9)[0] == 0
    status, _, err = _run(capsys, "check", "demo:fr", out)
    assert status == 2
    assert "SUITE?limit=N" in err


def test_trial_of_another_seed_is_checked_with_that_seed(tmp_path: Path, capsys) -> None:
    out, trial = tmp_path / "trial.fr", ("--limit", 9, "--seed", 2)
    assert _run(capsys, "translate", "demo:fr", "--model", UPPER, *trial, "--no-store", "--out", out)[0] == 0
    assert _run(capsys, "check", "demo:fr", out, *trial)[0] == 0
    assert _run(capsys, "check", "demo:fr", out, "--limit", 9)[0] == 2


def test_other_seed_other_items() -> None:
    assert kontrast.load("demo:fr?limit=9").fingerprint != kontrast.load("demo:fr?limit=9&seed=2").fingerprint


def test_metrics_take_a_part(capsys) -> None:
    items = tuple(
        kontrast.Item(
            str(n),
            "It sleeps.",
            (kontrast.Variant("Er schläft."), kontrast.Variant("Er schlaft.")),
            references=(kontrast.Variant("Er schläft jetzt."),),
        )
        for n in range(30)
    )
    result = kontrast.metrics(kontrast.Suite("made", items), "chrF", limit=10)
    assert result.metrics[0].evaluation.items == 10
    assert "the whole suite" in capsys.readouterr().err
