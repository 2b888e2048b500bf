"""Runs that are killed, starved of disk, or share a store: they end as an undisturbed run ends.

Short ones are part of ``make test``; those marked ``soak`` are repeated often. In ``make soak`` each adds a line
to ``bench-out/faults.jsonl``, from which ``tools/reliability.py`` makes the table of docs/reliability.md.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kontrast import Item, Suite, Variant, save

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """import sys, time
for line in sys.stdin:
    time.sleep(0.002)
    print(sum(line.encode()) % 997 / 7, flush=True)
"""


def noted(fault: str, runs: int, outcome: str) -> None:
    """One line for the table, in ``make soak``."""
    if "KONTRAST_SOAK" not in os.environ:
        return
    place = ROOT / "bench-out"
    place.mkdir(exist_ok=True)
    with open(place / "faults.jsonl", "a", encoding="utf-8") as out:
        out.write(json.dumps({"fault": fault, "runs": runs, "outcome": outcome}) + "\n")


def suite(size: int = 150) -> Suite:
    items = (Item(str(n), f"line {n}", (Variant(f"Zeile {n}"), Variant(f"Reihe {n}"))) for n in range(size))
    return Suite("many", tuple(items), "en", "de")


@pytest.fixture
def scoring(tmp_path: Path) -> list[str]:
    """The command, but for its store and ``--out``."""
    save(suite(), tmp_path / "suite.jsonl")
    (tmp_path / "p.py").write_text(PROGRAM)
    model = f"command:{sys.executable} {tmp_path / 'p.py'}"
    command = [sys.executable, "-m", "kontrast", "score", str(tmp_path / "suite.jsonl"), "--model", model]
    return [*command, "--option", "fingerprint=1"]


def scored(command: list[str], folder: Path) -> list[str]:
    folder.mkdir(exist_ok=True)
    return [*command, "--store", str(folder / "s.sqlite"), "--out", str(folder / "a.scores")]


def finished(command: list[str], folder: Path) -> dict[str, bytes]:
    done = subprocess.run(scored(command, folder), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {name: (folder / name).read_bytes() for name in ("a.scores", "a.scores.json")}


def kill_and_finish(command: list[str], folder: Path, kills: int) -> dict[str, bytes]:
    """Kill the run so many times, at moments by chance, then let it end."""
    chance = random.Random(1)
    for _ in range(kills):
        run = subprocess.Popen(scored(command, folder), start_new_session=True, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.3, 1.6))
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
    return finished(command, folder)


def test_killed_twice(scoring: list[str], tmp_path: Path) -> None:
    assert kill_and_finish(scoring, tmp_path / "killed", 2) == finished(scoring, tmp_path / "calm")
    noted("SIGKILL of `score` with `command:`", 2, "byte-equal to an undisturbed run")


@pytest.mark.soak
@pytest.mark.slow
def test_killed_twenty_times(scoring: list[str], tmp_path: Path) -> None:
    assert kill_and_finish(scoring, tmp_path / "killed", 20) == finished(scoring, tmp_path / "calm")
    noted("SIGKILL of `score` with `command:`", 20, "byte-equal to an undisturbed run")


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
    noted("two runs and `store prune` on one store", 1, "both equal to an undisturbed run")


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
    noted("store cut off at a place by chance", 4, f"{refused} refused in one line, the others equal")


@pytest.mark.parametrize("jump", [-(10**9), 10**9])
def test_a_clock_that_jumps(jump: int, scoring: list[str], tmp_path: Path) -> None:
    """Times in the store are for `prune` alone: no score depends on them."""
    import sqlite3

    calm = finished(scoring, tmp_path / "jumped")
    with sqlite3.connect(tmp_path / "jumped" / "s.sqlite") as store:
        store.execute("UPDATE models SET used = used + ?", (jump,))
    assert finished(scoring, tmp_path / "jumped") == calm
    noted("clock jumps by 30 years between runs", 1, "the same bytes")
