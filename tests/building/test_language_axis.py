"""A language is an axis: generic code names none, and without one everything else still works."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import kontrast
from kontrast.building.errors.registry import languages

PACKAGE = Path(kontrast.__file__).resolve().parent
GENERIC = ("building/errors/*.py", "building/errors/general/*.py", "building/checks/*.py", "language/*.py")
OF_ONE_LANGUAGE = ("language/french*.py", "language/english_words.py")
"""Modules of one language."""
OWN = {
    "de": (
        *("building/errors/de", "language/german", "language/lexicons/german*", "language/lexicons/tables.py"),
        *(
            "language/annotators/german.py",
            "data/words/de.toml",
            "data/lexicons/de.*",
            "data/models/*de.*",
        ),
    ),
    "fr": (
        *("building/errors/fr", "language/french*", "language/lexicons/lefff.py"),
        *("data/words/fr.toml", "data/lexicons/fr.*", "data/models/*fr.*"),
    ),
}


def _texts(tree: ast.AST) -> list[tuple[int, str]]:
    return [(n.lineno, n.value) for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def test_generic_code_names_no_language() -> None:
    known = set(languages()) | {"es", "cs", "ru"}
    left_out = {path for pattern in OF_ONE_LANGUAGE for path in PACKAGE.glob(pattern)}
    files = [path for pattern in GENERIC for path in PACKAGE.glob(pattern) if path not in left_out]
    assert len(files) > 30
    named = [(path.name, *text) for path in files for text in _texts(ast.parse(path.read_text("utf-8")))]
    assert [found for found in named if found[2] in known] == []


def test_generic_code_imports_no_language() -> None:
    own = ("german", "french", "lefff", "errors.de", "errors.fr", "tables")
    left_out = {path for pattern in OF_ONE_LANGUAGE for path in PACKAGE.glob(pattern)}
    files = [path for pattern in GENERIC for path in PACKAGE.glob(pattern) if path not in left_out]
    imports = [
        (path.name, node.module)
        for path in files
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module
    ]
    assert [found for found in imports if any(name in found[1] for name in own)] == []


@pytest.mark.parametrize("gone", ["de", "fr"])
def test_without_a_language_the_others_work(gone: str, tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "kontrast", ignore=shutil.ignore_patterns("__pycache__", "kontrast-tiny"))
    for pattern in OWN[gone]:
        found = list((tmp_path / "kontrast").glob(pattern))
        assert found, pattern
        for path in found:
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
        code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from kontrast.cli import main; main()"
        command = [sys.executable, "-c", code, *arguments]
        return subprocess.run(command, input=text, capture_output=True, text=True, check=False, cwd=tmp_path)

    assert run("--help").returncode == 0
    rows = run("languages")
    assert rows.returncode == 0 and gone not in [line.split()[0] for line in rows.stdout.splitlines() if line.split()]
    other, right = ("es", "Tiene 35 libros y no quiere más.\n")
    made = run("perturb", "-", "--lang", other, "--types", "number", text=right)
    assert made.returncode == 0 and "5 libros" in made.stdout, made.stderr
    (tmp_path / "a.en").write_text("She has 35 books.\n", "utf-8")
    (tmp_path / "a.es").write_text("Ella tiene 35 libros.\n", "utf-8")
    built = run("build", "errors", "a.en", "a.es", "--pair", "en-es", "--types", "number", "--out", "s.jsonl")
    assert built.returncode == 0, built.stderr
    if gone == "fr":
        german = run(
            "perturb", "-", "--lang", "de", "--types", "polarity_particle_nicht_del", text="Sie lacht nicht.\n"
        )
        assert "Sie lacht." in german.stdout, german.stderr
    refused = run("perturb", "-", "--lang", gone, text=right)
    assert refused.returncode != 0 and "Traceback" not in refused.stderr
    assert f"there are no errors for the language {gone!r}" in refused.stderr
