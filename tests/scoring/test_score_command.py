"""`kontrast score` as a user calls it: the chain to evaluate and compare, errors in one line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kontrast import load, read_scores, save
from kontrast.cli import main

from .models import make


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("models")
    return {name: make(name, folder / name) for name in ("marian", "m2m100", "llama")}


@pytest.fixture
def run(capsys: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("KONTRAST_STORE", str(tmp_path / "store.sqlite"))

    def call(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        code = ended.value.code
        return (code if isinstance(code, int) else 0, *capsys.readouterr())

    return call


def part(path: Path, out: Path, size: int = 30) -> Path:
    suite = load(path)
    short = [
        item for item in suite.items if len(item.source) + len(item.best.text) < 160 and item.source_context != ()
    ]
    save(msgspec.structs.replace(suite, items=tuple(short[:size])), out)
    return out


def test_chain_on_contrapro(run: Any, models: dict[str, Path], data: Path, tmp_path: Path) -> None:
    suite = part(data / "contrapro-en-de", tmp_path / "contrapro.jsonl")
    outs = []
    for name, context in (("marian", "none"), ("marian", "prev:1"), ("m2m100", "prev:1"), ("llama", "prev:1")):
        out = tmp_path / f"{name}-{context[-1]}.scores"
        code, _, errors = run("score", suite, "--model", f"hf:{models[name]}", "--context", context, "--out", out)
        assert code == 0, errors
        assert f"{load(suite).row_count} rows" in errors and "0 from the store" in errors
        scores = read_scores(out, load(suite), tokens=True)
        assert scores.lower_is_better and scores.signature is not None and scores.tokens is not None
        assert scores.signature.context == ("none" if context == "none" else "prev:1,both,space")
        assert scores.values == pytest.approx([-sum(row.logprobs) for row in scores.tokens])
        outs.append(out)
    code, out, errors = run("evaluate", suite, outs[0], "--json")
    assert code == 0 and json.loads(out)["items"] == 30, errors
    code, out, errors = run("compare", suite, outs[0], outs[1], "--json")
    assert code == 0, errors
    code, out, errors = run("evaluate", suite, outs[0], "--normalise", "sum,token,byte,span", "--json")
    assert code == 0, errors


def test_dry_run_shows_what_is_read(run: Any, models: dict[str, Path], data: Path, tmp_path: Path) -> None:
    suite = part(data / "large-contrastive-en-fr", tmp_path / "fr.jsonl", 5)
    code, out, _ = run("score", suite, "--context", "prev:3", "--scheme", "sep", "--dry-run", "--show", 2)
    assert code == 0 and out.count("source  ") == 2 and out.count(" <SEP> ") >= 6 and "target  [" in out
    arguments = ["--template", r"Say {source}\nin {target_language}: ", "--dry-run", "--show", 1, "--json"]
    code, out, errors = run("score", suite, "--model", f"hf:{models['llama']}", *arguments)
    assert code == 0, errors
    first = load(suite).items[0]
    assert json.loads(out)["shown"][0]["source"] == f"Say {first.source}\nin French: "


def test_a_second_run_takes_everything_from_the_store(
    run: Any, models: dict[str, Path], data: Path, tmp_path: Path
) -> None:
    suite = part(data / "distil-lingeval-en-de" / "np_agreement.mt", tmp_path / "s.jsonl", 10)
    arguments = ["score", suite, "--model", f"hf:{models['marian']}", "--out"]
    first, second = run(*arguments, tmp_path / "a"), run(*arguments, tmp_path / "b")
    assert " 0 from the store" in first[2] and ", 0 scored" in second[2]
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    _, _, alone = run(*arguments, tmp_path / "c", "--no-store", "--no-sharing")
    assert "0 from the store" in alone
    assert read_scores(tmp_path / "c").values == pytest.approx(read_scores(tmp_path / "a").values, abs=1e-3)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--model", "hf:./nowhere", "--out", "x"], "expected a folder with a Transformers model"),
        (["--model", "nmt:x", "--out", "x"], "expected ENGINE:NAME"),
        (["--model", "hf:x"], "--out FILE"),
        (["--context", "prev:x", "--dry-run"], "expected N, prev:N, next:N or tokens:N"),
        (["--context", "prev:1", "--dry-run"], "has no source and target context"),
        (["--scheme", "dots", "--dry-run"], "expected one of space"),
        (["--option", "chat", "--dry-run"], "expected NAME=VALUE"),
        (["--option", "end=eos", "--option", "end=none", "--dry-run"], "--option: end is given twice"),
        (["--model", "file:missing.scores", "--out", "x"], "missing.scores: cannot be opened"),
    ],
)
def test_wrong_input_is_one_line(arguments: list[str], said: str, run: Any, data: Path, tmp_path: Path) -> None:
    suite = part(data / "distil-lingeval-en-de" / "np_agreement.mt", tmp_path / "s.jsonl", 2)
    code, _, errors = run("score", suite, *arguments)
    assert code == 2 and errors.count("\n") == 1 and said in errors


def test_evaluate_does_not_import_torch(data: Path, tmp_path: Path) -> None:
    suite = part(data / "distil-lingeval-en-de" / "np_agreement.mt", tmp_path / "s.jsonl", 2)
    (tmp_path / "s.scores").write_text("1\n2\n1\n2\n")
    code = (
        "import sys\nfrom kontrast.cli import main\n"
        f"try: main(['evaluate', {str(suite)!r}, {str(tmp_path / 's.scores')!r}, '--json'])\n"
        "except SystemExit as ended: assert not ended.code\n"
        "heavy = {'torch', 'transformers', 'ctranslate2', 'spacy'} & set(sys.modules)\nassert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
