"""Wheel and sdist: everything the package needs is in them, their size is known, two builds have the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LARGEST = 25_000_000


def _run(*args: str | Path, cwd: Path, **environment: str) -> str:
    done = subprocess.run(
        [str(arg) for arg in args],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def _build(out: Path, kind: str = "wheel", tree: Path = ROOT) -> Path:
    _run(
        *(sys.executable, "-m", "build", f"--{kind}", "--no-isolation", "--outdir", out, tree),
        cwd=out,
        SOURCE_DATE_EPOCH="1700000000",
    )
    [made] = out.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _build(tmp_path_factory.mktemp("sdist"), "sdist")


def test_wheel_and_sdist_are_small(wheel: Path, sdist: Path) -> None:
    assert wheel.stat().st_size < LARGEST and sdist.stat().st_size < LARGEST


def test_two_builds_are_equal(wheel: Path, tmp_path: Path) -> None:
    assert _build(tmp_path).read_bytes() == wheel.read_bytes()


def test_wheel_from_the_sdist_is_that_of_the_tree(wheel: Path, sdist: Path, tmp_path: Path) -> None:
    """To the byte; and the sdist has what is needed to install, test and read it."""
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    [tree] = tmp_path.iterdir()
    for name in (
        "README.md",
        "LICENSE",
        "Makefile",
        "constraints.txt",
        "models.txt",
        "tests/conftest.py",
        "docs/cli.md",
    ):
        assert (tree / name).is_file(), name
    out = tmp_path / "out"
    out.mkdir()
    assert _build(out, tree=tree).read_bytes() == wheel.read_bytes()


def test_two_sdists_are_equal(sdist: Path, tmp_path: Path) -> None:
    assert _build(tmp_path, "sdist").read_bytes() == sdist.read_bytes()


def test_wheel_works_without_the_repository(wheel: Path, tmp_path: Path) -> None:
    """Its files alone, with the libraries of this environment: the package's own data are all in it."""
    place = tmp_path / "site"
    _run(sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", place, wheel, cwd=tmp_path)
    alone = {"PYTHONPATH": str(place), "KONTRAST_STORE": str(tmp_path / "store"), "OMP_NUM_THREADS": "1"}
    where = _run(sys.executable, "-c", "import kontrast; print(kontrast.__file__)", cwd=tmp_path, **alone)
    assert where.startswith(str(place))
    kontrast = (sys.executable, "-m", "kontrast")
    assert "demo-fr" in _run(*kontrast, "describe", "demo:fr", cwd=tmp_path, **alone)
    _run(*kontrast, "score", "demo:fr?limit=5", "--model", "tiny", "--out", "a.scores", cwd=tmp_path, **alone)
    assert "accuracy" in _run(*kontrast, "evaluate", "demo:fr?limit=5", "a.scores", cwd=tmp_path, **alone)
    (tmp_path / "in.de").write_text("Die Frau lacht nicht.\n", "utf-8")
    assert "Die Frau lachen nicht." in _run(*kontrast, "perturb", "--lang", "de", "in.de", cwd=tmp_path, **alone)


@pytest.mark.slow
def test_wheel_installs_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    """With the libraries that it names itself and no more."""
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    clean = {"PYTHONPATH": "", "PYTHONNOUSERSITE": "1"}
    _run(python, "-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt", wheel, cwd=tmp_path, **clean)
    script = tmp_path / "env" / "bin" / "kontrast"
    assert "0 errors" in _run(script, "lint", "demo:de", cwd=tmp_path, **clean)
    (tmp_path / "a.scores").write_text("1\n2\n" * 176, "utf-8")
    assert "100.0%" in _run(script, "evaluate", "demo:fr", "a.scores", cwd=tmp_path, **clean)
