"""What new users ask, walked by the README alone: commands, lines on the screen before the answer, wall and CPU time.

    python benchmarks/first_hour.py [--model hf:FOLDER]

Each walk begins in an empty folder with an empty store and ends when a line answers its question. Lines count from
the first command: all that is printed, progress and warnings too, above the line with the answer. The model is a
folder with a copy of kontrast-tiny unless another is named. What a person needs to read and to type is not in the
times, nor
is the installation. The load of the machine is printed.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from kontrast.scoring.engines.hf import TINY

ROWS = """\
The lamp is here.,Die Lampe ist hier.,Der Lampe ist hier.,,article,,
The cat is tired.,Die Katze ist müde.,Das Katze ist müde.,,article,,
"""
GATE = r"printf '[gate]\naccuracy = 0.5\n' > kontrast.toml"


class Walk(NamedTuple):
    """A question, the commands that lead to its answer, and the line that answers it."""

    question: str
    answer: str
    commands: list[str]


def walks(model: str) -> list[Walk]:
    def score(out: str, more: str = "", suite: str = "demo:de") -> str:
        return f"kontrast score {suite} --model {model} {more} --out {out}.scores"

    return [
        Walk("what does it look like?", r"report", ["kontrast demo --out demo-out"]),
        Walk("how good is my model?", r"prefers the right translation in [\d.]+%",
             [score("a"), "kontrast evaluate demo:de a.scores"]),
        Walk("only pronouns?", r"prefers the right translation in [\d.]+%",
             [score("a"), "kontrast evaluate demo:de a.scores --only phenomenon=pronoun_gender"]),
        Walk("which of two is better?", r"points (worse|better) than|decide all",
             [score("a"), score("b", "--context prev:1"), "kontrast compare demo:de a.scores b.scores"]),
        Walk("does it use the context?", r"(uses|not use|ignores|harmed by) the context",
             [score("a"), score("b", "--context prev:1"), "kontrast context demo:de a.scores b.scores"]),
        Walk("may I release it?", r"(passes|fails) the gate",
             [score("a"), GATE, "kontrast gate demo:de a.scores"]),
        Walk("what do I show my boss?", r"<p class=.verdict.>",
             [score("a"), "kontrast report demo:de a.scores --out r.html", "grep -m1 'class=.verdict' r.html"]),
        Walk("what goes into the paper?", r"We evaluate",
             [score("a"), "kontrast report demo:de a.scores --out t.tex", "kontrast cite demo:de a.scores"]),
        Walk("is what it writes right?", r"right form",
             [f"kontrast translate 'demo:de?limit=20' --model {model} --out a.de",
              "kontrast check 'demo:de?limit=20' a.de"]),
        Walk("my own sentences?", r"prefers the right translation in \d+%",
             ["kontrast init --pair en-de mine.csv", "cat rows >> mine.csv", "kontrast lint mine.csv",
              score("a", suite="mine.csv"), "kontrast evaluate mine.csv a.scores"]),
    ]  # fmt: skip


def run(command: str, folder: Path) -> tuple[list[str], float, float]:
    """The lines on the screen, wall and CPU seconds; a gate that fails has status 1."""
    paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": paths, "KONTRAST_STORE": str(folder / "store.sqlite"), "COLUMNS": "100"}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(["bash", "-c", f"({command}) 2>&1"], cwd=folder, env=environment, capture_output=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    shown = done.stdout.decode().splitlines()
    if done.returncode > 1:
        raise SystemExit(f"{command}: exit status {done.returncode}\n" + "\n".join(shown))
    return shown, wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="a model of your own (default: a copy of kontrast-tiny in a folder)")
    arguments = parser.parse_args()
    print(f"| question | commands | lines before the answer | wall s | CPU s |   load {os.getloadavg()[0]:.1f}")
    print("|---|---:|---:|---:|---:|")
    for walk in walks(arguments.model or "hf:./mine"):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            shutil.copytree(TINY, folder / "mine")
            (folder / "rows").write_text(ROWS, "utf-8")
            done = [run(command, folder) for command in walk.commands]
        lines = [line for shown, _, _ in done for line in shown]
        above = next((i for i, line in enumerate(lines) if re.search(walk.answer, line)), None)
        wall, cpu = sum(each[1] for each in done), sum(each[2] for each in done)
        told = "no answer" if above is None else above
        print(f"| {walk.question} | {len(walk.commands)} | {told} | {wall:.1f} | {cpu:.1f} |", flush=True)


if __name__ == "__main__":
    main()
