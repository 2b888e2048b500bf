"""Odd places to read from and write to: pipes, devices, closed and narrow streams, full disks. One line, status 2."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

KONTRAST = (sys.executable, "-m", "kontrast")


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    (tmp_path / "a.scores").write_text("1\n2\n" * 176)
    return tmp_path / "a.scores"


def run(*args: object, status: int = 2, timeout: int = 60, **more: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*KONTRAST, *map(str, args)],
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "timeout": timeout, **more},  # type: ignore[call-overload]
    )
    assert done.returncode == status, done.stderr
    assert "unexpected" not in done.stderr and "Traceback" not in done.stderr and "Exception" not in done.stderr
    if status == 2:
        assert done.stderr.count("\n") == 1 and done.stderr.startswith("kontrast: ")
    return done


def test_a_pipe_is_refused_and_does_not_hang(tmp_path: Path, scores: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    gate, review = ("gate", "demo:fr", scores, "--config", pipe), ("review", pipe, "--export", tmp_path / "out")
    for args in (("lint", pipe), ("evaluate", "demo:fr", pipe), gate, review):
        assert "is a pipe or a device" in run(*args).stderr


def test_a_device_without_an_end_is_refused() -> None:
    for args in (("lint", "/dev/zero"), ("evaluate", "demo:fr", "/dev/zero"), ("check", "demo:fr", "/dev/zero")):
        assert "is a pipe or a device" in run(*args).stderr


def test_standard_input_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    program = "import sys; from kontrast.io import files; files.LONGEST_INPUT = 1 << 20; "
    program += "from kontrast.cli import main; main(sys.argv[1:])"
    with open("/dev/zero", "rb") as zeros:
        done = subprocess.run(
            [sys.executable, "-c", program, "evaluate", "demo:fr", "-"], stdin=zeros, capture_output=True, timeout=60
        )
    assert done.returncode == 2 and b"standard input: expected at most" in done.stderr


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_closed_standard_output_is_one_line(scores: Path, options: tuple[str, ...]) -> None:
    line = [*KONTRAST, "evaluate", "demo:fr", str(scores), *options]
    done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *line], stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2 and "standard output is closed" in done.stderr and done.stderr.count("\n") == 1


def test_a_full_disk_behind_standard_output_is_one_line(scores: Path) -> None:
    with open("/dev/full", "w") as full:
        assert "No space left" in run("evaluate", "demo:fr", scores, stdout=full).stderr


@pytest.mark.parametrize("options", [(), ("--json",), ("--by", "ref_pronoun")])
def test_ascii_standard_output_gets_the_same_bytes(scores: Path, options: tuple[str, ...]) -> None:
    plain, narrow = (
        run("evaluate", "demo:fr", scores, *options, status=0, env={**os.environ, "PYTHONIOENCODING": name}).stdout
        for name in ("utf-8", "ascii")
    )
    assert plain == narrow and "accuracy" in plain


def test_an_encoding_that_lacks_a_character_is_named(scores: Path) -> None:
    narrow = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    with open(os.devnull, "w") as nowhere:
        assert "cannot be written as" in run("convert", "demo:de", "-", env=narrow, stdout=nowhere).stderr


def test_a_run_goes_on_where_nobody_reads_its_messages(tmp_path: Path) -> None:
    """`kontrast score … 2>&1 | head -1`, and messages into a file on a full disk."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as closed, open("/dev/full", "w") as full:
        for messages in (closed, full):
            out = tmp_path / f"{messages.fileno()}.scores"
            line = [*KONTRAST, "score", "demo:fr", "--model", "tiny", "--limit", "3", "--out", str(out)]
            assert subprocess.run(line, stderr=messages).returncode == 0 and len(out.read_text().split()) > 3


def test_a_reader_that_closes_the_pipe_does_not_change_the_verdict(tmp_path: Path, scores: Path) -> None:
    """`kontrast gate … | head -1` under pipefail: a gate that failed has failed."""
    (tmp_path / "g.toml").write_text("[gate]\naccuracy = 0.99\n")
    scores.write_text("2\n1\n" * 176)
    (tmp_path / "bad.csv").write_text("source,right,wrong,phenomenon\n" + "a,b,b,x\n" * 300)
    gate = ["gate", "demo:fr", str(scores), "--config", str(tmp_path / "g.toml")]
    for args in (gate, [*gate, "--json"], ["lint", str(tmp_path / "bad.csv")]):
        read, write = os.pipe()
        os.close(read)
        with os.fdopen(write, "w") as closed:
            done = subprocess.run([*KONTRAST, *args], stdout=closed, stderr=subprocess.PIPE, text=True)
        assert done.returncode == 1 and not done.stderr, (args, done.stderr)
