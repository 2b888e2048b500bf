"""The store under prune, damage and age: no row changes its model or its value without a word."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from kontrast.errors import KontrastError
from kontrast.scoring.engine import Identity
from kontrast.scoring.store import Store, StoreError, StoreKey
from kontrast.suites.model import TokenScores

ENTRIES = [StoreKey(f"source number {n}", "Ja. " * (n % 2), f"Ziel {n}") for n in range(40)]
ROWS = [(entry, TokenScores(("Ziel", str(n)), (-1.25, -n - 0.5))) for n, entry in enumerate(ENTRIES)]


def filled(path: Path, fingerprint: str = "aaa") -> Store:
    store = Store(path)
    store.use("hf", f"model-{fingerprint}", Identity(fingerprint))
    store.add(ROWS, b"plan")
    return store


def test_a_run_holds_its_model_against_prune(tmp_path: Path) -> None:
    running = filled(tmp_path / "s.sqlite")
    other = Store(tmp_path / "s.sqlite")
    gone = other.prune(model="model-aaa")
    assert (gone.rows, gone.in_use) == (0, ("model-aaa",))
    running.add([(StoreKey("one", "", "more"), ROWS[0][1])])
    running.close()
    assert other.prune(model="model-aaa").rows == len(ROWS) + 1
    other.close()


def test_the_hold_of_a_dead_process_is_none(tmp_path: Path) -> None:
    store = filled(tmp_path / "s.sqlite")
    dead = subprocess.Popen([sys.executable, "-c", "pass"])
    dead.wait()
    store.connection.execute("UPDATE holds SET process = ?", (dead.pid,))
    assert Store(tmp_path / "s.sqlite").prune(model="aaa").rows == len(ROWS)
    with pytest.raises(StoreError, match="FOREIGN KEY"):  # a row without a model is impossible
        store.add([(StoreKey("one", "", "more"), ROWS[0][1])])
    store.close()


def test_numbers_of_models_are_never_used_again(tmp_path: Path) -> None:
    store = filled(tmp_path / "s.sqlite")
    first = store.model
    store.close()
    store = Store(tmp_path / "s.sqlite")
    store.prune(model="aaa")
    store.use("hf", "another", Identity("bbb"))
    assert store.model > first
    assert store.find(ENTRIES, TokenScores) == {}
    store.close()


def test_answers_decide_which_model_it_is(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.sqlite")
    found = [
        store.use("openai", "m", Identity("aaa", answers)) for answers in ((-1.0, -2.0), (-1.004, -2.0), (-1.5, -2.0))
    ]
    assert found[0] == found[1] != found[2]
    store.close()


def test_every_bit_of_a_value_is_watched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Flip single bits all over the file: a row is as it was, or it is not there, or the store is refused."""
    path = tmp_path / "s.sqlite"
    store = filled(path)
    expected = {entry: kept for entry, (kept, _) in store.find(ENTRIES, TokenScores).items()}
    assert expected == dict(ROWS)
    store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    whole = path.read_bytes()
    lost = refused = 0
    for place in range(0, len(whole) * 8, len(whole) * 8 // 150):
        damaged = bytearray(whole)
        damaged[place // 8] ^= 1 << place % 8
        for end in ("", "-wal", "-shm"):
            Path(f"{path}{end}").unlink(missing_ok=True)
        path.write_bytes(damaged)
        try:
            broken = Store(path)
            broken.use("hf", "model-aaa", Identity("aaa"))
            found = broken.find(ENTRIES, TokenScores)
            broken.close()
        except StoreError as error:
            assert "\n" not in str(error)
            refused += 1
            continue
        assert all(expected[entry] == kept for entry, (kept, _) in found.items()), place
        lost += len(expected) - len(found)
    assert lost or refused
    assert "are damaged: they are deleted and scored again" in capsys.readouterr().err


def test_a_store_of_the_first_version_is_emptied_and_a_newer_one_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s.sqlite"
    old = sqlite3.connect(path)
    old.execute("CREATE TABLE models (id INTEGER PRIMARY KEY, engine TEXT, name TEXT, fingerprint TEXT, used REAL)")
    old.execute("CREATE TABLE scores (key BLOB PRIMARY KEY, model INTEGER, value BLOB)")
    old.execute("INSERT INTO scores VALUES (X'00', 1, X'00')")
    old.commit()
    old.close()
    store = Store(path)
    assert "its 1 rows are deleted" in capsys.readouterr().err and store.info() == []
    store.connection.execute("PRAGMA user_version=99")
    store.close()
    with pytest.raises(StoreError, match="newer kontrast"):
        Store(path)


def test_this_process_is_alive() -> None:
    from kontrast.scoring.tables import _alive

    assert _alive(os.getpid())


def test_a_store_that_is_refused_is_closed(tmp_path: Path) -> None:
    """Else its locks would last as long as the error, and the next to open the file would wait a minute for it."""
    store = filled(tmp_path / "s.sqlite")
    store.connection.execute("PRAGMA user_version=99")
    store.close()
    refused = Store.__new__(Store)
    with pytest.raises(StoreError, match="newer kontrast"):
        refused.__init__(tmp_path / "s.sqlite")  # type: ignore[misc]
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        refused.connection.execute("SELECT 1")


@pytest.mark.parametrize("days", [float("nan"), -1.0])
def test_prune_refuses_days_that_would_be_all(days: float, tmp_path: Path) -> None:
    filled(tmp_path / "s.sqlite").close()
    store = Store(tmp_path / "s.sqlite")
    with pytest.raises(KontrastError, match="expected 0 days or more"):
        store.prune(unused_days=days)
    assert store.prune(model="model-aaa").rows == len(ROWS)
    store.close()
