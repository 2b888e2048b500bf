"""Write docs/errors-LANGUAGE.md for every language that has errors, with the figures of benchmarks/readings."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))

import reading_files  # noqa: E402
from kontrast.building.checks.judge import load_judges  # noqa: E402
from kontrast.building.errors.page import error_page  # noqa: E402
from kontrast.building.errors.registry import languages  # noqa: E402
from reading_files import Reading  # noqa: E402


def pages() -> dict[Path, str]:
    """The pages and what they should say."""
    readings = reading_files.all_readings()
    rows = [r for r in reading_files.table(readings) if r["last"]]
    found: dict[Path, str] = {}
    for language in languages():
        said = {}
        if load_judges(f"errors.{language}"):  # the readings are of what rules chose before there was a judge
            found[ROOT / "docs" / f"errors-{language}.md"] = error_page(language)
            continue
        for row in (r for r in rows if r["language"] == language and r["kind"] == "all"):
            kinds = [r for r in rows if r["reading"] == row["reading"] and r["type"] == row["type"] and r is not row]
            listed = ", ".join(f"{r['kind']} {r['accepted']}/{r['read']}" for r in kinds)
            said[row["type"]] = (
                f"Read: {row['accepted']} of {row['read']} accepted, {row['share']:.0%} "
                f"({row['low']:.0%}–{row['high']:.0%}; {listed}); [how](errors-read.md).{_blind(readings, row)}"
            )
        found[ROOT / "docs" / f"errors-{language}.md"] = error_page(language, said)
    return found


def _blind(readings: Sequence[Reading], row: Mapping[str, Any]) -> str:
    """What readers who wrote no rule accepted: of their last sample, and of all, whose rules were older."""
    mine = [r for r in reading_files.fresh(readings) if r.about["language"] == row["language"]]
    said = [[one for one in r.said if one.type == row["type"]] for r in sorted(mine, key=lambda r: r.round)]
    counts = [(sum(one.verdict == "yes" for one in each), len(each)) for each in said if each]
    if not counts:
        return ""
    (right, read), every = counts[-1], [sum(column) for column in zip(*counts, strict=True)]
    return f" Read blind: {right} of {read} in the last sample, {every[0]} of {every[1]} in all."


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
