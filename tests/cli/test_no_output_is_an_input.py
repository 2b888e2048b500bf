"""No command writes over what it reads, whatever the two are called."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

import kontrast
from kontrast.cli import main
from kontrast.io.files import _identity

UPPER = "command:tr a-z A-Z"
CONSTANT = "command:sed s/.*/1/"


def run(*args: str | Path) -> int:
    with pytest.raises(SystemExit) as stopped:
        main(list(map(str, args)))
    return int(stopped.value.code or 0)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite, scores of it, translations, and what belongs to them."""
    suite = kontrast.load("demo:de?limit=6")
    kontrast.save(suite, tmp_path / "s.jsonl")
    kontrast.save(suite, tmp_path / "s.json", "contrapro")
    kontrast.write_scores(kontrast.Scores("a", tuple(map(float, range(suite.row_count)))), tmp_path / "a.scores")
    (tmp_path / "t.de").write_text("".join(f"{item.best.text}\n" for item in suite.items), "utf-8")
    (tmp_path / "t.en").write_text("".join(f"{item.source}\n" for item in suite.items), "utf-8")
    (tmp_path / "atoms.txt").write_text('{"atoms": {"a": 1, "b": 1}, "compounds": {"a b": 1}}\n' * 2)
    (tmp_path / "kontrast.toml").write_text("[gate]\naccuracy = 0.1\n")
    kontrast.Store(tmp_path / "kept.sqlite").close()
    (tmp_path / "link.jsonl").symlink_to("s.jsonl")
    os.link(tmp_path / "s.jsonl", tmp_path / "hard.jsonl")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        "score s.jsonl --model file:a.scores --out s.jsonl --no-store",
        "score s.jsonl --model file:a.scores --out link.jsonl --no-store",
        "score link.jsonl --model file:a.scores --out s.jsonl --no-store",
        "score s.jsonl --model file:a.scores --out hard.jsonl --no-store",
        "score s.json --model file:a.scores --out s --no-store",
        f"score s.jsonl --model {CONSTANT!r} --out kept.sqlite --store kept.sqlite",
        f"translate s.jsonl --model {UPPER!r} --out kept.sqlite --store kept.sqlite",
        "store export --store kept.sqlite --out kept.sqlite",
        "score s.jsonl?limit=2 --model file:a.scores --out ./s.jsonl --no-store",
        "check s.jsonl t.de --items t.de",
        "check s.jsonl t.de --items s.jsonl",
        "convert s.json s.json --to lingeval97",
        "convert s.jsonl hard.jsonl",
        "evaluate s.jsonl a.scores --items a.scores",
        "evaluate s.jsonl a.scores --items a.scores.json",
        "compare s.jsonl a.scores a.scores --items s.jsonl",
        "report s.jsonl a.scores --out a.scores.json",
        "gate s.jsonl a.scores --junit kontrast.toml",
        "shorten s.jsonl a.scores a.scores a.scores a.scores --size 3 --out s.jsonl",
        f"translate s.jsonl --model {UPPER!r} --out s.jsonl --no-store",
        "exclude t.en t.de --suite s.jsonl --out .",
        "exclude t.en t.de --suite s.jsonl --out clean --report t.en",
        "perturb --lang de t.de --out t.de",
        "count atoms.txt --from jsonl --out .",
    ],
)
def test_a_command_does_not_write_over_its_input(
    folder: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    import shlex

    before = {path: path.read_bytes() for path in folder.iterdir()}
    status = run(*shlex.split(command))
    told = capsys.readouterr().err
    assert {path: path.read_bytes() for path in before} == before
    assert status == 2 and "is one of the files that are read: choose another name" in told, told


def test_what_a_command_wrote_it_may_write_again(folder: Path) -> None:
    for _ in range(2):
        assert run("score", "s.jsonl", "--model", "file:a.scores", "--out", "b.scores", "--no-store") == 0
        assert run("convert", "s.jsonl", "s.csv") == 0
    kontrast.save(kontrast.load(folder / "s.jsonl"), folder / "s.jsonl")  # two calls are two decisions


def test_two_outputs_are_two_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("translate", "s.jsonl", "--model", UPPER, "--out", "made", "--details", folder / "made") == 2
    assert "--out and --details are the same file" in capsys.readouterr().err and not (folder / "made").exists()


def test_packed_files_and_two_names(folder: Path) -> None:
    (folder / "p.jsonl.gz").write_bytes(gzip.compress((folder / "s.jsonl").read_bytes()))
    assert run("convert", "p.jsonl.gz", folder / "." / "p.jsonl.gz") == 2
    assert _identity(folder / "link.jsonl") == _identity(folder / "hard.jsonl") != None  # noqa: E711
    assert _identity(Path("/dev/null")) is None
    with pytest.raises(kontrast.KontrastError, match="one of the files that are read"):
        kontrast.convert(folder / "s.jsonl", folder / "link.jsonl")


@pytest.mark.parametrize(
    ("function", "given", "written"),
    [
        ("evaluate", ("s.jsonl", "a.scores"), {"items": "a.scores"}),
        ("compare", ("s.jsonl", "a.scores", "a.scores"), {"items": "link.jsonl"}),
        ("check", ("s.jsonl", "t.de"), {"items": "t.de"}),
        ("shorten", ("s.jsonl", *["a.scores"] * 4), {"size": 3, "out": "hard.jsonl"}),
        ("translate", ("s.jsonl", UPPER), {"out": "s.jsonl"}),
        ("convert", ("s.jsonl", "hard.jsonl"), {}),
        ("exclude", (["t.en", "t.de"], "s.jsonl"), {"out": "."}),
    ],
)
def test_a_function_does_not_write_over_its_input(
    folder: Path, function: str, given: tuple[object, ...], written: dict[str, object]
) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(kontrast.KontrastError, match="is one of the files that are read: choose another name"):
        getattr(kontrast, function)(*given, **written)
    assert {path: path.read_bytes() for path in before} == before


def test_a_guarded_function_is_one_under_both_names() -> None:
    import pickle

    from kontrast.flows import suites

    assert suites.convert is kontrast.convert
    assert pickle.loads(pickle.dumps(kontrast.convert)) is kontrast.convert
