"""Time and memory of every command that reads a suite, against its size.

    python benchmarks/growth.py [--sizes 10000,100000,1000000] [--commands evaluate,lint,…] [--out FILE.md]

The suite is made: pairs of sentences of eight words (60,000 words by Zipf's law), two variants, 40 phenomena, a
document for every 20 items, three tags, one sentence of context; its scores are random. Each command runs in its own
process. Text with numbers, made ratings of five systems, counts of that text and random halves are the input of what
builds and splits. The table shows its CPU seconds, in brackets the seconds by the clock, and its largest memory at
each size; then the exponent *b* of CPU = a·size^b between the last two sizes: 1 is linear. `review` is measured from
its start until its page and the first card are there. Files of a size are kept in ``--work`` and used again.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import IO, NamedTuple

KONTRAST = (sys.executable, "-m", "kontrast")
WORDS = ["".join(random.Random(k).choices("aeioubdfgklmnprstvwz", k=2 + k % 9)) for k in range(60_000)]
OFTEN = list(itertools.accumulate(1 / (k + 3) for k in range(len(WORDS))))
"""Words as often as in texts, by Zipf's law."""
COMMANDS: dict[str, tuple[str, ...]] = {
    "evaluate": ("evaluate", "SUITE", "A", "--json"),
    "evaluate --by": ("evaluate", "SUITE", "A", "--by", "distance", "--json"),
    "compare": ("compare", "SUITE", "A", "B", "--json"),
    "gate": ("gate", "SUITE", "A", "--config", "GATE", "--json"),
    "describe": ("describe", "SUITE", "--json"),
    "convert": ("convert", "SUITE", "OUT.csv"),
    "lint": ("lint", "SUITE", "--json"),
    "check": ("check", "SUITE", "TEXT", "--json"),
    "metrics": ("metrics", "SUITE", "--metric", "chrF", "--references", "TEXT", "--json"),
    "report": ("report", "SUITE", "A", "B", "--out", "OUT.html"),
    "extract": ("extract", "SUITE", "--out", "OUT.rows"),
    "context": ("context", "SUITE", "A", "B", "--sentences", "--json"),
    "artefacts": ("artefacts", "SUITE", "A", "--json"),
    "items": ("items", "SUITE", "A", "B", "C", "D", "--json"),
    "shorten": ("shorten", "SUITE", "A", "B", "C", "D", "--size", "500", "--out", "OUT.jsonl"),
    "publish": ("publish", "SUITE", "--licence", "CC0-1.0", "--to", "OUT.set"),
    "exclude": ("exclude", "SENTENCES.en", "SENTENCES.de", "--suite", "demo:de", "--out", "OUT.clean"),
    "perturb": ("perturb", "SENTENCES.de", "--lang", "de", "--types", "negation,number", "--out", "OUT.jsonl"),
    "build errors": (
        *("build", "errors", "SENTENCES.en", "SENTENCES.de", "--ignore-source", "--types", "negation,number"),
        *("--out", "OUT.jsonl"),
    ),
    "build marked": (
        "build",
        "marked",
        "RATINGS",
        "--pair",
        "en-de",
        "--second-opinion",
        "none",
        "--out",
        "OUT.jsonl",
    ),
    "count": ("count", "TEXT", "--lang", "de", "--features", "ngram", "--out", "OUT.counts"),
    "split": ("split", "COUNTS", "--seed", "1", "--out", "OUT.split"),
    "divergence": ("divergence", "COUNTS", "--train", "TRAIN", "--test", "TEST", "--json"),
    "review": ("review", "SUITE", "--store", "OUT.sqlite", "--no-browser"),
}


TEXTS = {"SENTENCES.en", "SENTENCES.de", "RATINGS", "COUNTS", "TRAIN", "TEST"}
"""Files that few commands read."""


def make_files(folder: Path, size: int) -> dict[str, str]:
    """The suite, four score files, translations and a gate of a size."""
    names = {"SUITE": "suite.jsonl", "TEXT": "a.txt", "GATE": "gate.toml"}
    names |= {system: f"{system}.scores" for system in "ABCD"}
    paths = {key: folder / f"{size}.{name}" for key, name in names.items()}
    if not paths["GATE"].exists():
        draw = random.Random(size)
        folder.mkdir(parents=True, exist_ok=True)
        with paths["SUITE"].open("w") as suite, paths["TEXT"].open("w") as text:
            head = {"kontrast": 1, "name": "made", "source_language": "en", "target_language": "de"}
            suite.write(json.dumps(head, separators=(",", ":")) + "\n")
            for k in range(size):
                source, right, before = (" ".join(draw.choices(WORDS, cum_weights=OFTEN, k=8)) for _ in range(3))
                wrong = right.split()
                wrong[draw.randrange(8)] = draw.choice(WORDS)
                item = {
                    "id": str(k),
                    "source": source,
                    "variants": [{"text": right}, {"text": " ".join(wrong), "error": f"p{k % 40}"}],
                    "source_context": [before],
                    "target_context": [before],
                    "document": f"d{k // 20}",
                    "tags": {"distance": k % 5, "frequency": draw.randrange(10000), "origin": f"o{k % 3}"},
                }
                suite.write(json.dumps(item, separators=(",", ":")) + "\n")  # as kontrast writes it
                text.write((right if draw.random() < 0.7 else " ".join(wrong)) + "\n")
        for key in "ABCD":
            paths[key].write_text("".join(f"{draw.random() + k % 2 * 0.3:.6f}\n" for k in range(2 * size)))
        paths["GATE"].write_text("[gate]\naccuracy = 0.5\n")
    return {key: str(path) for key, path in paths.items()}


def make_texts(folder: Path, size: int) -> dict[str, str]:
    """Sentences, ratings, counts of sentences and two halves of a size: inputs of what builds and splits."""
    names = {"SENTENCES.en": "s.en", "SENTENCES.de": "s.de", "RATINGS": "ratings.tsv", "COUNTS": "counts"}
    names |= {"TRAIN": "train.ids", "TEST": "test.ids"}
    paths = {key: folder / f"{size}.{name}" for key, name in names.items()}
    if not paths["TEST"].exists():
        draw = random.Random(size)
        folder.mkdir(parents=True, exist_ok=True)
        with paths["SENTENCES.en"].open("w") as source, paths["SENTENCES.de"].open("w") as target:
            for k in range(size):
                some = " ".join(draw.choices(WORDS, cum_weights=OFTEN, k=5))
                source.write(f"The {some} is not {k % 97 + 3} years old .\n")
                target.write(f"Der {some} ist nicht {k % 97 + 3} Jahre alt .\n")
        with paths["RATINGS"].open("w") as ratings:
            ratings.write("system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n")
            for k in range(size // 5):
                source, right = (" ".join(draw.choices(WORDS, cum_weights=OFTEN, k=9)) for _ in range(2))
                for system in range(5):
                    text, error = right.split(), "No-error\tno-error"
                    if system < 2:
                        text[draw.randrange(9)] = f"<v>{draw.choice(WORDS)}</v>"
                        error = "Accuracy/Mistranslation\tMajor"
                    place = f"s{system}\td{k // 20}\t{k % 20}\t{k}\tr{system % 3}"
                    ratings.write(f"{place}\t{source}\t{' '.join(text)}\t{error}\n")
        count = ("count", str(paths["SENTENCES.de"]), "--lang", "de", "--features", "ngram")
        subprocess.run([*KONTRAST, *count, "--out", str(paths["COUNTS"])], check=True, capture_output=True)
        numbers = draw.sample(range(size), size)
        for key, some in (("TRAIN", numbers[: size * 4 // 5]), ("TEST", numbers[size * 4 // 5 :])):
            paths[key].write_text("".join(f"{n}\n" for n in sorted(some)))
    return {key: str(path) for key, path in paths.items()}


class Run(NamedTuple):
    """What one run took: CPU seconds, seconds by the clock, megabytes, and the bytes of its output file."""

    cpu: float
    wall: float
    memory: float
    output: int

    def __str__(self) -> str:
        return f"{self.cpu:.1f} s ({self.wall:.1f}), {self.memory:,.0f} MB"


def measure(command: tuple[str, ...], files: dict[str, str]) -> Run | str:
    """One run, or why it failed. A review ends when its page and the first card have been answered."""
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryFile() as error:
        words = [files.get(word, str(Path(scratch) / word) if word.startswith("OUT.") else word) for word in command]
        begun = time.monotonic()
        said = subprocess.PIPE if command[0] == "review" else error
        process = subprocess.Popen([*KONTRAST, *words], stdout=subprocess.DEVNULL, stderr=said)
        try:
            if process.stderr:
                open_page(process.stderr)
                process.terminate()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        finally:
            process.kill()
        wall = time.monotonic() - begun
        if process.returncode not in (0, 1, -signal.SIGTERM):
            error.seek(0)
            return (error.read().decode().strip().splitlines() or [f"status {process.returncode}"])[-1]
        size = sum(path.stat().st_size for path in Path(scratch).rglob("*") if path.is_file())
        return Run(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024, size)


def open_page(said: IO[bytes]) -> None:
    """Wait for the address of a review, then load its page and the first card."""
    address = next(line.decode().split()[1] for line in iter(said.readline, b"") if line.startswith(b"review: "))
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    browser.addheaders = [("x-annotator", "growth")]
    browser.open(address).read()
    browser.open(urllib.parse.urljoin(address, "/api/card")).read()


def table(sizes: list[int], chosen: list[str], work: Path, say: Callable[[str], None]) -> None:
    say("| command | " + " | ".join(f"{size:,}" for size in sizes) + " | exponent | output |")
    say("|---" * (len(sizes) + 3) + "|")
    for name in chosen:
        makers = (make_files, make_texts) if TEXTS & set(COMMANDS[name]) else (make_files,)
        runs = [
            measure(COMMANDS[name], {k: v for make in makers for k, v in make(work, size).items()}) for size in sizes
        ]
        good = [run for run in runs if isinstance(run, Run)]
        exponent = "–"
        if len(good) == len(runs) > 1:
            exponent = f"{math.log(good[-1].cpu / good[-2].cpu) / math.log(sizes[-1] / sizes[-2]):.2f}"
        written = f"{good[-1].output / 1e6:.1f} MB" if good and good[-1].output else ""
        say(f"| `{name}` | " + " | ".join(map(str, runs)) + f" | {exponent} | {written} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--commands", default=",".join(COMMANDS))
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "kontrast-growth")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    lines: list[str] = []

    def say(line: str) -> None:
        print(line, flush=True)
        lines.append(line)

    sizes = [int(size) for size in given.sizes.split(",")]
    table(sizes, given.commands.split(","), given.work, say)
    if given.out:
        given.out.parent.mkdir(parents=True, exist_ok=True)
        given.out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
