"""What the fault tests share: `kontrast score` as a process, killed or let alone, and the line for the table."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from kontrast import Item, Suite, Variant

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """import sys, time
for line in sys.stdin:
    time.sleep(0.004)
    print(sum(line.encode()) % 997 / 7, flush=True)
"""
"""A scorer for ``command:`` that is slow enough to be killed in the middle."""


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


def score_with(suite: str, *model: str) -> list[str]:
    """The command, but for its store and ``--out``."""
    return [sys.executable, "-m", "kontrast", "score", suite, "--model", *model]


def scored(command: list[str], folder: Path) -> list[str]:
    folder.mkdir(exist_ok=True)
    return [*command, "--store", str(folder / "s.sqlite"), "--out", str(folder / "a.scores")]


def finished(command: list[str], folder: Path) -> dict[str, bytes]:
    """The files of a run that is let alone. All that was in the store is used, and no row is kept twice."""
    before = rows_in(folder)
    done = subprocess.run(scored(command, folder), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = re.search(r"([\d,]+) distinct targets .*; ([\d,]+) from the store, ([\d,]+) scored", done.stderr)
    assert said is not None, done.stderr
    targets, kept, new = (int(each.replace(",", "")) for each in said.groups())
    assert kept == before and kept + new == targets == rows_in(folder), done.stderr
    return {name: (folder / name).read_bytes() for name in ("a.scores", "a.scores.json")}


def rows_in(folder: Path) -> int:
    """How many rows the store of a folder has, also while a run writes to it."""
    path = folder / "s.sqlite"
    if not path.exists():
        return 0
    try:
        with closing(sqlite3.connect(path, timeout=5)) as store:
            return int(store.execute("SELECT count(*) FROM scores").fetchone()[0])
    except sqlite3.OperationalError:  # it is being made
        return 0


def kill_and_finish(
    command: list[str], folder: Path, kills: int, longest: float = 3.0
) -> tuple[dict[str, bytes], int]:
    """Kill the run so many times, then let it end: its files, and how many kills left a part of the rows.

    Of three kills, one comes at a moment by chance (up to ``longest`` seconds) and two once rows have been added. A
    run that has written its scores before it is killed does not count: the next begins with an empty store.
    """
    chance, done, partly = random.Random(1), 0, 0
    while done < kills:
        before = rows_in(folder)
        run = subprocess.Popen(scored(command, folder), start_new_session=True, stderr=subprocess.DEVNULL)
        if done % 3 == 0:
            _wait(run, chance.uniform(0.1, longest))
        else:
            while run.poll() is None and rows_in(folder) == before:
                time.sleep(0.05)
            _wait(run, chance.uniform(0, 0.3))
        ended = run.poll() is not None
        assert not ended or run.returncode == 0, "nobody killed it"
        if not ended:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
        out = folder / "a.scores"
        if out.exists():
            assert out.read_bytes().count(b"\n") == rows_in(folder), "a score file is there whole or not at all"
            for path in folder.iterdir():
                path.unlink()
            continue
        done += 1
        partly += rows_in(folder) > 0
    return finished(command, folder), partly


def _wait(run: subprocess.Popen[bytes], seconds: float) -> None:
    try:
        run.wait(seconds)
    except subprocess.TimeoutExpired:
        return
