"""The command blocks of a page, in order: what a reader would copy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path for path in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")] if path.name not in ("api.md", "cli.md")
)
"""All but the generated ones: api.md has doctests, cli.md the examples of every ``--help``."""
PROGRAMS = r"kontrast|python3?|pip|make|echo|printf|eval|translate|my-system|_KONTRAST_COMPLETE=\w+"


class Block(NamedTuple):
    kind: Literal["command", "python", "toml"]
    text: str
    line: int


def blocks(page: Path) -> Iterator[Block]:
    """Commands (indented, fenced, after ``run:`` of a workflow, in the tables of migration.md), Python and TOML.

    Blocks fenced as ``console`` show what they print: tools/readme.py runs those.
    """
    fence, inside, start, goes_on = None, [], 0, ""  # type: ignore[var-annotated]
    for number, line in enumerate(page.read_text("utf-8").splitlines(), start=1):
        if line.startswith("```"):  # an indented one is a sketch inside a list
            if fence in ("python", "toml"):
                yield Block("python" if fence == "python" else "toml", "\n".join(inside), start)
            fence, inside, start = (line.strip()[3:] if fence is None else None), [], number + 1
            continue
        if fence in ("python", "toml"):
            inside.append(line)
        elif page.name == "migration.md" and line.startswith("|"):
            for call in re.findall(r"`(kontrast [^`]+)`", line):
                yield Block("command", call, number)
        elif goes_on or (fence in ("text", "yaml", "bash", "") or (fence is None and line.startswith("    "))):
            found = re.match(rf"(?:\$ |- run: )?((?:{PROGRAMS})(?: .*|$))", line.strip())
            text = goes_on + (line.strip() if goes_on else found[1] if found else "")
            goes_on = text[:-1] if text.endswith("\\") else ""
            if text and not goes_on:
                yield Block("command", text, number)
