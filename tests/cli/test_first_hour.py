"""The first hour of a new user, with nothing but the README: a paper, a gate for a release, a model behind a server.

Every command and option of a walk is one that the README shows, and the number of steps is written down: a walk that
gets longer, or needs what only another page says, fails.
"""

from __future__ import annotations

import csv
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from kontrast.cli import main

README = Path(__file__).parents[2] / "README.md"
NOUNS = {
    "lamp": ("Die Lampe ist neu.", "Der Lampe ist neu.", "Das Lampe ist neu."),
    "bridge": ("Die Brücke ist neu.", "Der Brücke ist neu.", ""),
    "cat": ("Die Katze ist müde.", "Das Katze ist müde.", ""),
    "mat": ("Die Matte ist alt.", "Der Matte ist alt.", ""),
}


def shown() -> dict[str, set[str]]:
    """The options that the README shows, by command."""
    text = README.read_text("utf-8")
    blocks = re.findall(r"^```(?:console|text)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines()] + re.findall(r"^ {4}.*kontrast .*$", text, re.M)
    known: dict[str, set[str]] = {}
    for line in lines:
        for call in re.findall(r"(?:^|[&|;$] |^ {4})(kontrast [a-z][^|;&]*)", line):
            words = shlex.split(call.partition("  #")[0], comments=True)
            known.setdefault(words[1], set()).update(word for word in words[2:] if word.startswith("--"))
    return known


class Walk:
    """Steps on the command line, counted."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capsys, self.steps, self.known = folder, capsys, 0, shown()

    def __call__(self, line: str, status: int = 0) -> str:
        words = shlex.split(line)
        options = {word for word in words[1:] if word.startswith("--")}
        assert options <= self.known[words[0]], f"the README does not show {options - self.known[words[0]]}: {line}"
        self.steps += 1
        with pytest.raises(SystemExit) as stop:
            main(words)
        told = self.capsys.readouterr()
        assert int(stop.value.code or 0) == status, told.err
        assert "Traceback" not in told.err
        return told.out


@pytest.fixture
def walk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Walk:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KONTRAST_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.setenv("COLUMNS", "120")
    return Walk(tmp_path, capsys)


def fill_in(path: Path) -> int:
    """A person's rows behind those that `init` wrote, under its own columns; the number of items."""
    lines = path.read_text("utf-8").splitlines()
    header = next(csv.reader([line for line in lines if not line.startswith(("#", '"#'))]))
    with open(path, "a", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, header)
        for noun, (right, wrong, second) in NOUNS.items():
            values = {"source": f"The {noun} is here.", "right": right, "phenomenon": "article"}
            names = [name for name in header if name.startswith("wrong")]
            writer.writerow(values | dict(zip(names, (wrong, second), strict=False)))
    return len(NOUNS) + 1


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two models of one's own: a Marian folder as OPUS-MT has them, and an M2M-100."""
    pytest.importorskip("torch")
    pytest.importorskip("sentencepiece")
    from tests.scoring.models import make

    folder = tmp_path_factory.mktemp("models")
    return make("marian", folder / "base"), make("m2m100", folder / "large")


def test_paper(walk: Walk, models: tuple[Path, Path]) -> None:
    """Two models on a suite of one's own, the difference with its test, and a table and figures for the paper."""
    walk("init --pair en-de mine.csv")
    items = fill_in(Path("mine.csv"))
    assert f"{items} items" in walk("lint mine.csv")
    for name, folder in zip(("base", "large"), models, strict=True):
        walk(f"score mine.csv --model hf:{folder} --out {name}.scores")
    assert "accuracy" in walk("evaluate mine.csv base.scores")
    told = walk("compare mine.csv base.scores large.scores --by phenomenon")
    assert f"{items} items" in told and "by phenomenon" in told
    walk("report mine.csv base.scores large.scores --out table.tex --figures figures")
    table = Path("table.tex").read_text("utf-8")
    assert r"\begin{tabular}" in table and "base" in table and "large" in table
    assert {path.suffix for path in Path("figures").iterdir()} == {".svg", ".png", ".pdf", ".tex"}
    assert walk.steps == 7


def test_gate(walk: Walk, models: tuple[Path, Path]) -> None:
    """A model converted for production, on one's own suite, against thresholds; what fails is in the JUnit file."""
    converters = pytest.importorskip("ctranslate2.converters")
    converters.TransformersConverter(str(models[0]), copy_files=["source.spm", "target.spm"]).convert("converted")
    walk("init --pair en-de mine.csv")
    fill_in(Path("mine.csv"))
    walk("lint mine.csv")
    walk("score mine.csv --model ct2:converted --out new.scores")
    Path("kontrast.toml").write_text("[gate]\naccuracy = 0.0\n")
    walk("gate mine.csv new.scores --config kontrast.toml --junit gate.xml")
    assert walk.steps == 4
    Path("kontrast.toml").write_text("[gate]\naccuracy = 1.0\n")
    walk("gate mine.csv new.scores --config kontrast.toml --junit gate.xml", status=1)
    [failure] = ElementTree.parse("gate.xml").iter("failure")
    assert failure.text is not None and "expected: Die " in failure.text


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server with the interface of OpenAI's on this machine, and a language model behind it."""
    pytest.importorskip("torch")
    pytest.importorskip("fastapi")
    from tests.scoring.language_server import LanguageModel, application, serving

    with serving(application(LanguageModel())) as address:
        yield address


@pytest.mark.slow
def test_llm(walk: Walk, server: str) -> None:
    """A language model behind a server: by log-probabilities, then by choice; a report of both."""
    walk("init --pair en-de mine.csv")
    items = fill_in(Path("mine.csv"))
    walk("lint mine.csv")
    walk(f"score mine.csv --model openai:small@{server}/vllm/v1 --out llm.scores")
    assert len(Path("llm.scores").read_text().splitlines()) == 2 * items + 2  # two items have three variants
    beside: dict[str, Any] = json.loads(Path("llm.scores.json").read_text("utf-8"))
    assert beside["signature"]["model"].startswith("small")
    assert "accuracy" in walk("evaluate mine.csv llm.scores")
    walk("report mine.csv llm.scores --out llm.html")
    assert walk.steps == 5


def test_server_that_is_not_there_is_one_line(walk: Walk, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("httpx")
    walk("init --pair en-de mine.csv")
    with pytest.raises(SystemExit) as stop:
        main(shlex.split("score mine.csv --model openai:small@http://127.0.0.1:9/v1 --out llm.scores"))
    told = capsys.readouterr().err
    assert stop.value.code == 2 and "127.0.0.1:9" in told and "Traceback" not in told
    assert not Path("llm.scores").exists()
