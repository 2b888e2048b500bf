"""A run that was stopped gives the bytes of one that was not, wherever it was stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kontrast import Item, Suite, Variant, save, score
from kontrast.errors import KontrastError
from kontrast.scoring.engine import EngineOptions
from kontrast.scoring.store import Store, StoreError

pytest.importorskip("torch")

WORDS = ("the old man", "a small dog", "my sister", "the neighbours", "nobody", "our first teacher of music")
VERBS = ("sees", "has never seen", "would like to see", "forgot", "did not know about", "sold")
THINGS = ("the house", "it", "a very old bicycle", "them in the garden behind the school", "the letter", "that")


def suite(size: int = 216) -> Suite:
    """Sentences of many lengths with variants of different length, so that batches are uneven."""
    items = []
    for n in range(size):
        words = (WORDS[n % 6], VERBS[n // 6 % 6], THINGS[n // 36 % 6])
        text = " ".join(words)
        variants = (Variant(f"« {text} » {n}"), Variant(f"« {words[0]} » {n}"), Variant(f"{text} et {text} {n}"))
        items.append(Item(str(n), f"{text}, {n}.", variants[: 2 + n % 2]))
    return Suite("many", tuple(items), "en", "fr")


def command(path: Path, folder: Path, out: str) -> list[str]:
    given = ["--model", "tiny", "--device", "cpu", "--batch-tokens", "96", "--threads", "1"]
    store = ["--store", str(folder / "s.sqlite"), "--out", str(folder / out)]
    return [sys.executable, "-m", "kontrast", "score", str(path), *given, *store]


def rows(folder: Path) -> int:
    try:
        return sum(model.rows for model in Store(folder / "s.sqlite").info())
    except StoreError:
        return 0


def test_stopped_anywhere(tmp_path: Path) -> None:
    """Rows of any part of the plan may be missing: the batches of the rest are those of the whole run."""
    made = suite()
    options = EngineOptions(device="cpu", batch_tokens=96, threads=1)
    whole = score(made, "tiny", options=options)
    store = Store(tmp_path / "s.sqlite")
    assert score(made, "tiny", options=options, store=store).values == whole.values
    keys = [key for (key,) in store.connection.execute("SELECT key FROM scores ORDER BY key")]
    for kept in (0.1, 0.5, 0.9, 0.99):
        lost = [(key,) for n, key in enumerate(keys) if n % 100 >= 100 * kept]
        store.connection.executemany("DELETE FROM scores WHERE key = ?", lost)
        again = score(made, "tiny", options=options, store=store)
        assert again.values == whole.values and again.tokens == whole.tokens
    store.close()


def test_rows_of_another_suite_are_taken_and_the_rest_stays_exact(tmp_path: Path) -> None:
    """With rows from elsewhere in the store, a stopped run still ends as it would have ended."""
    options = EngineOptions(device="cpu", batch_tokens=96, threads=1)
    found = []
    for name in ("straight", "stopped"):
        store = Store(tmp_path / f"{name}.sqlite")
        score(Suite("part", suite().items[40:90], "en", "fr"), "tiny", options=options, store=store)
        first = score(suite(), "tiny", options=options, store=store)
        if name == "stopped":
            query = "DELETE FROM scores WHERE plan = (SELECT plan FROM scores GROUP BY plan ORDER BY count(*) DESC)"
            assert store.connection.execute(f"{query} AND substr(key, 1, 1) < X'A0'").rowcount > 100
            first = score(suite(), "tiny", options=options, store=store)
        found.append(first.values)
        store.close()
    assert found[0] == found[1]


@pytest.mark.slow
def test_killed_at_several_moments(tmp_path: Path) -> None:
    save(suite(), tmp_path / "suite.jsonl")
    calm = tmp_path / "calm"
    calm.mkdir()
    subprocess.run(command(tmp_path / "suite.jsonl", calm, "a.scores"), check=True, capture_output=True)
    for moment in (1, 60, 150, 300, 420):
        folder = tmp_path / f"at-{moment}"
        folder.mkdir()
        run = subprocess.Popen(command(tmp_path / "suite.jsonl", folder, "a.scores"), start_new_session=True)
        while rows(folder) < moment and run.poll() is None:
            time.sleep(0.01)
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        done = subprocess.run(command(tmp_path / "suite.jsonl", folder, "a.scores"), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        for name in ("a.scores", "a.scores.json", "a.scores.tokens.jsonl.gz"):
            assert (folder / name).read_bytes() == (calm / name).read_bytes(), (moment, name)


def program(folder: Path, code: str) -> str:
    (folder / "p.py").write_text(code)
    return f"command:{sys.executable} {folder / 'p.py'}"


@pytest.mark.parametrize("wrong", ["nan", "inf", "-inf", "1e999"])
def test_a_number_that_is_not_finite_ends_the_run_with_its_row(wrong: str, tmp_path: Path) -> None:
    code = f"import sys\nfor n, _ in enumerate(sys.stdin): print({wrong!r} if n == 30 else n, flush=True)"
    store = Store(tmp_path / "s.sqlite")
    with pytest.raises(KontrastError, match=r"item 12, variant 1 .*expected a finite number"):
        score(suite(20), program(tmp_path, code), store=store, extra={"fingerprint": "1"})
    assert [use.rows for use in store.info()] == [30], "what was finished before the error is kept"
    store.close()


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("print('1_000', flush=True)", "found '1_000'"),
        ("print('١٢', flush=True)", "expected a number"),
        ("import sys; sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()", r"found '\\\\xff\\\\xfe'"),
        ("import sys\nfor line in sys.stdin: print(1)\nsys.exit(3)", r"failed \(status 3\) after its last score"),
    ],
)
def test_what_a_program_may_not_print(code: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(KontrastError, match=said):
        score(suite(3), program(tmp_path, code))


@pytest.mark.parametrize("line", ["'open quote", " ", "a\0b"])
def test_what_is_no_command(line: str) -> None:
    with pytest.raises(KontrastError):
        score(suite(1), f"command:{line}")


def test_numbers_stored_before_that_are_not_finite_are_dropped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import msgspec

    from kontrast.scoring.store import _signed

    model = program(tmp_path, "import sys\nfor line in sys.stdin: print(2.5)")
    store = Store(tmp_path / "s.sqlite")
    first = score(suite(5), model, store=store, extra={"fingerprint": "1"})
    query = "SELECT key, model, plan, source, prefix, target FROM scores LIMIT 1"
    row = store.connection.execute(query).fetchone()
    value = msgspec.msgpack.encode({"tokens": ["x"], "logprobs": [float("nan")]})
    store.connection.execute("REPLACE INTO scores VALUES (?, ?, ?, ?, ?, ?, ?, ?)", _signed((*row, value)))
    assert score(suite(5), model, store=store, extra={"fingerprint": "1"}) == first
    assert "1 rows of the store" in capsys.readouterr().err
    store.close()
