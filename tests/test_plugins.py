"""A package of somebody else's adds to kontrast: built as a wheel, installed, used. It is the one of CONTRIBUTING."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

MORE = {
    "kontrast_pipes/metric.py": """
from kontrast.scoring.metrics.metric import Declaration

class Length:
    name, declaration, details = "length", Declaration(reference="unused"), {}
    def score(self, segments, advance):
        return [tuple(-float(len(h.text)) for h in segment.hypotheses) for segment in segments]

def load(name, model, options):
    return Length()
""",
    "kontrast_pipes/section.py": """
from kontrast.reporting.section import Section
PLACE = 45
def sections(judged):
    yield Section("from-pipes", "From pipes", ("A word from another package.",))
""",
    "kontrast_pipes/words/__init__.py": "",
    "kontrast_pipes/words/eo.toml": '[numbers]\nrows = [["du", "tri", "kvar"]]\n',
    "kontrast_pipes/bars.py": """
from kontrast.suites.formats.format import Format
from kontrast.suites.model import Item, Suite, Variant
from kontrast.suites.testset import Original, TestSet
TESTSET = TestSet("bars", original=Original())
def read(path):
    return Suite("bars", (Item("1", "a", (Variant("b"), Variant("cc"))),), "en", "de", style="bars")
FORMAT = Format("bars", "bars", detect=lambda peek: peek.path.suffix == ".bars", read=read)
def lines(suite, scores, options):
    yield f"bars: {len(scores.values)}"
""",
    "kontrast_pipes/broken.py": "raise RuntimeError('no such library')\n",
    "kontrast_pipes/empty.py": "",
}
POINTS = {
    "metrics": {"length": "kontrast_pipes.metric", "empty": "kontrast_pipes.empty"},
    "sections": {"pipes": "kontrast_pipes.section"},
    "languages": {"eo": "kontrast_pipes.words", "xx": "kontrast_pipes.words"},
    "testsets": {"bars": "kontrast_pipes.bars"},
}


def shown() -> dict[str, str]:
    """The files of the package that CONTRIBUTING shows."""
    part = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## Write a plug-in package\n")[1]
    blocks = re.findall(r"```(?:toml|python)\n# (\S+)\n(.*?)```", part.split("\n## ")[0], re.DOTALL)
    return dict(blocks)


def build(folder: Path, files: dict[str, str], points: dict[str, dict[str, str]]) -> Path:
    """A wheel of these files, with entry points beyond those of its pyproject.toml."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    more = [f'[project.entry-points."kontrast.{group}"]\n' + "".join(f'{n} = "{m}"\n' for n, m in each.items())
            for group, each in points.items()]  # fmt: skip
    project = folder / "pyproject.toml"
    project.write_text(project.read_text() + "\n" + "\n".join(more))
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder / "dist", folder)
    [wheel] = (folder / "dist").glob("*.whl")
    return wheel


def run(*words: str | Path, code: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*map(str, words)], capture_output=True, text=True, env={**os.environ, **environment}, check=False
    )
    assert done.returncode == code, (done.stdout + done.stderr)[-3000:]
    return done


def install(wheel: Path, target: Path) -> None:
    run(sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", target, wheel)


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of installed packages with the foreign one in it."""
    files = {**shown(), **MORE}
    points = {**POINTS, "formats": {}, "engines": {}}
    files["pyproject.toml"] = files["pyproject.toml"].replace(
        'pipes = "kontrast_pipes.pipes"', 'pipes = "kontrast_pipes.pipes"\nbroken = "kontrast_pipes.broken"'
    )
    wheel = build(tmp_path_factory.mktemp("pipes"), files, {g: p for g, p in points.items() if p})
    target = tmp_path_factory.mktemp("packages")
    install(wheel, target)
    return target


def kontrast(packages: Path, *words: str | Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(packages), str(ROOT / "src")])
    return run(sys.executable, "-m", "kontrast", *words, code=code, PYTHONPATH=path)


def test_a_foreign_package_is_used(packages: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.pipes").write_text("a dog | ein Hund | eine Hund\na cat | eine Katze | ein Katze\n")
    scores = tmp_path / "mine.scores"
    scored = kontrast(packages, "score", tmp_path / "mine.pipes", "--model", "shorter:chars", "--out", scores)
    assert (
        "'broken' (kontrast.formats, kontrast-pipes 1.0) is left out: RuntimeError: no such library" in scored.stderr
    )
    found = json.loads(kontrast(packages, "evaluate", tmp_path / "mine.pipes", scores, "--json").stdout)
    assert (found["items"], found["right"], found["wrong"]) == (2, 1, 1)
    assert any("kontrast-pipes 1.0" in path.read_text("utf-8") for path in tmp_path.glob("mine.scores*"))
    report = tmp_path / "report.md"
    kontrast(packages, "report", tmp_path / "mine.pipes", scores, "--out", report)
    assert "A word from another package." in report.read_text("utf-8")


def test_metric_set_and_language(packages: Path, tmp_path: Path) -> None:
    measured = kontrast(packages, "metrics", "demo:de", "--metric", "length", "--json").stdout
    assert json.loads(measured)["metrics"][0]["metric"] == "length"
    broken = kontrast(packages, "metrics", "demo:de", "--metric", "empty", code=2).stderr
    assert "the metric empty of kontrast-pipes 1.0 is broken" in broken
    (tmp_path / "a.bars").write_text("x")
    (tmp_path / "a.scores").write_text("1\n2\n")
    printed = kontrast(packages, "evaluate", tmp_path / "a.bars", tmp_path / "a.scores", "--style", "original").stdout
    assert printed.strip() == "bars: 2"
    (tmp_path / "eo.txt").write_text("Mi havas du hundojn.\n")
    made = kontrast(packages, "perturb", "--lang", "eo", "--types", "number", "--all", tmp_path / "eo.txt")
    assert "Mi havas tri hundojn." in made.stdout and "no xx.toml in the folder" in made.stderr


def test_two_of_one_name_are_refused(packages: Path, tmp_path: Path) -> None:
    project = shown()["pyproject.toml"].replace("kontrast-pipes", "kontrast-other")
    files = {"pyproject.toml": project.replace("kontrast_pipes", "kontrast_other"), "kontrast_other/pipes.py": ""}
    both = tmp_path / "both"
    install(build(tmp_path / "other", files, {}), both)
    path = os.pathsep.join([str(packages), str(both), str(ROOT / "src")])
    told = run(sys.executable, "-m", "kontrast", "describe", "demo:de", code=2, PYTHONPATH=path).stderr
    assert "kontrast-other 1.0 and kontrast-pipes 1.0 both add 'pipes' to kontrast.formats: uninstall one" in told


def test_a_name_of_kontrast_is_refused(tmp_path: Path) -> None:
    files = {name: text.replace("shorter =", "hf =") for name, text in shown().items()}
    install(build(tmp_path / "package", files, {}), tmp_path / "there")
    told = kontrast(tmp_path / "there", "score", "demo:de", "--model", "hf:x", "--out", tmp_path / "a", code=2).stderr
    assert "kontrast and kontrast-pipes 1.0 both add 'hf' to kontrast.engines" in told


@pytest.mark.slow
def test_a_fresh_environment(tmp_path: Path) -> None:
    """Both packages as wheels, in an environment that has nothing else."""
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env/bin/python"
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path / "dist", ROOT)
    [own] = (tmp_path / "dist").glob("*.whl")
    run(python, "-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt", own, PYTHONPATH="")
    run(python, "-m", "pip", "install", "-q", "--no-deps", build(tmp_path / "package", shown(), {}), PYTHONPATH="")
    (tmp_path / "mine.pipes").write_text("a dog | ein Hund | eine Hund\n")
    words = ("score", tmp_path / "mine.pipes", "--model", "shorter:chars", "--out", tmp_path / "mine.scores")
    run(python, "-m", "kontrast", *words, PYTHONPATH="")
    assert len((tmp_path / "mine.scores").read_text().split()) == 2
