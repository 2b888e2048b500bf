"""The tables of docs/reliability.md from what `make soak` has left in bench-out: faults.jsonl and fuzz/fuzz.json.

Where one of the files is not there, the page keeps that table.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FULL = 1_000_000
MARKS = "<!-- made by tools/reliability.py -->", "<!-- end -->"


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--faults", type=Path, default=ROOT / "bench-out" / "faults.jsonl")
    given.add_argument("--fuzz", type=Path, default=ROOT / "bench-out" / "fuzz" / "fuzz.json")
    chosen = given.parse_args()
    page = ROOT / "docs" / "reliability.md"
    before, _, rest = page.read_text("utf-8").partition(MARKS[0])
    old, _, after = rest.partition(MARKS[1])
    faults, _, fuzz = old.strip("\n").partition("\n\n")
    if chosen.faults.exists():
        faults = "\n".join(_faults(chosen.faults))
    if chosen.fuzz.exists():
        fuzz = "\n".join(_fuzz(chosen.fuzz))
    page.write_text(f"{before}{MARKS[0]}\n{faults}\n\n{fuzz}\n{MARKS[1]}{after}", "utf-8")


def _faults(path: Path) -> list[str]:
    """One row for each fault and outcome, with the runs of all calls together."""
    runs: Counter[tuple[str, str]] = Counter()
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        runs[row["fault"], row["outcome"]] += row["runs"]
    return ["| fault | times | outcome |", "|---|---|---|", *(f"| {f} | {n} | {o} |" for (f, o), n in runs.items())]


def _fuzz(path: Path) -> list[str]:
    """A row for each reader, what they come to, and how many have had a million inputs."""
    rows = json.loads(path.read_text("utf-8"))
    how = {True: "guided by coverage", False: "partly or wholly without coverage"}
    table = [
        f"| `{row['target']}` | {how[row['guided']]} | {row['executions']:,} | {row['findings']} |" for row in rows
    ]
    total, found = (sum(row[key] for row in rows) for key in ("executions", "findings"))
    full, states = sum(row["executions"] >= FULL for row in rows), len({s for row in rows for s in row["states"]})
    earlier = max(row.get("earlier_states", 0) for row in rows)  # of a page: one of them may be counted twice
    return [
        f"{full} of {len(rows)} readers have been tested with a million inputs or more. The counts are from "
        f"{'at most ' if earlier else ''}{earlier + states} version{'s' if earlier + states != 1 else ''} "
        "of the code.",
        "",
        "| fuzzed | how | executions | findings |",
        "|---|---|---|---|",
        *table,
        f"| all | | {total:,} | {found} |",
    ]


if __name__ == "__main__":
    main()
