"""Beyond one machine: what Ray costs, what a second worker brings, and whether memory stays flat.

    python benchmarks/scale.py ray --items 300 --rounds 3
    python benchmarks/scale.py memory --pairs 1000000,3000000,10000000 --command build
    python benchmarks/scale.py rates

``ray`` scores rows of the large EN-FR set (or of demo:fr) with the embedded model: locally and with one worker, in
turn in each round, then with two. Beside seconds it prints CPU seconds of all processes that took part, since other
programs may run on the machine; the load is printed too. ``memory`` writes synthetic pairs, packed, and prints the
largest resident memory that is not a mapped file. ``rates`` prints what a core does in a second, for the cost model.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

SHARED = Path(__file__).parents[2] / "shared" / "data"
ENFR = SHARED / "large-contrastive-en-fr"


def _suite(items: int) -> Any:
    import kontrast

    suite = kontrast.load(ENFR if ENFR.is_dir() else "demo:fr")
    return suite[: min(items, len(suite))] if items else suite


def _cpu(pids: list[int]) -> float:
    """CPU seconds of this process and of others by their ids."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    total = own.ru_utime + own.ru_stime
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def ray_rounds(items: int, rounds: int) -> None:
    import ray

    from kontrast.scoring.cluster import Workers
    from kontrast.scoring.context import Context
    from kontrast.scoring.engine import EngineOptions
    from kontrast.scoring.engines import load_engine
    from kontrast.scoring.plan import make_plan
    from kontrast.scoring.run import score_plan

    suite = _suite(items)
    options = EngineOptions(source_language="en", target_language="fr", threads=1)
    began = time.perf_counter()
    os.environ.setdefault("RAY_worker_niceness", "0")  # else other programs go first, and the two cannot be compared
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, namespace="kontrast")
    started = time.perf_counter() - began
    plan = make_plan(suite, Context())
    engines: dict[str, Any] = {
        "local": load_engine("tiny", options),
        "1 worker": Workers("tiny", options, "ray", 1),
    }
    found: dict[str, list[tuple[float, float]]] = {}
    values: dict[str, Any] = {}

    def measure(name: str, engine: Any) -> None:
        pids = engine._actors.ask_all("process") if isinstance(engine, Workers) else []
        cpu, wall = _cpu(pids), time.perf_counter()
        values[name] = score_plan(engine, plan, None)[0]
        found.setdefault(name, []).append((time.perf_counter() - wall, _cpu(pids) - cpu))

    for number in range(rounds + 1):
        for name, engine in engines.items():
            measure(name, engine)
        if number == 0:
            found.clear()  # the first round loads and warms
    engines.pop("1 worker").close()
    two = Workers("tiny", options, "ray", 2)
    for _ in range(rounds + 1):
        measure("2 workers", two)
    found["2 workers"].pop(0)
    two.close()
    assert values["local"] == values["1 worker"] == values["2 workers"], "the numbers differ"
    rows = len(plan.places)
    print(f"{rows:,} rows of {suite.name}, {plan.target_count:,} targets; load {os.getloadavg()[0]:.1f}")
    print(f"Ray started in {started:.1f} s")
    for name, times in found.items():
        wall, cpu = (statistics.median(column) for column in zip(*times, strict=True))
        print(f"{name:10} {wall:8.2f} s  {cpu:8.2f} CPU s  {rows / wall:8.0f} rows/s  {rows / cpu:8.0f} rows/CPU s")
    median = {name: [statistics.median(c) for c in zip(*times, strict=True)] for name, times in found.items()}
    best = {name: [min(c) for c in zip(*times, strict=True)] for name, times in found.items()}
    for label, each in (("median", median), ("best", best)):
        print(
            f"{label}: Ray costs {each['1 worker'][0] / each['local'][0] - 1:+.1%} of the time and "
            f"{each['1 worker'][1] / each['local'][1] - 1:+.1%} of the CPU time; "
            f"2 workers against 1: {each['1 worker'][0] / each['2 workers'][0]:.2f} times as fast"
        )


NOUNS = "Frau Mann Haus Kind Buch Tür Stadt Hund Katze Schule Brief Wagen Garten Tisch Lehrerin".split()
VERBS = "sieht liest kauft sucht findet malt trägt öffnet verliert".split()


def _synthetic(folder: Path, pairs: int, text: Text) -> tuple[Path, Path]:
    """So many pairs, packed as they are written."""
    source, target = folder / "pairs.en.gz", folder / "pairs.other.gz"
    with gzip.open(source, "wt", 1, "utf-8") as left, gzip.open(target, "wt", 1, "utf-8") as right:
        for start in range(0, pairs, BLOCK):
            block = list(itertools.islice(text(start), min(BLOCK, pairs - start)))
            left.write("".join(line for line, _ in block))
            right.write("".join(line for _, line in block))
    return source, target


Text = Callable[[int], Iterator[tuple[str, str]]]
BLOCK = 50_000


def _german(start: int) -> Iterator[tuple[str, str]]:
    words = itertools.cycle(itertools.product(NOUNS, VERBS, NOUNS))
    for a, verb, b in itertools.islice(words, start % (len(NOUNS) ** 2 * len(VERBS)), None):
        yield f"a {a.lower()} does not {verb} {b.lower()}\n", f"Ein {a} {verb} nicht {b} .\n"


def _swedish(start: int) -> Iterator[tuple[str, str]]:
    """Every sentence has a number, and no two are the same."""
    for number in itertools.count(start):
        noun = NOUNS[number % len(NOUNS)]
        yield (
            f"They paid {number} crowns for {noun} in the town.\n",
            f"De betalade {number} kronor för {noun} i byn.\n",
        )


def _peak(command: list[str]) -> tuple[float, float, float]:
    """(largest anonymous memory in MB, seconds, CPU seconds) of a program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    most = 0
    ended = threading.Event()

    def watch() -> None:
        nonlocal most
        while not ended.wait(0.05):
            try:
                status = Path(f"/proc/{process.pid}/status").read_text()
            except OSError:
                return
            lines = [line for line in status.splitlines() if line.startswith("RssAnon")]
            most = max(most, *(int(line.split()[1]) for line in lines), 0)

    watcher = threading.Thread(target=watch)
    watcher.start()
    _, said = process.communicate()
    ended.set()
    watcher.join()
    if process.returncode:
        sys.exit(f"{' '.join(command)}: {said}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return most / 1024, time.perf_counter() - began, cpu


COMMANDS = {
    "count": (_german, "count {target} --from text --features ngram --out {out}.counts"),
    "build": (_swedish, "build errors {source} {target} --pair en-sv --types number --out {out}.jsonl.gz"),
    "build-de": (
        _german,
        "build errors {source} {target} --pair en-de --types polarity_particle_nicht_del --out {out}.jsonl.gz",
    ),
}


def memory(sizes: list[int], names: list[str]) -> None:
    print(f"load {os.getloadavg()[0]:.1f}")
    for name in names:
        first = None
        for pairs in sizes:
            with tempfile.TemporaryDirectory() as folder:
                text, asked = COMMANDS[name]
                source, target = _synthetic(Path(folder), pairs, text)
                given = {"source": source, "target": target, "out": Path(folder) / "out"}
                command = [sys.executable, "-m", "kontrast", *(part.format(**given) for part in asked.split())]
                peak, wall, cpu = _peak(command)
            first = first or peak
            print(
                f"{name:6} {pairs:>10,} pairs: {peak:6.0f} MB ({peak / first:.2f} times), {wall:.0f} s, "
                f"{cpu:.0f} CPU s, {pairs / cpu:,.0f} pairs/CPU s",
                flush=True,
            )


def rates() -> None:
    """What one core does in a second, on text as it is: for the cost model of docs/scale.md."""
    import kontrast

    texts = [item.best.text for item in kontrast.load("demo:de").items]
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "t.en", Path(folder) / "t.de"
        lines = list(itertools.islice(itertools.cycle(texts), 2000))
        source.write_text("".join(f"line {n}\n" for n in range(len(lines))), "utf-8")
        target.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        kontrast.build_errors(source, target)
        began = time.process_time()
        kontrast.build_errors(source, target)
        spent = time.process_time() - began
        print(f"build errors, thirteen types: {len(lines) / spent:,.0f} pairs/CPU s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["ray", "memory", "rates"])
    parser.add_argument("--items", type=int, default=300, help="Items of the suite; 0: all.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pairs", default="1000000,10000000")
    parser.add_argument("--command", choices=list(COMMANDS), action="append")
    given = parser.parse_args()
    if given.what == "ray":
        ray_rounds(given.items, given.rounds)
    elif given.what == "memory":
        memory([int(size) for size in given.pairs.split(",")], given.command or ["count", "build"])
    else:
        rates()


if __name__ == "__main__":
    main()
