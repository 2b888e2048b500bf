"""Coverage-guided fuzzing (atheris) of everything in ``tests/hostile/targets.py``, a process a target.

    python tools/fuzz.py --runs 1000000            every target; part of `make soak`
    python tools/fuzz.py --runs 20000 recipe gate  some of them

The input of each finding is kept in ``--out``, one for each place in the code, and the fuzzer goes on. A target loads
and instruments only what it reads with. The table is written to ``OUT/fuzz.json``.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMPILED = ["kontrast.splitting.scanning", "kontrast.splitting.moving"]  # by numba: nothing to trace there


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("targets", nargs="*", help="names (default: all)")
    given.add_argument("--runs", type=int, default=1_000_000)
    given.add_argument("--seconds", type=int, default=0, help="at most so long for each target (0: no limit)")
    given.add_argument("--out", type=Path, default=ROOT / "bench-out" / "fuzz")
    given.add_argument("--plain", action="store_true", help="the mutator of `make test`, without atheris: faster")
    given.add_argument("--one", help=argparse.SUPPRESS)
    chosen = given.parse_args()
    if chosen.one:
        _fuzz(chosen.one, chosen)
        return
    sys.path.insert(0, str(ROOT))
    from tests.hostile.targets import TARGETS

    chosen.out.mkdir(parents=True, exist_ok=True)
    run = _mutate if chosen.plain else _run
    rows: list[dict[str, object]] = []
    for name in chosen.targets or TARGETS:
        rows.append(run(name, chosen))
        (chosen.out / "fuzz.json").write_text(json.dumps(rows, indent=1) + "\n")
    executions, findings = (sum(int(str(row[key])) for row in rows) for key in ("executions", "findings"))
    print(f"{executions:,} executions, {findings} findings")
    sys.exit(bool(findings))


def _run(name: str, chosen: argparse.Namespace) -> dict[str, object]:
    """One target in a process of its own: how many inputs were tried, and whether one was a finding."""
    start = time.monotonic()
    for old in chosen.out.glob(f"{name}[-.]finding*"):
        old.unlink()
    limits = ["--runs", str(chosen.runs), "--seconds", str(chosen.seconds), "--out", str(chosen.out)]
    done = subprocess.run([sys.executable, __file__, "--one", name, *limits], capture_output=True, text=True)
    told = done.stdout + done.stderr
    counts = [int(n) for n in re.findall(r"^#(\d+)\s", told, re.MULTILINE)]
    counts += [int(n) for n in re.findall(r"Done (\d+) runs|number_of_executed_units: (\d+)", told) for n in n if n]
    row = {
        "target": name,
        "executions": max(counts, default=0),
        "findings": len(list(chosen.out.glob(f"{name}-finding-*"))) + int(done.returncode != 0),
        "guided": True,
        "seconds": round(time.monotonic() - start, 1),
    }
    print(
        f"{name:20} {row['executions']:>10,} executions  {row['findings']} findings  {row['seconds']:>7} s",
        flush=True,
    )
    if done.returncode:
        (chosen.out / f"{name}.txt").write_text(told)
        print("\n".join(told.splitlines()[-25:]), file=sys.stderr)
    return row


def _mutate(name: str, chosen: argparse.Namespace) -> dict[str, object]:
    """Inputs near the seeds, without a look at what code they reach."""
    import contextlib
    import os
    import random

    from tests.hostile.mutation import mutated
    from tests.hostile.targets import attack, seeds

    known, chance = seeds(name), random.Random(f"{name} {chosen.runs}")
    start, count, findings = time.monotonic(), 0, 0
    for data in (mutated(known, chance) for _ in range(chosen.runs)):
        try:
            with open(os.devnull, "w") as nowhere, contextlib.redirect_stderr(nowhere):
                attack(name, data)
        except Exception:
            findings += 1
            (chosen.out / f"{name}-{findings}").write_bytes(data)
            if findings == 1:
                traceback.print_exc()
        count += 1
        if chosen.seconds and time.monotonic() - start > chosen.seconds:
            break
    seconds = round(time.monotonic() - start, 1)
    row = {"target": name, "executions": count, "findings": findings, "guided": False, "seconds": seconds}
    print(f"{name:20} {count:>10,} executions  {findings} findings", flush=True)
    return row


def _fuzz(name: str, chosen: argparse.Namespace) -> None:
    import atheris

    sys.path.insert(0, str(ROOT))
    with atheris.instrument_imports(include=["kontrast"], exclude=COMPILED, enable_loader_override=False):
        from tests.hostile.targets import CORPUS, attack, seeds

        for data in seeds(name):  # what the reader imports when it is used is instrumented too
            attack(name, data)

    work = chosen.out / "corpus" / name
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    options = [f"-runs={chosen.runs}", "-max_len=6000", "-timeout=60", "-rss_limit_mb=3000", "-print_final_stats=1"]
    options += [f"-max_total_time={chosen.seconds}"] if chosen.seconds else []
    options += [f"-artifact_prefix={chosen.out}/{name}-"]
    places: set[str] = set()

    def one(data: bytes) -> None:
        """A finding is kept once for each place in the code, and the fuzzer goes on."""
        try:
            attack(name, data)
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            place = f"{type(error).__name__} {frames[-1].filename}:{frames[-1].lineno}"
            if place not in places:
                places.add(place)
                (chosen.out / f"{name}-finding-{len(places)}").write_bytes(data)
                with (chosen.out / f"{name}.findings.txt").open("a") as told:
                    told.write(f"{len(places)}: {traceback.format_exc()}\n")

    atheris.Setup([sys.argv[0], *options, str(work), str(CORPUS / name)], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
