"""The first results of a new user, by the README alone: every command as it is typed, its wall and CPU time.

    python benchmarks/first_hour.py [--model hf:FOLDER]

Three walks, each with an empty store: the demo; a model of one's own on a bundled suite (first result: `evaluate`); a
suite of one's own from a table. The model is a folder with a copy of kontrast-tiny unless another is named. What a
person needs to read and to type is not in the times, nor is the installation. The load of the machine is printed.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kontrast.judging.wording import counted
from kontrast.scoring.engines.hf import TINY

ROWS = """\
The lamp is here.,Die Lampe ist hier.,Der Lampe ist hier.,,article,,
The cat is tired.,Die Katze ist müde.,Das Katze ist müde.,,article,,
"""


def walks(model: str) -> dict[str, list[str]]:
    return {
        "demo": ["kontrast demo --out demo-out"],
        "own model": [
            f"kontrast score demo:de --model {model} --out mine.scores",
            "kontrast evaluate demo:de mine.scores",
            "kontrast report demo:de mine.scores --out mine.html",
        ],
        "own suite": [
            "kontrast init --pair en-de mine.csv",
            "cat rows >> mine.csv",
            "kontrast lint mine.csv",
            f"kontrast score mine.csv --model {model} --out mine.scores",
            "kontrast evaluate mine.csv mine.scores",
        ],
    }


def run(command: str, folder: Path) -> tuple[float, float]:
    """Wall and CPU seconds."""
    paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": paths, "KONTRAST_STORE": str(folder / "store.sqlite")}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(["bash", "-c", command], cwd=folder, env=environment, check=True, capture_output=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="hf:./my-model")
    given = parser.parse_args()
    load = "{:.1f}, {:.1f}, {:.1f}".format(*os.getloadavg())
    print(f"load {load} on {os.cpu_count()} cores")
    for name, commands in walks(given.model).items():
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            shutil.copytree(TINY, folder / "my-model")
            (folder / "rows").write_text(ROWS, "utf-8")
            times = [run(command, folder) for command in commands]
        wall, cpu = (sum(column) for column in zip(*times, strict=True))
        print(f"{name}: {counted(len(commands), 'command')}, {wall:.0f} s ({cpu:.0f} s CPU)")
        for command, (wall, cpu) in zip(commands, times, strict=True):
            print(f"  {wall:6.1f} s {cpu:6.1f} s CPU  {command}")


if __name__ == "__main__":
    main()
