"""SIGKILL of `kontrast translate` at ten moments: the command run again gives the file of an undisturbed run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("torch")

SUITE = "demo:fr?limit=120"


def command(out: Path, store: Path) -> list[str]:
    options = ["--model", "tiny", "--context", "prev:1", "--out", str(out), "--store", str(store)]
    return [sys.executable, "-m", "kontrast", "translate", SUITE, *options]


@pytest.mark.slow
def test_ten_kills(tmp_path: Path) -> None:
    start = time.monotonic()
    subprocess.run(command(tmp_path / "whole.txt", tmp_path / "whole.sqlite"), check=True, capture_output=True)
    seconds = time.monotonic() - start
    out, store = tmp_path / "cut.txt", tmp_path / "cut.sqlite"
    killed = 0
    for moment in range(1, 11):
        process = subprocess.Popen(
            command(out, store), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        try:
            process.wait(seconds * (0.3 + 0.07 * moment))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            killed += 1
            if out.exists():  # killed on its way out: a translation file is there whole or not at all
                assert out.read_bytes() == (tmp_path / "whole.txt").read_bytes()
                out.unlink()
        else:
            assert out.read_bytes() == (tmp_path / "whole.txt").read_bytes()
            out.unlink()
            store.unlink()
    subprocess.run(command(out, store), check=True, capture_output=True)
    assert killed >= 3 and out.read_bytes() == (tmp_path / "whole.txt").read_bytes()
