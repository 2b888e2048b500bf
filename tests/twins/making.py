"""Comparing a command with its function."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click

from kontrast.cli import kontrast as cli

Calls = dict[str, tuple[str, Callable[[], Any]]]
"""By name: a command line, and the call that gives the same."""

MODEL = f"command:{sys.executable} model.py"
"""A program that scores a pair by its letters; the fixture writes it. A command line names it MODEL."""

TWINS: set[str] = set()
"""Commands that some test compares with their function."""

Test = TypeVar("Test", bound=Callable[..., None])


class Command(Protocol):
    """Runs a command line in the folder of the fixture; what it printed."""

    def __call__(self, line: str | Sequence[str], *, codes: Sequence[int] = (0,)) -> str: ...


def twin(*names: str) -> Callable[[Test], Test]:
    """Says which commands a test compares."""
    TWINS.update(names)
    return lambda test: test


def calls(made: Calls) -> Calls:
    """Says that these command lines are compared."""
    for line, _ in made.values():
        words = line.split()
        group = isinstance(cli.get_command(click.Context(cli), words[0]), click.Group)
        TWINS.add(" ".join(words[: 1 + group]))
    return made


def agree(command: Command, line: str, function: Callable[[], Any]) -> None:
    """The function gives what the command prints with ``--json``."""
    words = [MODEL if word == "MODEL" else word for word in line.split()]
    printed = json.loads(command([*words, "--json"], codes=(0, 1)))
    assert plain(function()) == printed


def plain(result: Any) -> Any:
    """The result as ``--json`` would print it, by its own method where it has one."""
    if isinstance(result, list):
        return [plain(each) for each in result]
    return result.to_dict()


def contents(folder: str) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(Path(folder).rglob("*")) if p.is_file()}
