"""The store: a killed run goes on where it stopped, runs at once agree, a full disk is said and loses nothing."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kontrast.errors import KontrastError
from kontrast.scoring.engine import Identity
from kontrast.scoring.store import Store, StoreError, StoreKey
from kontrast.suites.formats import save
from kontrast.suites.model import Item, Suite, TokenScores, Variant

# a real program that scores by length, slowly, and notes every row it was asked for
SCORER = """
import sys, time
with open(sys.argv[1], "a") as log:
    for line in sys.stdin:
        source, target = line.rstrip("\\n").split("\\t")
        time.sleep(float(sys.argv[2]))
        log.write(line); log.flush()
        print(len(source) + len(target) / 7, flush=True)
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    items = tuple(
        Item(str(i), f"source number {i}", (Variant(f"Ziel {i}"), Variant(f"Ziele {i}", error="x")))
        for i in range(300)
    )
    save(Suite("numbers", items), tmp_path / "suite.jsonl")
    return tmp_path / "suite.jsonl"


def command(suite: Path, folder: Path, name: str, pause: float) -> list[str]:
    (folder / "scorer.py").write_text(SCORER)
    model = f"command:{sys.executable} {folder / 'scorer.py'} {folder / 'asked'} {pause}"
    store = folder / "store.sqlite"
    out = folder / f"{name}.scores"
    given = [str(suite), "--model", model, "--out", str(out), "--store", str(store), "--option", "fingerprint=1"]
    return [sys.executable, "-m", "kontrast", "score", *given]


def stored(folder: Path) -> int:
    try:
        return sum(model.rows for model in Store(folder / "store.sqlite").info())
    except StoreError:
        return 0


def test_killed_and_resumed(suite: Path, tmp_path: Path) -> None:
    first = subprocess.Popen(command(suite, tmp_path, "first", 0.01), start_new_session=True)
    while stored(tmp_path) < 60 and first.poll() is None:
        time.sleep(0.05)
    os.killpg(first.pid, signal.SIGKILL)
    assert first.wait() == -signal.SIGKILL
    kept = stored(tmp_path)
    assert 60 <= kept < 600
    assert not (tmp_path / "first.scores").exists()
    asked_before = len((tmp_path / "asked").read_text().splitlines())

    again = subprocess.run(command(suite, tmp_path, "first", 0.01), capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    assert f"{kept:,} from the store, {600 - kept:,} scored" in again.stderr
    assert len((tmp_path / "asked").read_text().splitlines()) - asked_before == 600 - kept

    fresh = tmp_path / "fresh"
    fresh.mkdir()
    subprocess.run(command(suite, fresh, "whole", 0.0), check=True, capture_output=True)
    assert (tmp_path / "first.scores").read_bytes() == (fresh / "whole.scores").read_bytes()


def test_two_runs_at_once(suite: Path, tmp_path: Path) -> None:
    runs = [
        subprocess.Popen(command(suite, tmp_path, name, 0.003), stderr=subprocess.PIPE, text=True) for name in "ab"
    ]
    for run in runs:
        _, errors = run.communicate(timeout=120)
        assert run.returncode == 0, errors
    assert (tmp_path / "a.scores").read_bytes() == (tmp_path / "b.scores").read_bytes()
    assert stored(tmp_path) == 600
    integrity = Store(tmp_path / "store.sqlite").connection.execute("PRAGMA integrity_check").fetchone()
    assert integrity == ("ok",)


def test_full_disk(suite: Path, tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))

    full = subprocess.run(command(suite, tmp_path, "a", 0.004), capture_output=True, text=True, preexec_fn=limit)
    assert full.returncode == 2
    assert full.stderr.count("\n") == 1 and "free some space and repeat the command" in full.stderr
    kept = stored(tmp_path)
    assert kept > 0
    more = subprocess.run(command(suite, tmp_path, "a", 0.004), capture_output=True, text=True)
    assert more.returncode == 0, more.stderr
    assert f"{kept:,} from the store" in more.stderr


def test_an_overlapping_suite_scores_only_what_is_new(tmp_path: Path) -> None:
    first = Suite("s", (Item("1", "a dog", (Variant("ein Hund"), Variant("eine Hund"))),))
    more = Suite("t", (Item("9", "a dog", (Variant("ein Hund"), Variant("einen Hund"), Variant("eine Hund"))),))
    for suite, name in ((first, "s"), (more, "t")):
        save(suite, tmp_path / f"{name}.jsonl")
        subprocess.run(command(tmp_path / f"{name}.jsonl", tmp_path, name, 0.0), check=True, capture_output=True)
    asked = (tmp_path / "asked").read_text().splitlines()
    assert [line.split("\t")[1] for line in asked] == ["ein Hund", "eine Hund", "einen Hund"]
    scores = [float(line) for line in (tmp_path / "t.scores").read_text().split()]
    assert scores == [5 + len(text) / 7 for text in ("ein Hund", "einen Hund", "eine Hund")]


def test_info_export_prune(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    store = Store(path)
    for fingerprint in ("aaa", "bbb"):
        store.use("hf", f"model-{fingerprint}", Identity(fingerprint))
        store.add([(StoreKey("a dog", "Ja. ", "ein Hund"), TokenScores(("ein", "Hund"), (-1.0, -2.5)))])
    assert [(model.name, model.rows) for model in store.info()] == [("model-bbb", 1), ("model-aaa", 1)]
    assert store.find([StoreKey("a dog", "", "ein Hund")], TokenScores) == {}
    store.close()

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        given = [sys.executable, "-m", "kontrast", "store", *arguments, "--store", str(path)]
        return subprocess.run(given, capture_output=True, text=True)

    row = json.loads(run("export", "--model", "aaa").stdout)
    assert (row["source"], row["prefix"], row["target"], row["logprobs"]) == (
        "a dog",
        "Ja. ",
        "ein Hund",
        [-1.0, -2.5],
    )
    assert run("prune", "--model", "model-aaa").stdout == "1 rows deleted\n"
    assert [model["name"] for model in json.loads(run("info", "--json").stdout)["models"]] == ["model-bbb"]
    assert run("prune").returncode == 2
    assert run("prune", "--unused", "1").stdout == "0 rows deleted\n"


def test_a_store_that_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(KontrastError, match="cannot be opened"):
        Store(tmp_path / "file" / "s.sqlite")
    (tmp_path / "text.sqlite").write_text("this is not a database, and long enough to be looked at as one" * 20)
    with pytest.raises(KontrastError, match="not a database"):
        Store(tmp_path / "text.sqlite")
