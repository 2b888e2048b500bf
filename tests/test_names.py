"""One name, one class: no public class of one room is called as one of another room."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import kontrast

SOURCE = Path(kontrast.__file__).parent


def test_no_two_rooms_have_a_public_class_of_one_name() -> None:
    rooms: dict[str, dict[str, str]] = defaultdict(dict)
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE)
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                rooms[node.name][place.parts[0]] = str(place)
    assert len(rooms) > 300
    assert not {name: list(found.values()) for name, found in rooms.items() if len(found) > 1}
