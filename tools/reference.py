"""Write docs/cli.md and docs/api.md from the code: every command with its options, every public name, examples.

python tools/reference.py           write both pages
python tools/reference.py --check   exit status 1 where one of them differs
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

import kontrast
from kontrast.cli import COMMANDS
from kontrast.cli import kontrast as program

DOCS = Path(__file__).parents[1] / "docs"
MADE = "<!-- made by tools/reference.py -->\n"


def cli_page() -> str:
    """Every command: what it does, how it is called, its options, its examples."""
    parts = [
        MADE,
        "# Commands\n",
        "The `--help` of every command. Results go to standard output or `--out`, progress and warnings to "
        "standard error. Exit status: 0 done, 1 a check or gate failed, 2 wrong usage or bad input.\n",
    ]
    for name in COMMANDS:
        command = program.get_command(click.Context(program), name)
        assert command is not None
        parts += _command(command, f"kontrast {name}", 2)
    return "\n".join(parts)


def _command(command: click.Command, path: str, depth: int) -> Iterator[str]:
    context = click.Context(command, info_name=path)
    yield f"{'#' * depth} {path}\n"
    yield f"```text\n{context.get_usage().removeprefix('Usage: ')}\n```\n"
    yield _text(command.help or "") + "\n"
    options = [param for param in command.params if isinstance(param, click.Option)]
    rows = [row for param in options if (row := param.get_help_record(context)) is not None]
    if rows:
        yield "| option | |\n|---|---|"
        yield "\n".join(f"| `{_cell(option)}` | {_escaped(_cell(help))} |" for option, help in rows) + "\n"
    if command.epilog:
        yield f"```text\n{command.epilog.replace(chr(8) + chr(10), '').strip()}\n```\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _command(below, f"{path} {name}", depth + 1)


def api_page() -> str:
    """Every public name of the package."""
    known = {name: getattr(kontrast, name) for name in sorted(kontrast.__all__, key=str.lower) if name[0] != "_"}
    functions = {name: value for name, value in known.items() if inspect.isfunction(value)}
    records = {name: value for name, value in known.items() if inspect.isclass(value)}
    parts = [
        MADE,
        "# Python reference\n",
        "Everything that `import kontrast` gives. Functions have the names and options of the commands "
        "([cli.md](cli.md)); their results are records with `to_dict()` and `to_pandas()`. "
        "[python.md](python.md) is the introduction.\n",
        "## Functions\n",
    ]
    for name, function in functions.items():
        parts.append(f"### {name}\n\n```python\n{_signature(name, function)}\n```\n\n{_doc(function)}\n")
    parts.append("## Records\n")
    for name, record in records.items():
        fields = ", ".join(f"`{field}`" for field in getattr(record, "__struct_fields__", ()))
        parts.append(f"### {name}\n\n{_doc(record)}\n" + (f"\nFields: {fields}.\n" if fields else ""))
    return "\n".join(parts)


def _signature(name: str, function: object) -> str:
    """As it is written, a line per argument."""
    assert callable(function)
    signature = inspect.signature(function)
    words = [_argument(each) for each in signature.parameters.values()]
    kinds = [each.kind for each in signature.parameters.values()]
    listed = []
    for place, (word, kind) in enumerate(zip(words, kinds, strict=True)):
        if kind is inspect.Parameter.KEYWORD_ONLY and not any(
            before in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.KEYWORD_ONLY) for before in kinds[:place]
        ):
            listed.append("*")
        listed.append(word)
    returned = str(signature.return_annotation).replace("'", "")
    return f"kontrast.{name}(\n" + "".join(f"    {word},\n" for word in listed) + f") -> {returned}"


def _argument(argument: inspect.Parameter) -> str:
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(argument.kind, "")
    given = argument.default
    default = "" if given is inspect.Parameter.empty else " = ..." if callable(given) else f" = {given!r}"
    kind = argument.annotation
    written = kind if isinstance(kind, str) else inspect.formatannotation(kind)
    return f"{stars}{argument.name}: {written}{default}"


def _doc(thing: object) -> str:
    """The docstring as Markdown: examples fenced, ``code`` in single marks."""
    text = inspect.getdoc(thing) or ""
    before, mark, example = text.partition(">>> ")
    told = _text(before)
    return f"{told}\n\n```pycon\n{mark}{example.strip()}\n```" if mark else told


def _text(text: str) -> str:
    return _escaped(re.sub(r"``(.+?)``", r"`\1`", inspect.cleandoc(text).replace("\b", "")).strip())


def _escaped(text: str) -> str:
    return text.replace("<", "\\<")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def main() -> None:
    pages = {DOCS / "cli.md": cli_page(), DOCS / "api.md": api_page()}
    if "--check" not in sys.argv:
        for path, text in pages.items():
            path.write_text(text, "utf-8")
        return
    if differ := [path.name for path, text in pages.items() if path.read_text("utf-8") != text]:
        raise SystemExit(f"{', '.join(differ)}: not what the code says: run python tools/reference.py")


if __name__ == "__main__":
    main()
