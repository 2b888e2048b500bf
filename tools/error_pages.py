"""Write docs/errors-LANGUAGE.md for every language that has errors, with the figures of benchmarks/readings."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))

import reading_files  # noqa: E402
from kontrast.building.perturb import languages  # noqa: E402
from kontrast.building.perturb.page import error_page  # noqa: E402


def pages() -> dict[Path, str]:
    """The pages and what they should say."""
    rows = [r for r in reading_files.table(reading_files.all_readings()) if r["last"]]
    found: dict[Path, str] = {}
    for language in languages():
        said = {}
        for row in (r for r in rows if r["language"] == language and r["kind"] == "all"):
            kinds = [r for r in rows if r["reading"] == row["reading"] and r["type"] == row["type"] and r is not row]
            listed = ", ".join(f"{r['kind']} {r['accepted']}/{r['read']}" for r in kinds)
            said[row["type"]] = (
                f"Read: {row['accepted']} of {row['read']} accepted, {row['share']:.0%} "
                f"({row['low']:.0%}–{row['high']:.0%}; {listed}); [how](errors-read.md)."
            )
        found[ROOT / "docs" / f"errors-{language}.md"] = error_page(language, said)
    return found


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
