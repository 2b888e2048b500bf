"""Print which share of each room's lines and branches the tests reach, from coverage's JSON report."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

LINES, REACHED, BRANCHES, TAKEN = "num_statements", "covered_lines", "num_branches", "covered_branches"


def main(path: str) -> None:
    """A row per room, and the whole."""
    rooms: dict[str, Counter[str]] = {}
    for name, file in json.loads(Path(path).read_text("utf-8"))["files"].items():
        parts = Path(name).parts
        if "kontrast" not in parts:  # a module that a test has written
            continue
        inside = parts[parts.index("kontrast") + 1 :]
        room = inside[0] if len(inside) > 1 else "kontrast"
        for key in (room, "total"):
            rooms.setdefault(key, Counter()).update(
                {count: file["summary"].get(count, 0) for count in (LINES, REACHED, BRANCHES, TAKEN)}
            )
    whole = rooms.pop("total")
    print(f"{'room':12} {'lines':>7} {'reached':>8} {'branches':>9} {'taken':>8}")
    for room, counts in [*sorted(rooms.items()), ("total", whole)]:
        lines, branches = (counts[a] / max(1, counts[b]) for a, b in ((REACHED, LINES), (TAKEN, BRANCHES)))
        print(f"{room:12} {counts[LINES]:7,} {lines:8.1%} {counts[BRANCHES]:9,} {branches:8.1%}")


if __name__ == "__main__":
    main(sys.argv[1])
