"""``import kontrast`` gives what the command line gives, and loads nothing until it is used."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import kontrast
from kontrast.cli import COMMANDS

FUNCTIONS = {
    "suites": ("entries", "entry", "fetch_suite", "cite"),
    "build": ("build_errors", "build_pronouns", "build_metrics_it", "save_metrics_it"),
    "review": ("Review", "serve_review", "export_review"),
    "store": ("store_info", "store_export", "store_prune"),
}
"""Commands whose functions are not of their name; `kontrast.suites` is a package."""


@pytest.mark.parametrize("name", kontrast._HOME)
def test_public_name_is_there(name: str) -> None:
    assert getattr(kontrast, name) is not None


@pytest.mark.parametrize("command", COMMANDS)
def test_command_is_a_function(command: str) -> None:
    for name in FUNCTIONS.get(command, (command,)):
        assert callable(getattr(kontrast, name))


def test_names_are_listed_for_completion() -> None:
    """Each name stands once, in the stub that type checkers read; nothing else is offered."""
    tree = ast.parse(Path(kontrast.__file__).with_suffix(".pyi").read_text("utf-8"))
    named = [alias.asname for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert len(set(named)) == len(named) and dir(kontrast) == sorted(["__version__", *named])


def test_import_loads_no_library() -> None:
    program = "import sys, kontrast; print(' '.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert {"numpy", "msgspec", "click", "rich"}.isdisjoint(loaded.split())


def test_version_is_that_of_the_package() -> None:
    project = Path(__file__).parents[1] / "pyproject.toml"
    assert tomllib.loads(project.read_text("utf-8"))["project"]["version"] == kontrast.__version__


@pytest.mark.parametrize("name", kontrast.__all__)
def test_public_function_has_an_example(name: str) -> None:
    """The examples themselves are run as doctests."""
    public = getattr(kontrast, name)
    if inspect.isfunction(public):
        assert ">>> " in (public.__doc__ or "")


def test_results_print_short(tmp_path: Path) -> None:
    """A few facts and a small table; no array, and not the text of every field."""
    (tmp_path / "text.txt").write_text("dogs bark\ncats sleep\ndogs sleep\ncats bark\n", "utf-8")
    counts = kontrast.count(tmp_path / "text.txt", features="ngram")
    suite = kontrast.load("demo:fr?limit=5")
    checked = kontrast.check(suite, [item.best.text for item in suite])
    shown = [counts, kontrast.divergence(counts, train=[0, 1], test=[2, 3]), kontrast.describe(suite), checked]
    for each in shown:
        text = str(each)
        assert text.startswith(f"{type(each).__name__}: ") and len(text) < 2000 and "array" not in text, text
    assert "compounds 4" in str(counts) == repr(counts)
