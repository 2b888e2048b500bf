"""The bare package, without any extra: what it can do works, what it cannot names the extra that is missing."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def _core() -> set[str]:
    """The distributions that the bare package needs, with what they need."""
    import tomllib

    wanted = list(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"])
    found: set[str] = set()
    while wanted:
        line = wanted.pop()
        name = re.split(r"[^\w.-]", line, maxsplit=1)[0].lower().replace("_", "-")
        if name not in found and "extra ==" not in line:
            found.add(name)
            try:
                wanted += metadata.requires(name) or []
            except metadata.PackageNotFoundError:
                continue
    return found


@pytest.fixture(scope="module")
def blocked() -> str:
    """A program that runs kontrast where only those distributions can be imported."""
    core = _core()
    extra = sorted(
        module
        for module, names in metadata.packages_distributions().items()
        if module not in ("kontrast", "_distutils_hack") and not {n.lower().replace("_", "-") for n in names} & core
    )
    assert {"torch", "starlette", "altair", "jinja2", "httpx"} & set(extra), "this environment has no extras to hide"
    return (
        f"import sys\nHIDDEN = frozenset({extra!r})\n"
        "from importlib.machinery import PathFinder\n"
        "class Hide(PathFinder):\n"
        "    @classmethod\n"
        "    def find_spec(cls, name, path=None, target=None):\n"
        "        return None if name.partition('.')[0] in HIDDEN else super().find_spec(name, path, target)\n"
        "sys.meta_path[:] = [Hide if finder is PathFinder else finder for finder in sys.meta_path]\n"
        "from kontrast.cli import main\nmain(sys.argv[1:])\n"
    )


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "a.scores").write_text("1\n2\n" * 176)
    (tmp_path / "r.fr").write_text("Il est là.\n" * 176, "utf-8")
    (tmp_path / "lines.en").write_text("It is here.\nThe dog sleeps.\n")
    return tmp_path


def _run(program: str, line: str, place: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *line.split()], cwd=place, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "line",
    [
        "evaluate demo:fr a.scores",
        "report demo:fr a.scores",
        "report demo:fr a.scores --out table.tex",
        "report demo:fr a.scores --out table.csv",
        "report demo:fr a.scores --out report.md",
        "report demo:fr a.scores --out report.json",
        "review demo.jsonl --export reviewed --keep-undecided",
        "lint demo:de",
        "doctor",
    ],
)
def test_the_bare_package_can(blocked: str, place: Path, line: str) -> None:
    if "demo.jsonl" in line:
        assert _run(blocked, "convert demo:fr demo.jsonl", place).returncode == 0
    done = _run(blocked, line, place)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("line", "extra"),
    [
        ("report demo:fr a.scores --out report.html", "report"),
        ("report demo:fr a.scores --figures figures", "report"),
        ("review demo:fr --store s.sqlite --no-browser --port 0", "review"),
        ("metrics demo:fr --metric COMET --references r.fr", "comet"),
        ("metrics demo:fr --metric BERTScore:xlm-roberta-base --references r.fr", "hf|metrics"),
        ("score demo:fr --model tiny --out out", "hf"),
        ("score demo:fr --model openai:x@http://127.0.0.1:9/v1 --out out", "api"),
        ("translate demo:fr --model tiny --out out", "hf"),
        ("count lines.en --lang en --out counts", "split|build"),
        ("demo", "hf"),
    ],
)
def test_the_bare_package_names_the_extra(blocked: str, place: Path, line: str, extra: str) -> None:
    done = _run(blocked, line, place)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert re.search(rf"needs an extra: .*kontrast\[({extra})\]", done.stderr), done.stderr


def test_demo_without_the_report_extra_ends_with_its_table(blocked: str, place: Path) -> None:
    """With Transformers alone, the report is Markdown."""
    if not metadata.packages_distributions().get("torch"):
        pytest.skip("torch is not installed")
    program = blocked.replace("in HIDDEN", "in ('altair', 'jinja2', 'vl_convert')")
    done = _run(program, "demo --suite demo:fr --out out", place)
    assert done.returncode == 0, done.stderr
    assert "kontrast[report]" in done.stdout and "pronoun_gender" in done.stdout
    assert (place / "out" / "demo-fr.md").is_file() and not (place / "out" / "demo-fr.html").exists()
