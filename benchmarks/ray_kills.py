"""Commands on a local Ray cluster of two nodes whose workers are killed: are the bytes those of a local run?

    nice python benchmarks/ray_kills.py [--minutes 60] [--every 40] [--pairs 20000] [--commands …] [--ratings MQM.tsv]

Runs `build errors`, `build pronouns`, `count` of text and of CoNLL-U, `score`, `metrics` and, with ratings, `build
marked`, one after the other and over again, each with ``--on ray``. `count` reads the pairs forty times over,
`metrics` all items of `build errors`, and `build marked` so many ``--copies`` of the ratings: each command runs long
enough to lose a worker. One of the first workers of a run is killed with SIGKILL, and then one every so many seconds
on average, at random: on average a worker lives longer than it needs for a shard, else nothing would be finished.
Each output is compared with that of the same command without Ray. Prints a line a run: the command, its seconds, the
workers killed, and whether the bytes are equal; then a table with the totals of each command. It ends with status 1
where a run failed or bytes differ.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path

from ray.cluster_utils import Cluster

import kontrast

KONTRAST = (sys.executable, "-m", "kontrast")


def make_corpus(folder: Path, pairs: int) -> None:
    words = "Der Hund sieht die alte Katze nicht , weil sie am Montag im Garten des Nachbarn schläft .".split()
    draw = random.Random(1)
    with (folder / "a.en").open("w") as source, (folder / "a.de").open("w") as target:
        for k in range(pairs):
            cut = draw.randint(5, len(words))
            source.write(f"Sentence {k} of the corpus does not say much .\n")
            target.write(f"{' '.join(words[:cut])} und {k} .\n")
    (folder / "long.de").write_bytes((folder / "a.de").read_bytes() * 40)
    with (folder / "a.conllu").open("w") as trees:
        for k in range(10 * pairs):
            for n, word in enumerate(words[: draw.randint(5, len(words))], start=1):
                trees.write(f"{n}\t{word}\t{word}{k % 97}\tX\t_\t_\t{n - 1}\t{'root' if n == 1 else 'dep'}\t_\t_\n")
            trees.write("\n")
    things = [("house", "Das Haus", "Es"), ("car", "Der Wagen", "Er"), ("key", "Der Schlüssel", "Er")]
    things += [("bottle", "Die Flasche", "Sie"), ("lamp", "Die Lampe", "Sie"), ("book", "Das Buch", "Es")]
    (folder / "documents").mkdir()
    for k in range(pairs // 200):
        with (
            (folder / "documents" / f"d{k}.en").open("w") as source,
            (folder / "documents" / f"d{k}.de").open("w") as target,
        ):
            for _ in range(50):
                (thing, name, pronoun), number = draw.choice(things), draw.randint(2, 99)
                source.write(f"The {thing} cost {number} dollars.\nIt is very old.\n")
                target.write(f"{name} hat {number} Dollar gekostet.\n{pronoun} ist sehr alt.\n")


def repeat_ratings(ratings: Path, out: Path, times: int) -> None:
    """The ratings as often as wanted, each copy with its own names of documents and segments."""
    head, *rows = ratings.read_text().splitlines()
    columns = head.split("\t")
    places = [
        columns.index(name) for name in ("doc", "doc_id", "seg_id", "docSegId", "globalSegId") if name in columns
    ]
    with out.open("w") as copies:
        copies.write(head + "\n")
        for k in range(times):
            for row in rows:
                cells = row.split("\t")
                for place in places:
                    cells[place] = (
                        f"{cells[place]}-{k}" if columns[place] == "doc" else f"{k * 100_000 + int(cells[place])}"
                    )
                copies.write("\t".join(cells) + "\n")


def content(out: Path) -> dict[str, bytes]:
    """The bytes of what a command wrote: a file, or a folder of files."""
    written = [path for path in out.rglob("*") if path.is_file()] if out.is_dir() else [out]
    return {path.name.removeprefix(out.name): path.read_bytes() for path in written}


class Killer(threading.Thread):
    """Kills a worker of the cluster now and then."""

    def __init__(self, cluster: Cluster, every: float) -> None:
        super().__init__(daemon=True)
        self._roots = {info.process.pid for node in cluster.list_all_nodes() for info in node.all_processes["raylet"]}
        self._every, self._draw = every, random.Random(1)
        self._begun = threading.Event()
        self.killed = 0

    def begin(self) -> int:
        """A run begins: one of its first workers is killed soon. How many were killed before."""
        self._begun.set()
        return self.killed

    def run(self) -> None:
        while True:
            if self._begun.wait(self._draw.expovariate(1 / self._every)):
                self._begun.clear()
                while not self._workers() and not self._begun.is_set():
                    time.sleep(0.1)
                time.sleep(self._draw.uniform(0, 2))
            if workers := self._workers():
                os.kill(self._draw.choice(workers), signal.SIGKILL)
                self.killed += 1

    def _workers(self) -> list[int]:
        """Children of this cluster's raylets that are an actor of kontrast."""
        found = []
        for entry in Path("/proc").iterdir():
            try:
                parent = (
                    int((entry / "stat").read_text().rpartition(")")[2].split()[1]) if entry.name.isdigit() else 0
                )
                if parent in self._roots and (entry / "cmdline").read_bytes().startswith(
                    (b"ray::Runner", b"ray::_Worker")
                ):
                    found.append(int(entry.name))
            except OSError:
                continue
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--every", type=float, default=40)
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--ratings")
    parser.add_argument("--copies", type=int, default=10, help="Copies of the ratings.")
    parser.add_argument("--commands", help="Names of the commands to run, separated by commas (default: all).")
    parser.add_argument("--pair", default="en-de", help="Languages of the ratings.")
    given = parser.parse_args()
    os.environ |= {"RAY_raylet_start_wait_time_s": "600", "OMP_NUM_THREADS": "1"}
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    cluster.add_node(num_cpus=1)
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        make_corpus(folder, given.pairs)
        source, target = str(folder / "a.en"), str(folder / "a.de")
        commands = {
            "build errors": ("build", "errors", source, target, "--pair", "en-de", "--ignore-source"),
            "build pronouns": (
                *("build", "pronouns", "--pair", "en-de", "--documents", str(folder / "documents")),
                *("--alignment", str(folder / "alignment"), "--second-opinion", "none"),
            ),
            "count": ("count", str(folder / "long.de"), "--lang", "de", "--features", "ngram"),
            "count CoNLL-U": ("count", str(folder / "a.conllu")),
            "score": ("score", str(folder / "scored.jsonl"), "--model", "tiny", "--no-store"),
        }
        if given.ratings:
            repeat_ratings(Path(given.ratings), folder / "ratings.tsv", given.copies)
            commands["build marked"] = ("build", "marked", str(folder / "ratings.tsv"), "--pair", given.pair)
        commands["metrics"] = (
            *("metrics", str(folder / "all.jsonl"), "--metric", "chrF"),
            *("--references", str(folder / "references")),
        )
        sample = ("--sample", str(min(3000, given.pairs // 2)))
        for name, some in (("scored", sample), ("all", ())):
            suite = (*KONTRAST, *commands["build errors"], *some, "--out", str(folder / f"{name}.jsonl"))
            subprocess.run(suite, check=True, stdout=subprocess.DEVNULL)
        references = (item.best.text.rpartition(" ")[0] for item in kontrast.load(folder / "all.jsonl").items)
        (folder / "references").write_text("".join(f"{text}\n" for text in references))
        lines = [str(folder / f"all.{code}") for code in ("en", "de")]
        for side in lines:
            parts = sorted((folder / "documents").glob(f"*{side[-3:]}"))
            Path(side).write_text("".join(part.read_text() for part in parts))
        train = (*KONTRAST, "build", "alignment", *lines, "--out", str(folder / "alignment"))
        subprocess.run(train, check=True, stdout=subprocess.DEVNULL)
        if given.commands:
            commands = {name: commands[name] for name in given.commands.split(",")}
        for place in ("local", "ray"):
            (folder / place).mkdir()
        local = {}
        for name, command in commands.items():
            out = folder / "local" / f"{name.replace(' ', '')}.jsonl"  # a suite is called as its file
            subprocess.run([*KONTRAST, *command, "--out", str(out)], check=True, stdout=subprocess.DEVNULL)
            local[name] = content(out)
        killer = Killer(cluster, given.every)
        killer.start()
        end = time.monotonic() + given.minutes * 60
        for name, command in itertools.cycle(commands.items()):
            if time.monotonic() >= end:
                break
            out = folder / "ray" / f"{name.replace(' ', '')}.jsonl"
            before, start = killer.begin(), time.monotonic()
            tries = 0
            while tries < 20:  # a run whose share was killed four times ends, and goes on when it is called again
                tries += 1
                done = subprocess.run(
                    [*KONTRAST, *command, "--on", f"ray:{cluster.address}", "--workers", "2", "--out", str(out)],
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    text=True,
                )
                if done.returncode == 0:
                    break
            equal = done.returncode == 0 and content(out) == local[name]
            killed = killer.killed - before
            totals[name].update(runs=1, killed=killed, equal=int(equal), again=tries - 1)
            told = "equal" if equal else f"DIFFERENT {done.stderr.strip()[-200:]}"
            print(
                f"{name}: {time.monotonic() - start:.0f} s, {killed} killed, called {tries} times, {told}",
                flush=True,
            )
            shutil.rmtree(out) if out.is_dir() else out.unlink(missing_ok=True)
    cluster.shutdown()
    print(f"\n{given.minutes:g} minutes\n\n| command | workers killed | runs | called again | equal bytes |")
    print("|---|---|---|---|---|")
    for name, some in totals.items():
        print(f"| `{name}` | {some['killed']} | {some['runs']} | {some['again']} | {some['equal']} |")
    raise SystemExit(any(some["equal"] != some["runs"] for some in totals.values()))


if __name__ == "__main__":
    main()
