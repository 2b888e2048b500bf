"""Coverage-guided fuzzing (atheris) of everything in ``tests/hostile/targets.py``, a process a target.

    python tools/fuzz.py --runs 1000000            every target; part of `make soak`
    python tools/fuzz.py --runs 20000 recipe gate  some of them

``--runs`` counts all executions of a target so far: a second call goes on from the inputs and counts that ``--out``
has kept (``--fresh`` forgets them), the fastest targets first. Where they are no longer there, ``--from-page`` goes
on from the counts of docs/reliability.md. The input of each finding is kept, one for each place in the code; the next
call tries it again first. A target loads and instruments only what it reads with. The table is ``OUT/fuzz.json``; it
says how many states of the code its counts are from.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import traceback
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
COMPILED = [
    "kontrast.splitting.compiled_loops",
    "kontrast.splitting.search_moves",
]  # by numba, not traced
SHORT = 2000
"""Inputs may be so long, or twice as long as the shortest seed where that is more. Longer seeds are those of earlier
findings, mostly deep nesting, which is slow: `make test` tries them."""
NOTED = 2000
"""Executions after which a target notes how far it is, for a run that is killed."""
GUIDED = "guided by coverage"
FOUND = ("finding", "crash", "timeout", "oom", "leak")


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("targets", nargs="*", help="names (default: all)")
    given.add_argument("--runs", type=int, default=1_000_000, help="of each target, with those of earlier calls")
    given.add_argument("--seconds", type=int, default=0, help="at most so long for each target (0: no limit)")
    given.add_argument("--out", type=Path, default=ROOT / "bench-out" / "fuzz")
    given.add_argument("--plain", action="store_true", help="the mutator of `make test`, without atheris: faster")
    given.add_argument("--fresh", action="store_true", help="forget the counts and inputs of earlier calls")
    given.add_argument("--from-page", action="store_true", help="where no counts are kept, take the page's")
    given.add_argument("--one", help=argparse.SUPPRESS)
    chosen = given.parse_args()
    if chosen.one:
        _fuzz(chosen.one, chosen)
        return
    sys.path.insert(0, str(ROOT))
    from tests.hostile.targets import TARGETS

    if chosen.fresh:
        shutil.rmtree(chosen.out, ignore_errors=True)
    chosen.out.mkdir(parents=True, exist_ok=True)
    if chosen.from_page and not (chosen.out / "fuzz.json").exists():
        _write(chosen.out, {row["target"]: row for row in page_rows()}, list(TARGETS))
    rows = _kept(chosen.out)
    for name in sorted(chosen.targets or TARGETS, key=lambda name: -_rate(rows.get(name))):
        row = rows.setdefault(name, {"target": name, "executions": 0, "findings": 0, "seconds": 0.0, "states": []})
        left = chosen.runs - row["executions"]
        if left > 0:
            (_mutate if chosen.plain else _run)(row, left, chosen)
        _write(chosen.out, rows, list(TARGETS))
    done = [rows[name] for name in chosen.targets or TARGETS]
    executions, findings = (sum(row[key] for row in done) for key in ("executions", "findings"))
    print(f"{executions:,} executions, {findings} findings")
    sys.exit(bool(findings))


def page_rows(page: Path = ROOT / "docs" / "reliability.md") -> list[dict[str, Any]]:
    """The counts of the page's table. Which states of the code they are of it does not say, only how many."""
    text = page.read_text("utf-8")
    states = re.search(r"The counts are from (?:at most )?(\d+) versions? of the code", text)
    return [
        {
            "target": name,
            "executions": int(count.replace(",", "")),
            "findings": int(found),
            "seconds": 0.0,
            "guided": how == GUIDED,
            "states": [],
            "earlier_states": int(states[1]) if states else 0,
        }
        for name, how, count, found in re.findall(r"^\| `([^`]+)` \| ([^|]+) \| ([\d,]+) \| (\d+) \|$", text, re.M)
    ]


def _rate(row: dict[str, Any] | None) -> float:
    return row["executions"] / row["seconds"] if row and row["seconds"] else 0.0


def _kept(out: Path) -> dict[str, dict[str, Any]]:
    """The table of earlier calls, with what a call that was killed had noted."""
    path = out / "fuzz.json"
    rows = {row["target"]: row for row in json.loads(path.read_text())} if path.exists() else {}
    for noted in out.glob("*.noted"):
        name, (executions, seconds, state) = noted.stem, noted.read_text().split()
        row = rows.setdefault(name, {"target": name, "executions": 0, "findings": 0, "seconds": 0.0, "states": []})
        _add(row, int(executions), float(seconds), True, state)
        noted.unlink()
    return rows


def _add(row: dict[str, Any], executions: int, seconds: float, guided: bool, state: str) -> None:
    row["executions"] += executions
    row["seconds"] = round(row["seconds"] + seconds, 1)
    row["guided"] = guided and row.get("guided", True)
    row["states"] = sorted({*row["states"], state})


def _write(out: Path, rows: dict[str, dict[str, Any]], order: list[str]) -> None:
    table = sorted(rows.values(), key=lambda row: order.index(row["target"]))
    (out / "fuzz.json.new").write_text(json.dumps(table, indent=1) + "\n")
    (out / "fuzz.json.new").replace(out / "fuzz.json")


def _state() -> str:
    """Of the code that is fuzzed."""
    digest = hashlib.blake2b(digest_size=4)
    for path in sorted((ROOT / "src").rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _findings(out: Path, name: str) -> list[Path]:
    return [path for kind in FOUND for path in out.glob(f"{name}-{kind}-*")]


def _run(row: dict[str, Any], runs: int, chosen: argparse.Namespace) -> None:
    """One target in a process of its own."""
    name, state, start = row["target"], _state(), time.monotonic()
    log = chosen.out / f"{name}.log"
    limits = ["--runs", str(runs), "--seconds", str(chosen.seconds), "--out", str(chosen.out)]
    with log.open("wb") as told:
        done = subprocess.run([sys.executable, __file__, "--one", name, *limits], stdout=told, stderr=told)
    said = log.read_text("utf-8", "replace")
    counts = [int(n) for n in re.findall(r"^#(\d+)\s", said, re.MULTILINE)]
    counts += [int(n) for n in re.findall(r"Done (\d+) runs|number_of_executed_units: (\d+)", said) for n in n if n]
    executions, seconds = max(counts, default=0), time.monotonic() - start
    (chosen.out / f"{name}.noted").unlink(missing_ok=True)
    _add(row, executions, seconds, True, state)
    row["findings"] = len(_findings(chosen.out, name)) or int(done.returncode != 0)
    print(
        f"{name:20} {executions:>10,} executions ({row['executions']:,} in all)  {row['findings']} findings  "
        f"{seconds:.0f} s, {executions / seconds:,.0f}/s",
        flush=True,
    )
    if done.returncode:
        print("\n".join(said.splitlines()[-25:]), file=sys.stderr)


def _mutate(row: dict[str, Any], runs: int, chosen: argparse.Namespace) -> None:
    """Inputs near the seeds, without a look at what code they reach."""
    import contextlib
    import random

    from tests.hostile.mutation import mutated
    from tests.hostile.targets import attack, seeds

    name = row["target"]
    known, chance = seeds(name), random.Random(f"{name} {row['executions']} {runs}")
    start, count = time.monotonic(), 0
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stderr(nowhere):
        for data in (mutated(known, chance) for _ in range(runs)):
            try:
                attack(name, data)
            except Exception:
                row["findings"] += 1
                (chosen.out / f"{name}-finding-{row['findings']}").write_bytes(data)
                if row["findings"] == 1:
                    traceback.print_exc(file=sys.__stderr__)
            count += 1
            if chosen.seconds and time.monotonic() - start > chosen.seconds:
                break
    _add(row, count, time.monotonic() - start, False, _state())
    print(f"{name:20} {count:>10,} executions ({row['executions']:,} in all)  {row['findings']} findings", flush=True)


def _fuzz(name: str, chosen: argparse.Namespace) -> None:
    import atheris

    sys.path.insert(0, str(ROOT))
    with atheris.instrument_imports(include=["kontrast"], exclude=COMPILED, enable_loader_override=False):
        from tests.hostile.targets import attack, seeds

        for data in seeds(name):  # what the reader imports when it is used is instrumented too
            attack(name, data)

    work = chosen.out / "corpus" / name
    work.mkdir(parents=True, exist_ok=True)
    for old in _findings(chosen.out, name):  # tried again; where they still fail they are found anew
        old.rename(work / old.name)
    (chosen.out / f"{name}.findings.txt").unlink(missing_ok=True)
    longest = max(SHORT, 2 * min(map(len, seeds(name))))
    for number, data in enumerate(seeds(name)):
        if len(data) <= longest:
            (work / f"seed-{number}").write_bytes(data)
    options = [f"-runs={chosen.runs}", f"-max_len={longest}", "-timeout=60", "-rss_limit_mb=3000", "-reload=0"]
    options += ["-print_final_stats=1", f"-artifact_prefix={chosen.out}/{name}-"]
    options += [f"-max_total_time={chosen.seconds}"] if chosen.seconds else []
    places: set[str] = set()
    parent, noted, state, start, tried = os.getppid(), chosen.out / f"{name}.noted", _state(), time.monotonic(), 0

    def one(data: bytes) -> None:
        """A finding is kept once for each place in the code, and the fuzzer goes on."""
        nonlocal tried
        tried += 1
        if tried % NOTED == 0:
            noted.write_text(f"{tried} {time.monotonic() - start:.1f} {state}")
            if os.getppid() != parent:  # nobody is left who would count
                os._exit(1)
        try:
            attack(name, data)
        except BaseException as error:
            frames = traceback.extract_tb(error.__traceback__)
            place = f"{type(error).__name__} {frames[-1].filename}:{frames[-1].lineno}"
            if place not in places:
                places.add(place)
                (chosen.out / f"{name}-finding-{len(places)}").write_bytes(data)
                with (chosen.out / f"{name}.findings.txt").open("a") as told:
                    told.write(f"{len(places)}: {traceback.format_exc()}\n")

    atheris.Setup([sys.argv[0], *options, str(work)], one)
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - what readers say; libFuzzer writes past it
    gc.freeze()
    atheris.Fuzz()


if __name__ == "__main__":
    main()
