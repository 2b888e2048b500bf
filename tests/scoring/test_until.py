"""`kontrast score --until decided`: it stops when it may, says what it knows, and no part passes for a whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import kontrast
from kontrast import Scores, Suite, load, read_scores, save
from kontrast.cli import main
from kontrast.errors import KontrastError
from kontrast.judging.sequential import log_evidence
from kontrast.suites.scores import write_scores

pytest.importorskip("torch")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("KONTRAST_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        code = ended.value.code
        return (code if isinstance(code, int) else 0, *capsys.readouterr())

    return call


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    """The bundled suite's items, each a document of its own."""
    items = [msgspec.structs.replace(item, document=str(n)) for n, item in enumerate(load("demo:de").items)]
    made = Suite("many", tuple(items), "en", "de")
    save(made, tmp_path / "suite.jsonl")
    return load(tmp_path / "suite.jsonl")


def written(suite: Suite, name: str, folder: Path, *, right: bool) -> Path:
    """Scores that have every decision right, or wrong."""
    values = [float((row.variant_index == row.item.correct) != right) for row in suite.rows()]
    write_scores(Scores(name, tuple(values)), folder / f"{name}.scores")
    return folder / f"{name}.scores"


def test_worse_than_an_oracle_is_decided_early(run: Run, suite: Suite, tmp_path: Path) -> None:
    oracle = written(suite, "oracle", tmp_path, right=True)
    asked = ("score", "suite.jsonl", "--model", "tiny", "--until", "decided", "--against", oracle)
    code, out, err = run(*asked, "--out", "part.scores", "--json")
    found = json.loads(out)
    assert (code, found["outcome"]) == (0, "worse") and found["rows"] < found["all_rows"] == suite.row_count
    [rule] = found["rules"]
    assert rule["high"] < 0 and rule["after"] <= found["clusters"] < found["all_clusters"] == len(
        {item.source for item in suite.items}
    )
    assert len(Path("part.scores").read_text().splitlines()) == found["rows"]
    assert f"{found['rows']:,} rows" in err
    # No other command takes a part for the whole.
    for command in ("evaluate", "report", "gate"):
        Path("gate.toml").write_text("[gate]\naccuracy = 0.1\n")
        more = {"report": ("--out", "r.html"), "gate": ("--config", "gate.toml")}.get(command, ())
        code, out, err = run(command, "suite.jsonl", "part.scores", *more)
        assert code == 2 and "has only part" in err and "worse after" in err, command
    # Without its .json nobody knows which rows they are: no advice that gives a number for others.
    Path("bare.scores").write_text(Path("part.scores").read_text())
    code, out, err = run("evaluate", "suite.jsonl", "bare.scores")
    assert code == 2 and "which rows these are" in err and "limit" not in err
    # The same command again scores nothing, and gives the same bytes; the whole has the same numbers.
    code, out, err = run(*asked, "--out", "again.scores")
    assert ", 0 scored" in err and "worse" in out and "note the scores cover only part" in out
    assert Path("again.scores").read_text() == Path("part.scores").read_text()
    code, out, err = run("score", "suite.jsonl", "--model", "tiny", "--out", "whole.scores")
    assert set(Path("part.scores").read_text().split()) <= set(Path("whole.scores").read_text().split())
    assert ", 0 scored" not in err and "0 from the store" not in err


def test_a_partial_result_in_memory_is_refused_too(suite: Suite, tmp_path: Path) -> None:
    oracle = read_scores(written(suite, "oracle", tmp_path, right=True), suite)
    made = kontrast.score(suite, "tiny", until="decided", against=oracle)
    assert made.stopped is not None and made.stopped.partial and made.stopped.outcome == "worse"
    with pytest.raises(KontrastError, match="has scores of only a part"):
        kontrast.evaluate(suite, made)
    with pytest.raises(KontrastError, match="has scores of only a part"):
        kontrast.compare(suite, oracle, made)
    other = kontrast.score(suite, "tiny", until="decided", against=oracle, seed=2)
    assert other.stopped is not None and other.values != made.values


def test_the_same_system_is_not_decided(run: Run, suite: Suite) -> None:
    run("score", "suite.jsonl", "--model", "tiny", "--out", "base.scores")
    asked = ("score", "suite.jsonl", "--model", "tiny", "--until", "decided", "--against", "base.scores")
    code, out, _ = run(*asked, "--out", "same.scores")
    assert code == 0 and "not decided after 191 of 191 sources" in out and "better" not in out and "worse" not in out
    assert Path("same.scores").read_text() == Path("base.scores").read_text()
    assert run("evaluate", "suite.jsonl", "same.scores")[0] == 0


@pytest.mark.parametrize(
    ("rules", "outcome", "code"),
    [
        ("accuracy = 0.95", "failed", 1),
        ("accuracy = 0.1", "passed", 0),
        ("accuracy = 0.1\ntie_rate = 0.4", "passed", 0),
        ("accuracy = 0.1\n[gate.baseline]\nscores = 'oracle.scores'\nmargin = 0.1", "failed", 1),
        ("[gate.baseline]\nscores = 'never.scores'\nmargin = 0.1", "passed", 0),
        ("[gate.baseline]\nscores = 'never.scores'", "passed", 0),
    ],
)
def test_a_gate(run: Run, suite: Suite, tmp_path: Path, rules: str, outcome: str, code: int) -> None:
    written(suite, "oracle", tmp_path, right=True)
    written(suite, "never", tmp_path, right=False)
    # By phenomenon some are too rare to be decided on the way: then the whole is scored.
    Path("gate.toml").write_text(f"[gate]\n{rules}\n")
    given = ("--until", "decided", "--config", "gate.toml", "--out", "s.scores", "--json")
    found_code, out, _ = run("score", "suite.jsonl", "--model", "tiny", *given)
    found = json.loads(out)
    assert (found["outcome"], found_code) == (outcome, code)
    if "margin" in rules or "tie" in rules or "baseline" not in rules:
        assert found["rows"] < found["all_rows"]


def test_wrong_input(run: Run, suite: Suite, tmp_path: Path) -> None:
    oracle = written(suite, "oracle", tmp_path, right=True)
    start = ("score", "suite.jsonl", "--model", "tiny", "--out", "s.scores")
    code, _, err = run(*start, "--until", "decided")
    assert code == 2 and "--config FILE with a [gate], or --against" in err
    Path("gate.toml").write_text("[gate]\naccuracy = 0.8\n")
    code, _, err = run(*start, "--until", "decided", "--against", oracle, "--config", "gate.toml")
    assert code == 2 and "cannot be used together" in err
    code, _, err = run(*start[:-1], "-", "--until", "decided", "--against", oracle)
    assert code == 2 and "give --out FILE" in err
    code, _, err = run(*start[:-1], oracle, "--until", "decided", "--against", oracle)
    assert code == 2 and "has scores of the whole suite" in err and len(read_scores(oracle, suite).values)
    code, _, err = run(*start, "--against", oracle)
    assert code == 2 and "--against needs --until decided" in err
    Path("gate.toml").write_text("[gate.baseline]\nscores = ['oracle.scores', 'oracle.scores']\n")
    code, _, err = run(*start, "--until", "decided", "--config", "gate.toml")
    assert code == 2 and "several runs" in err
    made = ("score", "suite.jsonl", "--model", f"file:{oracle}", "--out", "s.scores")
    code, _, err = run(*made, "--until", "decided", "--against", oracle)
    assert code == 2 and "scores a suite as a whole" in err
    items = [msgspec.structs.replace(item, document=str(n % 3)) for n, item in enumerate(suite.items)]
    few = msgspec.structs.replace(suite, items=tuple(items))
    with pytest.raises(KontrastError, match="3 documents are too few"):
        kontrast.score(few, "tiny", until="decided", against=written(few, "few", tmp_path, right=True))
    with pytest.raises(KontrastError, match="hash"):
        signed = kontrast.score(few, "tiny")
        kontrast.score(suite, "tiny", until="decided", against=signed)


@pytest.mark.parametrize(("documents", "runs", "right"), [(120, 2000, 0.5), (600, 500, 0.8)])
def test_it_keeps_its_level(documents: int, runs: int, right: float) -> None:
    """Unequal documents that go one way as a whole, few or many, even or skewed: without a difference the evidence
    rarely reaches 1/alpha."""
    generator = np.random.default_rng(0)
    crossed = 0
    for _ in range(runs):
        sizes = generator.geometric(0.1, documents)
        lean = generator.beta(right, 1 - right, documents)
        crossed += bool(
            log_evidence(generator.binomial(sizes, lean) - right * sizes, right * sizes).max() >= np.log(20)
        )
    assert crossed / runs <= 0.05
    # And with a difference it does.
    sums, worst = generator.binomial(10, 0.65, 400) - 5.0, np.full(400, 5.0)
    assert log_evidence(sums, worst).max() > np.log(20) and log_evidence(-sums, worst).max() < np.log(20)


def test_one_long_document_does_not_make_the_others_worthless() -> None:
    sums = np.random.default_rng(1).binomial(10, 0.58, 400) - 5.0
    worst = np.full(401, 5.0)
    worst[-1] = 15.0
    assert log_evidence(sums, worst).max() > np.log(20)
    worst[-1] = 5000.0  # it is still to come, and may turn everything round
    assert log_evidence(sums, worst).max() < np.log(20)
