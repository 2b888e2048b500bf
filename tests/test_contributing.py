"""CONTRIBUTING shows the protocols as they are: who follows it makes something that works."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import kontrast
from kontrast.scoring.engine import Engine
from kontrast.scoring.metrics.metric import Metric

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


@pytest.mark.parametrize(("heading", "protocol"), [("Add an engine", Engine), ("Add a metric", Metric)])
def test_members_shown_are_those_of_the_protocol(heading: str, protocol: type) -> None:
    part = TEXT.split(f"## {heading}\n")[1].split("\n## ")[0]
    shown = re.search(r"```python\n(.*?)```", part, re.DOTALL)
    assert shown is not None
    members = re.findall(r"^\s*(?:def )?(\w+)(?:\(|:| =)", shown[1].replace("class Mine:", ""), re.MULTILINE)
    methods = {name for name, value in vars(protocol).items() if callable(value) and not name.startswith("_")}
    assert set(members) == methods | set(protocol.__annotations__)


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_every_file_named_is_there(page: str) -> None:
    """Names with a part in capitals (NAME, LANG) are examples."""
    text = (ROOT / page).read_text("utf-8")
    paths = set(re.findall(r"`((?:[a-z_]+/)+[a-z_]*(?:\.[a-z]+)?|[a-z_]+/[a-z_]+\.py)`", text))
    assert len(paths) > 10
    places = (
        ROOT,
        ROOT / "src",
        ROOT / "src/kontrast",
        ROOT / "src/kontrast/scoring",
        ROOT / "src/kontrast/building",
    )
    places += (ROOT / "src/kontrast/suites", ROOT / "src/kontrast/language", ROOT / "src/kontrast/reporting")
    missing = {path for path in paths if not any((place / path).exists() for place in places)}
    assert not missing


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_every_name_in_capitals_is_there(page: str) -> None:
    """`OWN`, `CHECKS` …: constants that the page sends a reader to."""
    named = set(re.findall(r"`([A-Z]{3,})`", (ROOT / page).read_text("utf-8"))) - {"NAME", "LANG"}
    code = "\n".join(path.read_text("utf-8") for room in ("src", "tests") for path in (ROOT / room).rglob("*.py"))
    assert {name for name in named if not re.search(rf"^{name}\b.*=", code, re.MULTILINE)} == set()


def test_an_error_is_one_file(tmp_path: Path) -> None:
    """The file that the page shows, and the section of a word file, in a copy of the package."""
    part = TEXT.split("## Add an error, or a language\n")[1].split("\n## ")[0]
    code, words = (re.search(rf"   ```{kind}\n(.*?)   ```", part, re.DOTALL) for kind in ("python", "toml"))
    assert code is not None and words is not None
    package = tmp_path / "kontrast"
    shutil.copytree(
        Path(kontrast.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "kontrast-tiny")
    )
    (package / "building/errors/de/time_span.py").write_text(
        re.sub(r"^   ", "", code[1], flags=re.MULTILINE), "utf-8"
    )
    with (package / "data/words/de.toml").open("a", encoding="utf-8") as file:
        file.write("\n" + re.sub(r"^   ", "", words[1], flags=re.MULTILINE))

    def run(*arguments: str, text: str = "", code: str = "from kontrast.cli import main; main()") -> str:
        command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {code}", *arguments]
        return subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=tmp_path).stdout

    listed = json.loads(run("perturb", "--lang", "de", "--list", "--json"))
    assert (
        listed["time_span"].startswith("A span of time")
        and listed["far_and_near"] == "Near becomes far, or the reverse"
    )
    made = run("perturb", "-", "--lang", "de", "--types", "time_span", text="Er wohnt seit zwei Jahren hier.\n")
    assert json.loads(made)["text"] == "Er wohnt vor zwei Jahren hier."
    (tmp_path / "a.en").write_text("The village is near.\nShe has lived here for two years.\n")
    (tmp_path / "a.de").write_text("Das Dorf liegt nahe.\nSie wohnt seit zwei Jahren hier.\n")
    run("build", "errors", "a.en", "a.de", "--types", "far_and_near,time_span", "--out", "s.jsonl")
    built = kontrast.load(tmp_path / "s.jsonl")
    assert [v.error for item in built for v in item.variants[1:]] == ["far_and_near", "time_span"]
    asked = "from kontrast.suites.error_shares import kind_of_error; print(*map(kind_of_error, sys.argv[1:]))"
    assert run("time_span", "far_and_near", code=asked).split() == ["sense", "sense"]


FORMAT = """
from kontrast.io import files
from kontrast.suites.model import Item, Suite, Variant


def detect(peek):
    return peek.path.suffix == ".bars"


def read(path):
    rows = [line.split(" | ") for line in files.read_lines(path)]
    return Suite(files.suite_name(path), tuple(Item(a, a, (Variant(b), Variant(c))) for a, b, c in rows))
"""
METRIC = """
from kontrast.scoring.metrics.metric import Declaration


class Length:
    name = "length"
    declaration = Declaration(reference="unused", source="unused")
    details = {}

    def score(self, segments, advance):
        return [tuple(float(len(each.text)) for each in segment.hypotheses) for segment in segments]


def load(name, model, options):
    return Length()
"""


def test_a_format_and_a_metric_are_two_files_each(tmp_path: Path) -> None:
    package = tmp_path / "kontrast"
    shutil.copytree(
        Path(kontrast.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "kontrast-tiny")
    )
    (package / "suites/formats/bars.py").write_text(FORMAT, "utf-8")
    (package / "suites/formats/bars.toml").write_text('[format]\nsummary = "bars"\nexamples = ["a.bars"]\n', "utf-8")
    (package / "scoring/metrics/length.py").write_text(METRIC, "utf-8")
    with (package / "data/metrics.toml").open("a", encoding="utf-8") as file:
        file.write('length = ["length", "the length"]\n')
    (tmp_path / "a.bars").write_text("It is old. | Es ist alt. | Es ist neu!!\n", "utf-8")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from kontrast.cli import main; main()"
    command = [sys.executable, "-c", code, "metrics", "a.bars", "--metric", "length", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    (found,) = json.loads(done.stdout)["metrics"]
    assert (found["metric"], found["evaluation"]["wrong"], found["means"][0]["perturbed"]) == ("length", 1, 12.0)
