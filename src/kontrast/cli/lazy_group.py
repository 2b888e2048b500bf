"""Groups whose commands are loaded when they are called; ``data/commands.txt`` has their help and examples."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import click


class LazyGroup(click.Group):
    """The commands that are declared below ``words``; ``find`` imports one. Listing them imports none."""

    def __init__(self, *args: Any, find: Callable[[str], click.Command], words: str = "", **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.find, self.words, self.sections = find, words, sections(words)
        self.summaries = {name: told for commands in self.sections.values() for name, told in commands.items()}

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
    """The command, and those below it, with the help and the examples that are declared for their words."""
    if words in _declared():
        declared = _declared()[words]
        command.help, command.epilog = declared.help or command.help, declared.examples
    for name, below in command.commands.items() if isinstance(command, click.Group) else ():
        with_examples(below, f"{words} {name}")
    return command


class _Entry(NamedTuple):
    group: str
    summary: str
    help: str
    examples: str


def sections(words: str = "") -> dict[str, dict[str, str]]:
    """By group the commands below these words, with their summaries."""
    found: dict[str, dict[str, str]] = {}
    for name, entry in _declared().items():
        above, _, last = name.rpartition(" ")
        if above == words:
            found.setdefault(entry.group, {})[last] = entry.summary
    return found


@cache
def _declared() -> dict[str, _Entry]:
    text, group = (Path(__file__).parents[1] / "data" / "commands.txt").read_text("utf-8"), ""
    found: dict[str, _Entry] = {}
    for part in re.split(r"^(?=\[|== )", text, flags=re.MULTILINE):
        head, _, told = part.partition("\n")
        if head.startswith("== "):
            group = head.removeprefix("== ")
        elif head.startswith("["):
            words, _, summary = head[1:].partition("]")
            help, _, shown = f"\n\n{told.strip()}".partition("\n\nExample")
            # click prints a paragraph as it stands where it begins with this mark.
            examples = "\n\n".join(f"\b\n{each}" for each in f"Example{shown}".split("\n\n") if shown)
            found[words] = _Entry(group, summary.strip(), help.strip(), examples)
    return found
