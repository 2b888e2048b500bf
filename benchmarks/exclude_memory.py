"""Does `exclude` run in bounded memory? Peak memory and speed for a corpus and for one twenty times its size.

    python benchmarks/exclude_memory.py [--lines 20000] [--json]

The suite is ContraPro's 12,000 items; the corpus is made of the French set's sentences with words exchanged. Each
size runs in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from kontrast.reporting.terminal import print_json, print_table

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"

RUN = """
import json, resource, sys, time
import kontrast
suite = kontrast.load(sys.argv[1])
start = time.process_time()
result = kontrast.exclude(sys.argv[2:4], [suite], out=sys.argv[4])
seconds = time.process_time() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"lines": result.lines, "removed": result.removed, 
                  "pairs/s of CPU time": round(result.lines / seconds), "peak MB": round(peak)}))
"""


def make(folder: Path, lines: int) -> list[str]:
    """A corpus of that many pairs, the same for every run."""
    rng = random.Random(lines)
    rows = [
        (DATA / "large-contrastive-en-fr" / f"OpenSubs.current.{side}").read_text(encoding="utf-8").splitlines()
        for side in ("src", "trg")
    ]
    words = " ".join(rows[0][:5000]).split()
    paths = [folder / f"{lines}.en", folder / f"{lines}.de"]
    with open(paths[0], "w", encoding="utf-8") as english, open(paths[1], "w", encoding="utf-8") as other:
        for _ in range(lines):
            at = rng.randrange(len(rows[0]))
            sentence = rows[0][at].split() or ["–"]
            sentence[rng.randrange(len(sentence))] = rng.choice(words)
            english.write(" ".join([*sentence, rng.choice(words), rng.choice(words)]) + "\n")
            other.write(f"{rows[1][at]} {rng.choice(words)}\n")
    return [str(path) for path in paths]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for lines in (options.lines, 20 * options.lines):
            corpus = make(Path(folder), lines)
            command = [sys.executable, "-c", RUN, str(DATA / "contrapro-en-de"), *corpus, str(Path(folder) / "out")]
            results.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
    ratio = round(results[1]["peak MB"] / results[0]["peak MB"], 2)
    if options.json:
        print_json({"runs": results, "memory_ratio": ratio})
    else:
        caption = f"memory ratio: {ratio}"
        print_table(list(results[0]), [list(result.values()) for result in results], caption=caption)


if __name__ == "__main__":
    main()
