"""Runs that are starved of disk, share a store or find it damaged: they end as an undisturbed run ends.

Short ones are part of ``make test``; those marked ``soak`` are repeated often. In ``make soak`` each adds a line
to ``bench-out/faults.jsonl``, from which ``tools/reliability.py`` makes the table of docs/reliability.md.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kontrast import save

from .runs import PROGRAM, finished, noted, score_with, scored, suite


@pytest.fixture
def scoring(tmp_path: Path) -> list[str]:
    """The command, but for its store and ``--out``."""
    save(suite(), tmp_path / "suite.jsonl")
    (tmp_path / "p.py").write_text(PROGRAM)
    model = f"command:{sys.executable} {tmp_path / 'p.py'}"
    return score_with(str(tmp_path / "suite.jsonl"), model, "--option", "fingerprint=1")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MB; only root can make one."""
    place = tmp_path / "disk"
    place.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], capture_output=True)
    if made.returncode:
        pytest.skip("a small file system cannot be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk(scoring: list[str], small_disk: Path, tmp_path: Path) -> None:
    """The run ends in one line; with space again, it goes on to the same bytes."""
    folder, ballast = small_disk / "run", small_disk / "ballast"
    ballast.write_bytes(bytes(940 << 10))
    done = subprocess.run(scored(scoring, folder), capture_output=True, text=True)
    told = [line for line in done.stderr.splitlines() if line.startswith("kontrast:")]
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
    assert told and ("full" in told[-1] or "No space" in told[-1] or "I/O" in told[-1])
    ballast.unlink()
    assert finished(scoring, folder) == finished(scoring, tmp_path / "calm")
    noted("disk full (tmpfs of 1 MB)", 1, "one line, status 2; resumed to the same bytes")


def test_two_runs_and_a_prune_at_once(scoring: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    outs = [folder / "one.scores", folder / "two.scores"]
    store = ["--store", str(folder / "s.sqlite")]
    runs = [
        subprocess.Popen([*scoring, *store, "--out", str(out)], stderr=subprocess.PIPE, text=True) for out in outs
    ]
    prune = [sys.executable, "-m", "kontrast", "store", "prune", "--unused", "0", *store]
    while any(run.poll() is None for run in runs):
        pruned = subprocess.run(prune, capture_output=True, text=True)
        assert "Traceback" not in pruned.stderr
    for run in runs:
        _, told = run.communicate()
        assert run.returncode == 0, told
    calm = finished(scoring, tmp_path / "calm")["a.scores"]
    assert [out.read_bytes() for out in outs] == [calm, calm]
    noted("two runs and `store prune` on one store", 1, "both equal to an uninterrupted run")


def test_a_store_cut_anywhere(scoring: list[str], tmp_path: Path) -> None:
    """What is left of a store is used, refused in one line, or scored anew: never a wrong number."""
    calm = finished(scoring, tmp_path / "calm")
    whole = (tmp_path / "calm" / "s.sqlite").read_bytes()
    chance, refused = random.Random(2), 0
    for n in range(4):
        folder = tmp_path / f"cut-{n}"
        folder.mkdir()
        (folder / "s.sqlite").write_bytes(whole[: chance.randrange(1, len(whole))])
        done = subprocess.run(scored(scoring, folder), capture_output=True, text=True)
        assert "Traceback" not in done.stderr
        if done.returncode == 0:
            assert (folder / "a.scores").read_bytes() == calm["a.scores"]
        else:
            refused += 1
            assert done.returncode == 2 and "--store FILE" in done.stderr, done.stderr
    noted("store truncated at a random place", 4, f"{refused} refused in one line, the others equal")


CLOCK = """import time
now, calls = time.time, 0
def jumping():
    global calls
    calls += 1
    return now() + (calls // 3 % 3 - 1) * 1e9
time.time = jumping
"""


def test_a_clock_that_jumps(scoring: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By thirty years, back and forth while the run goes on, and between runs. Times are for `prune` alone."""
    calm = finished(scoring, tmp_path / "calm")
    (tmp_path / "clock").mkdir()
    (tmp_path / "clock" / "sitecustomize.py").write_text(CLOCK)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "clock"), os.environ.get("PYTHONPATH", "")]))
    assert finished(scoring, tmp_path / "jumped") == calm
    assert finished(scoring, tmp_path / "jumped") == calm
    assert finished(scoring, tmp_path / "calm") == calm, "with times from before the jump in its store"
    noted("clock jumps by 30 years, within runs and between them", 3, "the same bytes")
