"""Twins of analysis: the function gives what the command prints or writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kontrast

from .making import MODEL, Command, agree, calls


class Less:
    """A result without a part that the command writes to a file."""

    def __init__(self, result: Any, part: str) -> None:
        self.result, self.part = result, part

    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in self.result.to_dict().items() if name != self.part}


CALLS = calls(
    {
        "context": (
            "context demo:fr --without a.scores --with b.scores --sentences --by distance",
            lambda: kontrast.context(
                "demo:fr", without="a.scores", given="b.scores", sentences=True, by=["distance"]
            ),
        ),
        "artefacts": ("artefacts demo:fr a.scores", lambda: kontrast.artefacts("demo:fr", "a.scores")),
        "items": (
            "items demo:fr a.scores b.scores a.scores b.scores",
            lambda: kontrast.items("demo:fr", "a.scores", "b.scores", "a.scores", "b.scores"),
        ),
        "cues": (
            "cues demo:fr?limit=4 --model MODEL --side source --max-calls 500 --no-store",
            lambda: kontrast.cues("demo:fr?limit=4", MODEL, side="source", max_calls=500),
        ),
        "memory": (
            "memory demo:fr?limit=80 --model tiny --no-store",
            lambda: kontrast.memory("demo:fr?limit=80", "tiny"),
        ),
        "shorten": (
            "shorten demo:fr a.scores b.scores c.scores d.scores --size 20 --out short.jsonl --seed 3",
            lambda: Less(
                kontrast.shorten(
                    "demo:fr", "a.scores", "b.scores", "c.scores", "d.scores", size=20, out="short.jsonl", seed=3
                ),
                "suite",
            ),
        ),
        "items with suspects": (
            "items demo:fr weak.scores weak.scores strong.scores strong.scores --suspects cli.suspects.jsonl",
            lambda: kontrast.items(
                "demo:fr", *["weak.scores"] * 2, *["strong.scores"] * 2, suspects="api.suspects.jsonl"
            ),
        ),
    }
)


@pytest.mark.parametrize("name", CALLS)
def test_function_gives_what_the_command_prints(name: str, command: Command) -> None:
    agree(command, *CALLS[name])


def test_suspects_are_written_by_both(command: Command) -> None:
    systems = ["weak.scores", "weak.scores", "strong.scores", "strong.scores"]
    found = kontrast.items("demo:fr", *systems, suspects="by.function.jsonl")
    command(["items", "demo:fr", *systems, "--suspects", "by.command.jsonl"])
    written = kontrast.load("by.function.jsonl")
    assert [item.id for item in written] == [each.item for each in found.items if each.suspect] != []
    assert Path("by.command.jsonl").read_bytes() == Path("by.function.jsonl").read_bytes()
    with pytest.raises(kontrast.KontrastError, match="no item of demo-fr is suspected"):
        kontrast.items("demo:fr", *["strong.scores"] * 4, suspects="none.jsonl")
    assert not Path("none.jsonl").exists()
