"""Logs of Inspect as scores.

`LOG` is a log of the real package (0.3.285, its mock model, two epochs, shuffled choices) for three pairs. Its
answers are A B A in the first epoch, A B and nothing readable in the second.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import kontrast
from kontrast import KontrastError
from kontrast.io.unpacking import read_members
from kontrast.suites.scores import read_scores

HERE = Path(__file__).resolve().parent
LOG = HERE / "inspect_log.eval"
PAIRS = (("The cats sleep.", "The cats sleeps."), ("He is here.", "He are here."), ("It works.", "It work."))


@pytest.fixture
def suite(tmp_path: Path) -> kontrast.Suite:
    path = tmp_path / "agreement.jsonl"
    rows = ({"sentence_good": good, "sentence_bad": bad, "UID": "agreement"} for good, bad in PAIRS)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return kontrast.load(path)


def as_json() -> dict[str, Any]:
    """The log as Inspect's other form has it: header and samples in one object."""
    parts = {name: json.loads(data) for name, data in read_members(LOG, lambda name: True)}
    samples = [value for name, value in parts.items() if name.startswith("samples/")]
    return {**parts["header.json"], "samples": samples}


def test_answers_are_votes(suite: kontrast.Suite, tmp_path: Path) -> None:
    scores = read_scores(f"inspect:{LOG}", suite)
    order = [sample["choices"] for sample in as_json()["samples"][:3]]
    assert order[0] == list(PAIRS[0][::-1]), "the choices are shuffled"
    expected = [float(text == choices[letter]) for letter, choices in zip((0, 1), order, strict=False)
                for text in PAIRS[order.index(choices)]]  # fmt: skip
    assert scores.values == (*expected, 0.75, 0.25) and not scores.lower_is_better
    assert scores.unread == (0, 0, 0, 0, 1, 1)
    found = kontrast.evaluate(suite, f"inspect:{LOG}")
    assert (found.right, found.ties) == (2, 0)
    assert any("1 of 6 answers could not be read" in note for note in found.notes)
    (tmp_path / "log.json").write_text(json.dumps(as_json()))
    same = read_scores(f"inspect:{tmp_path / 'log.json'}", suite)
    assert same.values == scores.values and same.signature == scores.signature
    for change in ({"plan": {**as_json()["plan"], "config": {"temperature": 1}}}, {"plan": None}):
        (tmp_path / "log.json").write_text(json.dumps(as_json() | change))
        assert "prompts" in kontrast.compare(suite, f"inspect:{LOG}", f"b=inspect:{tmp_path / 'log.json'}").differs


def test_a_right_choice_that_is_always_first_is_told(suite: kontrast.Suite, tmp_path: Path) -> None:
    log = as_json()
    for sample in log["samples"]:
        sample |= {"choices": list(PAIRS[sample["id"]]), "target": "A", "scores": {"choice": {"answer": "A"}}}
    (tmp_path / "log.json").write_text(json.dumps(log))
    found = kontrast.evaluate(suite, f"inspect:{tmp_path / 'log.json'}")
    assert found.accuracy == 1
    assert any(
        "POSITION BIAS cannot be detected: the right choice is A in every item" in note for note in found.notes
    )


def changed(**values: Any) -> Any:
    return lambda log: log["samples"][0].update(values)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda log: log.update(status="error"), "ended with the status error"),
        (lambda log: log["samples"].pop() and log.update(samples=log["samples"][:2]), "expected 3 samples.*found 2"),
        (changed(choices=["Yes.", "No."]), "sample 0, epoch 1 belongs to another task"),
        (changed(choices=None), "has no choices; only multiple-choice tasks"),
        (changed(target="A"), "its target is A, which is not the right variant"),
        (changed(error={"message": "x"}), "ended with an error"),
        (changed(scores={}), "has no score"),
        (changed(scores={"match": {"answer": "A"}}), "was judged by match"),
        (changed(scores={"choice": {"answer": "A, B"}}), "expected one letter"),
        (lambda log: log["samples"].append(log["samples"][0]), "sample . once per epoch, in all 2, found 3"),
        (lambda log: log["samples"].pop(), "sample . once per epoch, in all 2, found 1"),
        (lambda log: log.pop("eval"), "expected a log of Inspect"),
    ],
)
def test_what_is_refused(change: Any, said: str, suite: kontrast.Suite, tmp_path: Path) -> None:
    log = as_json()
    change(log)
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "log.json").write_text(json.dumps(log))
    with pytest.raises(KontrastError, match=said):
        read_scores(f"inspect:{folder}", suite)


def test_broken_files_and_other_use(suite: kontrast.Suite, tmp_path: Path) -> None:
    with pytest.raises(KontrastError, match="read only together with its suite"):
        read_scores(f"inspect:{LOG}")
    with pytest.raises(KontrastError, match="higher is better"):
        read_scores(f"inspect:{LOG}", suite, maximize=False)
    with pytest.raises(KontrastError, match="expected one log of Inspect"):
        read_scores(f"inspect:{tmp_path / 'nothing'}".replace("nothing", ""), suite)
    with pytest.raises(KontrastError, match="no such file"):
        read_scores("inspect:none.eval", suite)
    data = LOG.read_bytes()
    (tmp_path / "cut.eval").write_bytes(data[: len(data) // 2])
    with pytest.raises(KontrastError, match="cannot be read"):
        read_scores(f"inspect:{tmp_path / 'cut.eval'}", suite)
    with zipfile.ZipFile(tmp_path / "stopped.eval", "w") as made:
        made.writestr("_journal/start.json", "{}")
    with pytest.raises(KontrastError, match="the run did not end"):
        read_scores(f"inspect:{tmp_path / 'stopped.eval'}", suite)


@pytest.mark.slow
def test_the_real_package(suite: kontrast.Suite, tmp_path: Path) -> None:
    """Its accuracy is kontrast's where one epoch has readable answers, in both forms of its log."""
    python = sys.executable if find_spec("inspect_ai") else os.environ.get("KONTRAST_INSPECT", "")
    if not python:
        venv.create(tmp_path / "venv", with_pip=True)
        python = str(tmp_path / "venv/bin/python")
        done = subprocess.run(
            [python, "-m", "pip", "install", "-q", "inspect-ai<0.4"], capture_output=True, text=True
        )
        if done.returncode:
            pytest.skip(f"Inspect cannot be installed here: {done.stderr.strip()[-200:]}")
    for form, answers, *shuffle in (("eval", "ABA", "shuffle"), ("json", "ABB")):
        out = tmp_path / form
        words = [python, str(HERE / "inspect_task.py"), str(out), form, answers, *shuffle]
        done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ""})
        assert done.returncode == 0, done.stderr[-3000:]
        status, accuracy = done.stdout.split()[-2:]
        found = kontrast.evaluate(suite, f"inspect:{out}")
        assert status == "success" and found.accuracy == pytest.approx(float(accuracy)) and found.ties == 0
