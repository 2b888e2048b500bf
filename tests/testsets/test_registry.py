"""A published test set is a file and a line: both are taken away from a copy of the package, and the rest works."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import kontrast
from kontrast.errors import KontrastError
from kontrast.suites import formats
from kontrast.suites.catalogue import entries
from kontrast.suites.testset import Original, TextLayout, bins, layout_names, testset, testsets
from kontrast.testsets import SETS
from kontrast.testsets.originals import original_options

PACKAGE = Path(kontrast.__file__).parent

PROGRAM = """
import sys
from kontrast.cli import main
from kontrast.suites import formats
from kontrast.suites.catalogue import entries
from kontrast.suites.testset import layout_names
for words in (["suites", "list"], ["evaluate", "--help"], ["extract", "--help"], ["convert", "--formats"],
              ["convert", "demo:de", sys.argv[1] + "/a.jsonl"], ["describe", sys.argv[1] + "/a.jsonl"]):
    try:
        main(words)
    except SystemExit as done:
        assert not done.code, (words, done.code)
print(*formats.names(), *layout_names(), *(entry.name for entry in entries()), file=sys.stderr)
"""


@pytest.mark.parametrize("stem", SETS)
def test_removing_a_file_and_its_line_removes_the_set_and_nothing_else(stem: str, tmp_path: Path) -> None:
    copy = tmp_path / "kontrast"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", f"{stem}.py", f"{stem}.toml"))
    lines = (PACKAGE / "testsets/__init__.py").read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if line.strip() != f'"{stem}",']
    assert len(kept) == len(lines) - 1
    (copy / "testsets/__init__.py").write_text("".join(kept), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    left = set(done.stderr.splitlines()[-1].split())
    name = stem.replace("_", "-")
    catalogued = _catalogued(name)
    assert left.isdisjoint({name, *catalogued})
    everything = {*formats.names(), *layout_names(), *(each.name for each in entries())}
    assert left == everything - {name, *catalogued}


SET = """
[set]
summary = "made"
examples = ["a.made"]
original = {}

"""
FUNCTIONS = '''
"""A made set: a line has a source, the right and the wrong translation; its script prints one number."""

from pathlib import Path

from kontrast.suites.model import Item, Suite, Variant


def detect(peek):
    return peek.path.suffix == ".made"


def read(path):
    rows = [line.split(" ||| ") for line in Path(path).read_text("utf-8").splitlines()]
    items = (Item(str(i), s, (Variant(r), Variant(w))) for i, (s, r, w) in enumerate(rows))
    return Suite("made", tuple(items), "en", "de", style="made")


def lines(suite, scores, options):
    pairs = zip(scores.values[::2], scores.values[1::2])
    yield f"right {sum(right < wrong for right, wrong in pairs)} of {len(suite)}"
'''


def test_a_set_is_two_files_and_a_line(tmp_path: Path) -> None:
    copy = tmp_path / "kontrast"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "testsets/made.py").write_text(FUNCTIONS, encoding="utf-8")
    one = "[[entry]]" + (PACKAGE / "testsets/consistency.toml").read_text("utf-8").split("[[entry]]")[1]
    (copy / "testsets/made.toml").write_text(
        SET + re.sub(r'\nname = ".*?"', '\nname = "made"', one), encoding="utf-8"
    )
    listed = copy / "testsets/__init__.py"
    listed.write_text(listed.read_text("utf-8").replace("SETS = (\n", 'SETS = (\n    "made",\n'), encoding="utf-8")
    (tmp_path / "a.made").write_text("a dog ||| ein Hund ||| eine Hund\nit ||| er ||| sie\n", encoding="utf-8")
    (tmp_path / "a.scores").write_text("1\n2\n2\n1\n")
    said = []
    for words in (["describe", "a.made"], ["evaluate", "a.made", "a.scores", "--style", "original"], ["suites"]):
        done = subprocess.run(
            [sys.executable, "-m", "kontrast", *words],
            env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            cwd=tmp_path,
        )
        assert done.returncode == 0, done.stderr
        said.append(done.stdout)
    assert "made" in said[0] and said[1] == "right 1 of 2\n" and "made" in said[2]


def _catalogued(name: str) -> set[str]:
    import tomllib

    path = testset(name).catalogue
    return {each["name"] for each in tomllib.loads(path.read_text("utf-8"))["entry"]} if path.is_file() else set()


def test_every_file_is_in_the_list_and_has_what_it_declares() -> None:
    files = {path.stem for path in (PACKAGE / "testsets").glob("*.py")} - {"__init__", "originals"}
    told = {path.stem: path.read_text("utf-8") for path in (PACKAGE / "testsets").glob("*.toml")}
    assert files == {stem for stem, text in told.items() if "[set]" in text}
    assert set(SETS) - files == {stem for stem, text in told.items() if "[format]" in text}
    for stem, each in zip(SETS, testsets().values(), strict=True):
        assert each.name.replace("-", "_") == stem
        has = {"FORMAT": each.declared is None, "outcomes": each.check, "CHECKS": each.lint}
        has |= {"columns": isinstance(each.layout, TextLayout), "lines": isinstance(each.original, Original)}
        for name, there in has.items():
            assert hasattr(each.parts(), name) == there, (stem, name)
        assert each.catalogue.is_file(), stem


def test_views_of_the_registry() -> None:
    assert formats.names()[0] == "native" and formats.names()[-1] == "rows"
    assert {"contrapro", "large-enfr", "lingeval97", "discevalmt"} <= set(layout_names())
    assert original_options()["categories"][0].choices[0] == "np_agreement"
    assert bins("lingeval97", "frequency").place(10_001) == (14, ">10k")
    with pytest.raises(KontrastError, match="lingeval97 has no bins for sense; it has them for distance, frequency"):
        bins("lingeval97", "sense")
    with pytest.raises(KontrastError, match="there is no test set 'x'; known: "):
        testset("x")
