"""Processor time of `kontrast score` before and around its first row: a suite of one item, a process each.

    python benchmarks/startup.py [--rounds 3]

Beside the embedded model: the same model read with Transformers (by `--no-sharing`), and `import torch` alone.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import kontrast


def spent(command: list[str]) -> float:
    """User and system time of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        suite = Path(folder) / "one.jsonl"
        whole = kontrast.bundled("demo:de")
        kontrast.save(kontrast.Suite("one", whole.items[:1], "en", "de"), suite)
        call = [sys.executable, "-m", "kontrast"]
        score = [*call, "score", str(suite), "--model", "tiny", "--no-store", "--out", str(Path(folder) / "a.scores")]
        commands = {
            "kontrast --help": [*call, "--help"],
            "import torch": [sys.executable, "-c", "import torch"],
            "score, tiny": score,
            "score, tiny read with Transformers": [*score, "--no-sharing"],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(rounds):
            for name, command in commands.items():
                times[name].append(spent(command))
    medians = {name: statistics.median(found) for name, found in times.items()}
    for name, median in medians.items():
        ratio = median / medians["score, tiny read with Transformers"]
        print(
            f"{name:36} {median:6.2f} CPU s ({min(times[name]):.2f}-{max(times[name]):.2f}), {ratio:.2f} of the last"
        )


if __name__ == "__main__":
    main()
