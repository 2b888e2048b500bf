"""``kontrast lint`` as scripts call it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kontrast
from kontrast.cli import main


def run(*args: str) -> int:
    with pytest.raises(SystemExit) as exit:
        main(["lint", *args])
    code = exit.value.code
    return code if isinstance(code, int) else 0


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    path = tmp_path / "faulty.jsonl"
    good, *rest = kontrast.bundled("demo:fr").items[:5]
    bad = good.__replace__(id="bad", variants=(good.best, good.best.__replace__(error="np_agreement")))
    kontrast.save(kontrast.Suite("faulty", (*rest, bad), "en", "fr"), path)
    return path


def test_clean_suite(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("demo:de") == 0
    assert "0 errors, 0 warnings" in capsys.readouterr().out


def test_error_exit(faulty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(faulty)) == 1
    out = capsys.readouterr().out
    assert out.startswith("error    contrastive-equals-reference: in 1 of 5 items")
    assert "items bad" in out


def test_json(faulty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(faulty), "--json") == 1
    findings = json.loads(capsys.readouterr().out)
    assert all(set(f) == {"id", "level", "count", "items", "message"} for f in findings)
    assert (findings[0]["id"], findings[0]["count"], findings[0]["items"]) == (
        "contrastive-equals-reference",
        1,
        ["bad"],
    )


def test_strict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "twice.jsonl"
    item = kontrast.bundled("demo:de").items[0]
    kontrast.save(kontrast.Suite("twice", (item, item), "en", "de"), path)
    assert run(str(path)) == 0
    assert run(str(path), "--strict") == 1
    assert "error    duplicate-item" in capsys.readouterr().out


@pytest.mark.parametrize("suite", ["missing.json", "demo:xx"])
def test_no_such_suite(suite: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(suite) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert suite in captured.err


def test_truncated_file(faulty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    faulty.write_bytes(faulty.read_bytes()[:-20])
    assert run(str(faulty)) == 2
    assert "faulty.jsonl, line 6" in capsys.readouterr().err
