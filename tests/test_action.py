"""The GitHub Action: its steps are run as they stand, with the inputs filled in; so is the hook for pre-commit."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import kontrast

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).resolve().parents[1]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))


def run_steps(folder: Path, **inputs: str) -> tuple[int, str, str]:
    """Run the steps of a composite action that are commands; a failed one ends the run, as GitHub does it."""
    values = {name: str(each.get("default", "")) for name, each in ACTION["inputs"].items()} | inputs
    required = {name for name, each in ACTION["inputs"].items() if each.get("required")}
    assert required <= inputs.keys()

    def filled(text: str) -> str:
        return re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: values[found[1]], text)

    told = ""
    for step in ACTION["runs"]["steps"]:
        if step.get("if") == "inputs.install != ''" and not values["install"]:
            continue
        if "run" not in step:
            assert step["uses"].startswith("actions/upload-artifact@") and step["if"] == "always()"
            continue
        assert step["shell"] == "bash" and "${{" not in step["run"], "inputs come through the environment"
        environment = {name: filled(value) for name, value in step["env"].items()}
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", step["run"]],
            cwd=folder,
            env={**os.environ, **environment, "GITHUB_STEP_SUMMARY": str(folder / "summary.md")},
            capture_output=True,
            text=True,
            check=False,
        )
        told += done.stdout
        if done.returncode:
            return done.returncode, told, done.stderr
    return 0, told, ""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    suite = kontrast.load("demo:de?limit=30")
    kontrast.save(suite, tmp_path / "mine.suite.jsonl")
    right = [float(row.variant_index != row.item.correct) for row in suite.rows()]
    for name, values in (("good", right), ("bad", [1 - value for value in right])):
        (tmp_path / f"{name}.scores").write_text("".join(f"{value}\n" for value in values))
    (tmp_path / "kontrast.toml").write_text("[gate]\naccuracy = 0.9\n")
    return tmp_path


def test_a_good_system_passes(folder: Path) -> None:
    code, told, error = run_steps(folder, suite="mine.suite.jsonl", scores="good.scores", python=sys.executable)
    assert code == 0, error
    assert "::error" not in told and (folder / "kontrast-report/gate.xml").is_file()
    assert "demo-de" in (folder / "summary.md").read_text("utf-8")


def test_a_bad_system_fails_and_its_items_are_annotated(folder: Path) -> None:
    code, told, _ = run_steps(folder, suite="mine.suite.jsonl", scores="bad.scores", python=sys.executable)
    lines = [line for line in told.splitlines() if line.startswith("::error title=")]
    assert code == 1 and 2 <= len(lines) <= 10
    first = kontrast.load(folder / "mine.suite.jsonl").items[0]
    assert any(
        "expected%3A" not in line and f"expected: {first.best.text}".replace("%", "%25") in line for line in lines
    )
    assert (folder / "kontrast-report/report.md").is_file()


def test_bad_input_ends_with_status_2(folder: Path) -> None:
    code, _, error = run_steps(folder, suite="missing.jsonl", scores="bad.scores", python=sys.executable)
    assert code == 2 and "missing.jsonl" in error


def test_the_hook(folder: Path) -> None:
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert re.search(hook["files"], "tests/mine.suite.jsonl") and hook["language"] == "python"
    command = [sys.executable, "-m", *shlex.split(hook["entry"])]
    done = subprocess.run([*command, "mine.suite.jsonl"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    text = (folder / "mine.suite.jsonl").read_text("utf-8").splitlines()
    item = kontrast.load(folder / "mine.suite.jsonl").items[0]
    broken = text[1].replace(item.variants[1].text, item.best.text)
    (folder / "mine.suite.jsonl").write_text("\n".join([text[0], broken, *text[2:]]) + "\n", "utf-8")
    done = subprocess.run([*command, "mine.suite.jsonl"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1
