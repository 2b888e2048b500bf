"""Groups whose commands are loaded when they are called, and the examples below the help of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import click


class LazyGroup(click.Group):
    """``sections`` name the commands with a summary each; ``find`` imports one. Listing them imports none."""

    def __init__(
        self,
        *args: Any,
        sections: Mapping[str, Mapping[str, str]],
        find: Callable[[str], click.Command],
        words: str = "",
        **settings: Any,
    ) -> None:
        super().__init__(*args, **settings)
        self.sections, self.find, self.words = sections, find, words
        self.summaries = {name: told for commands in sections.values() for name, told in commands.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self.summaries:
            return with_examples(self.find(cmd_name), f"{self.words} {cmd_name}".strip())
        import difflib

        if (close := difflib.get_close_matches(cmd_name, self.summaries, n=1)) and not ctx.resilient_parsing:
            ctx.fail(f"No such command {cmd_name!r}; did you mean {close[0]}?")
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.summaries))
        for title, commands in self.sections.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{width}}", told) for name, told in commands.items()])


def with_examples(command: click.Command, words: str) -> click.Command:
    """The command, and those below it, with the examples that ``data/examples.txt`` has under their words."""
    command.epilog = command.epilog or _examples().get(words)
    for name, below in command.commands.items() if isinstance(command, click.Group) else ():
        with_examples(below, f"{words} {name}")
    return command


@cache
def _examples() -> dict[str, str]:
    text = (Path(__file__).parents[1] / "data" / "examples.txt").read_text("utf-8")
    parts = re.split(r"^\[(.+)\]$", text, flags=re.MULTILINE)
    every = zip(parts[1::2], parts[2::2], strict=True)
    # click prints a paragraph as it stands where it begins with this mark.
    return {words: "\n\n".join(f"\b\n{each}" for each in told.strip().split("\n\n")) for words, told in every}
