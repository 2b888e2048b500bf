"""Does `documents` run in bounded memory? Peak memory and speed for OPUS text and for ten times as much.

    python benchmarks/documents_memory.py [--megabytes 20] [--json]

The text is the French set's sentences over and over, in documents of 300 to 1,500 lines. Each size runs in a process
of its own; for a gigabyte, ask for 100 megabytes.
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

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "large-contrastive-en-fr"

RUN = """
import json, resource, sys, time
import kontrast
start = time.process_time()
done = kontrast.documents(*sys.argv[1:5])
seconds = time.process_time() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"documents": done.documents, "lines": done.lines,
                  "lines/s of CPU time": round(done.lines / seconds), "peak MB": round(peak)}))
"""


def make(folder: Path, size: int) -> list[str]:
    """An ids file and two texts of ``size`` bytes together."""
    rng = random.Random(size)
    english, french = (
        (DATA / f"OpenSubs.current.{side}").read_text(encoding="utf-8").split("\n")[:-1] for side in ("src", "trg")
    )
    paths = [folder / f"OpenSubtitles.{ending}" for ending in ("ids", "en", "fr")]
    written = document = 0
    with open(paths[0], "w") as ids, open(paths[1], "w") as source, open(paths[2], "w") as target:
        while written < size:
            name = f"{1950 + document % 70}/{document}/{document + 7}.xml.gz"
            for line in range(rng.randint(300, 1500)):
                at = (document * 31 + line) % len(english)
                ids.write(f"en/{name}\tfr/{name}\t{line}\t{line}\n")
                source.write(english[at] + "\n")
                target.write(french[at] + "\n")
                written += len(english[at]) + len(french[at]) + 2
            document += 1
    return [str(path) for path in paths]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = []
    for size in (options.megabytes, 10 * options.megabytes):
        with tempfile.TemporaryDirectory() as folder:
            files = make(Path(folder), size * 1_000_000)
            command = [sys.executable, "-c", RUN, *files, str(Path(folder) / "out")]
            told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            results.append({"MB of text": size, **told})
    ratio = round(results[1]["peak MB"] / results[0]["peak MB"], 2)
    if options.json:
        print_json({"runs": results, "memory_ratio": ratio})
    else:
        print_table(list(results[0]), [list(run.values()) for run in results], caption=f"memory ratio: {ratio}")


if __name__ == "__main__":
    main()
