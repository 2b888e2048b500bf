"""The packages are rooms in a row: each uses only those before it (CONTRIBUTING.md)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import kontrast

ROOMS = (
    "io",
    "suites",
    "testsets",
    "judging",
    "scoring",
    "language",
    "building",
    "splitting",
    "reporting",
    "flows",
    "cli",
)
STRANGERS = {
    "scoring": {"judging"},
    "language": {"judging", "scoring"},
    "building": {"scoring", "judging"},
    "splitting": {"scoring", "judging", "building"},
}
"""Rooms that know nothing of another although it stands before them."""

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


def _crossings(room: str, forbidden: set[str]) -> list[str]:
    return [
        f"{path.relative_to(SOURCE)}:{line} imports {module}"
        for path in sorted((SOURCE / room).rglob("*.py"))
        for line, module in _imports(path)
        if module.split(".")[0] == "kontrast" and [*module.split("."), ""][1] in forbidden
    ]


def test_every_package_is_a_room() -> None:
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert packages == set(ROOMS)


def test_rooms_use_only_those_before_them() -> None:
    found = [line for i, room in enumerate(ROOMS) for line in _crossings(room, set(ROOMS[i + 1 :]))]
    assert not found


def test_strangers_stay_strangers() -> None:
    found = [line for room, others in STRANGERS.items() for line in _crossings(room, others)]
    assert not found
