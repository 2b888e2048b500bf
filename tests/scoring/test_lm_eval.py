"""lm-evaluation-harness both ways: tasks that the real package runs, and its samples as scores.

`LM_EVAL` is a log of the real package (0.4.13, a random LLaMA of two layers) for a made suite of three items.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from importlib.util import find_spec
from pathlib import Path

import pytest

import kontrast
from kontrast import KontrastError, Scores, Suite
from kontrast.cli import main
from kontrast.suites.scores import read_scores

from .models import make

HERE = Path(__file__).resolve().parent
LOG = HERE / "lm_eval_samples.jsonl"
PAIRS = (("The cats sleep.", "The cats sleeps."), ("He is here.", "He are here."), ("It works.", "It work."))


def blimp(folder: Path, copies: int = 1) -> Path:
    path = folder / "agreement.jsonl"
    rows = [
        {"sentence_good": good.replace(".", f" {n}."), "sentence_bad": bad.replace(".", f" {n}."), "UID": "agreement"}
        for n in range(copies)
        for pair in PAIRS
        for good, bad in ([pair] if n % 2 == 0 else [pair[::-1]])
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_task_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        main(["convert", "demo:de", str(tmp_path / "tasks"), "--to", "lm-eval"])
    assert not done.value.code
    assert "source_context" in capsys.readouterr().err
    names = {path.name for path in (tmp_path / "tasks").iterdir()}
    assert names == {"kontrast_demo_de.yaml", "kontrast_demo_de.jsonl", "kontrast_load.py"}
    doc = json.loads((tmp_path / "tasks/kontrast_demo_de.jsonl").read_text("utf-8").splitlines()[0])
    suite = kontrast.load("demo:de")
    assert doc["prompt"] == f"English: {suite.items[0].source}\nGerman:" and doc["target"] == 0
    assert doc["choices"] == [v.text for v in suite.items[0].variants] and doc["fingerprint"] == suite.fingerprint
    kontrast.convert(blimp(tmp_path), tmp_path / "tasks", to_format="lm-eval")
    assert 'target_delimiter: ""' in (tmp_path / "tasks/kontrast_agreement.yaml").read_text()


def test_samples_are_scores(tmp_path: Path) -> None:
    suite = kontrast.load(blimp(tmp_path))
    scores = read_scores(f"lm-eval:{LOG}", suite)
    assert len(scores.values) == 6 and not scores.lower_is_better and scores.signature is not None
    assert (scores.signature.engine, scores.signature.fingerprint) == ("lm-eval", suite.fingerprint)
    logged = [json.loads(line) for line in LOG.read_text("utf-8").splitlines()]
    found = kontrast.evaluate(suite, f"lm-eval:{LOG}")
    assert found.right == sum(sample["acc"] for sample in logged)
    assert kontrast.compare(suite, f"a=lm-eval:{LOG}", f"b=lm-eval:{LOG}").total[0].difference == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda s: [{**s[0], "filter": "strict"}], "went through the filter strict"),
        (lambda s: s[:2], "expected 3 documents, the items of agreement, found 2 .*: run the whole task"),
        (lambda s: [{**s[0], "doc_id": -1}, *s[1:]], "found 3 .numbers -1 to 2.: run the whole task"),
        (
            lambda s: [{**x, "arguments": [["", c] for c in "abc"], "resps": [[[-1, False]]] * 3} for x in s],
            "line 1: expected 2 choices, the number of variants of item 1, found 3",
        ),
        (lambda s: [s[0], s[0], *s[1:]], "line 2: document 0 occurs twice|document 0 occurs twice"),
        (
            lambda s: [{**s[0], "resps": s[0]["resps"][:1]}, *s[1:]],
            "line 1: expected 2 choices, the number of variants of item 1",
        ),
        (
            lambda s: [{**s[1], "doc_id": 0, "doc": {}}, *s[1:]],
            "line 1: it belongs to another task: expected the choice 'The",
        ),
        (lambda s: [{**s[0], "doc": {**s[0]["doc"], "fingerprint": "00"}}, *s[1:]], "belongs to another version"),
        (lambda s: [{**s[0], "resps": [["Paris"], ["Rome"]]}, *s[1:]], "only multiple-choice tasks have scores"),
        (lambda s: [{"doc_id": 0}], "line 1: expected a sample of lm-evaluation-harness"),
    ],
)
def test_what_is_refused(change, said: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    samples = [json.loads(line) for line in LOG.read_text("utf-8").splitlines()]
    path = tmp_path / "samples_made_2026.jsonl"
    path.write_text("".join(json.dumps(sample) + "\n" for sample in change(samples)))
    with pytest.raises(KontrastError, match=said):
        read_scores(f"lm-eval:{tmp_path}", kontrast.load(blimp(tmp_path)))
    with pytest.raises(KontrastError, match="read only together with its suite"):
        read_scores(f"lm-eval:{path}")


def test_other_prompts_are_another_signature(tmp_path: Path) -> None:
    suite = kontrast.load(blimp(tmp_path))
    samples = [json.loads(line) for line in LOG.read_text("utf-8").splitlines()]
    for sample in samples:
        for asked in sample["arguments"].values():
            asked["arg_0"] = "Dogs bark. "
    (tmp_path / "samples_a_2026.jsonl").write_text("".join(json.dumps(sample) + "\n" for sample in samples))
    assert "prompts" in kontrast.compare(suite, f"lm-eval:{LOG}", f"b=lm-eval:{tmp_path}").differs
    with pytest.raises(KontrastError, match="expected the log of lm-evaluation-harness, as in lm-eval:FILE"):
        read_scores("lm-eval:", suite)


def test_pairs_without_a_source_are_scored_by_decoder_only_models(tmp_path: Path) -> None:
    suite = kontrast.load(blimp(tmp_path))
    for name in ("llama", "gpt2"):
        (tmp_path / name).mkdir()
        scores = kontrast.score(suite, f"hf:{make(name, tmp_path / name)}")
        assert len(set(scores.values)) == 6
    (tmp_path / "marian").mkdir()
    with pytest.raises(KontrastError, match=r"the suite has no sources: .*needs a source; use a decoder-only"):
        kontrast.score(suite, f"hf:{make('marian', tmp_path / 'marian')}")


def decided(suite: Suite, scores: Scores) -> list[int]:
    """Of each item the variant that is preferred."""
    sign = 1 if scores.lower_is_better else -1
    values = iter(scores.values)
    rows = [[sign * next(values) for _ in item.variants] for item in suite]
    return [row.index(min(row)) for row in rows]


@pytest.fixture(scope="module")
def harness(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python that has the real package: this one, the one that KONTRAST_LM_EVAL names, or one made for the test."""
    if find_spec("lm_eval"):
        return sys.executable
    if named := os.environ.get("KONTRAST_LM_EVAL"):
        return named
    folder = tmp_path_factory.mktemp("harness")
    venv.create(folder, with_pip=True)
    python = folder / "bin/python"
    for package in ("torch==2.13.0", "lm-eval[hf]"):
        done = subprocess.run([python, "-m", "pip", "install", "-q", package], capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"lm-evaluation-harness cannot be installed here: {done.stderr.strip()[-200:]}")
    return str(python)


@pytest.mark.slow
def test_the_harness_decides_as_kontrast_does(harness: str, tmp_path: Path) -> None:
    suites = [kontrast.load("demo:de"), kontrast.load("demo:fr"), kontrast.load(blimp(tmp_path, 20))]
    for suite in suites:
        kontrast.convert(_saved(suite, tmp_path), tmp_path / "tasks", to_format="lm-eval")
    tasks = ["kontrast_demo_de", "kontrast_demo_fr", "kontrast_agreement"]

    def run(model: str) -> dict[str, float]:
        words = [
            harness,
            HERE.parents[1] / "tools" / "lm_eval_run.py",
            tmp_path / "tasks",
            tmp_path / "out",
            model,
            *tasks,
        ]
        environment = {**os.environ, "HF_HUB_OFFLINE": "1", "PYTHONPATH": ""}
        done = subprocess.run([*map(str, words)], capture_output=True, text=True, env=environment, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
        found: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
        return found

    def logged(model: str, task: str) -> str:
        [path] = (tmp_path / "out").rglob(f"{model}/samples_{task}_*.jsonl")
        return f"lm-eval:{path}"

    for name in ("llama", "gpt2"):
        (tmp_path / name).mkdir()
        model = make(name, tmp_path / name)
        run(str(model))
        for suite, task in zip(suites, tasks, strict=True):
            ours = kontrast.score(suite, f"hf:{model}", extra={"end": "none"}, dtype="float32")
            theirs = read_scores(logged(name, task), suite)
            assert [-value for value in theirs.values] == pytest.approx(ours.values, abs=1e-3)
            assert decided(suite, theirs) == decided(suite, ours)
            assert kontrast.evaluate(suite, theirs).accuracy == kontrast.evaluate(suite, ours).accuracy
    printed = run("constant")
    for suite, task in zip(suites, tasks, strict=True):
        assert printed[task] == 1.0, "the first choice wins where all are equal"
        found = kontrast.evaluate(suite, logged("constant", task))
        assert found.accuracy == pytest.approx(found.chance) and found.ties == found.items


def _saved(suite: Suite, folder: Path) -> Path:
    path = folder / f"{suite.name}.native.jsonl"
    kontrast.save(suite, path)
    return path
