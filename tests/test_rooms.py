"""The packages are rooms: each uses only those that the table allows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import kontrast

ROOMS: dict[str, set[str]] = {
    "io": set(),
    "suites": {"io", "language"},
    "testsets": {"io", "suites"},
    "judging": {"io", "suites", "testsets"},
    "analysis": {"io", "language", "suites", "testsets", "judging"},
    "scoring": {"io", "suites", "testsets"},
    "language": {"io"},
    "building": {"io", "suites", "testsets", "language"},
    "splitting": {"io", "language"},
    "reporting": {"io", "suites", "testsets", "judging", "analysis", "scoring", "splitting"},
    "review": {"io", "suites", "testsets", "judging", "language", "building", "reporting"},
    "flows": {
        "io",
        "suites",
        "testsets",
        "judging",
        "analysis",
        "scoring",
        "language",
        "building",
        "splitting",
        "reporting",
        "review",
    },
}
"""Each room and the rooms that it may use. `cli` may use all; top-level modules belong to everybody.

`suites` loads the declarations of `testsets` by their names (`kontrast.suites.testset`) and imports nothing from it.
"""
ROOMS["cli"] = set(ROOMS)

SOURCE = Path(kontrast.__file__).parent


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    """Every import in a file, those inside functions too: line and module."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} is a relative import"
            yield node.lineno, node.module or ""
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def test_every_package_is_a_room() -> None:
    assert {path.parent.name for path in SOURCE.glob("*/__init__.py")} <= set(ROOMS)


def test_the_table_has_no_cycle() -> None:
    done: list[str] = []
    while left := [room for room in ROOMS if room not in done]:
        free = [room for room in left if ROOMS[room] <= set(done)]
        assert free, f"these use each other: {left}"
        done += free


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_uses_only_what_the_table_allows(room: str) -> None:
    forbidden = set(ROOMS) - ROOMS[room] - {room}
    found = [
        f"{path.relative_to(SOURCE)}:{line} imports {module}"
        for path in sorted((SOURCE / room).rglob("*.py"))
        for line, module in _imports(path)
        if module.split(".")[0] == "kontrast" and [*module.split("."), ""][1] in forbidden
    ]
    assert not found
