"""Tables for a terminal: aligned, coloured where the terminal allows, plain text without boxes in a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

_READABLE = 110
_NARROW, _NAMES = 12, 32
"""To so many characters a column of text may shrink, and the first, whose names one copies."""


def clean(text: str) -> str:
    r"""Text without control characters, so that data cannot steer the terminal; line breaks and tabs stay.

    >>> clean("red \x1b[31mtext\x9b0m")
    'red �[31mtext�0m'
    """
    return text.translate(_CONTROL)


_CONTROL = {code: "�" for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\t\n"}
_CONTROL |= {ord("\r"): " ", 0x2028: " ", 0x2029: " ", **dict.fromkeys((*range(8234, 8239), *range(8294, 8298)), "�")}
_CONTROL |= dict.fromkeys(
    (*range(0xFDD0, 0xFDF0), *(plane << 16 | 0xFFFE | i for plane in range(17) for i in (0, 1))), "�"
)
"""C0 and C1 controls, separators of lines, marks that turn the direction of text around, and what is no character
(XML, and so a figure, cannot hold U+FFFE)."""


def print_warnings(notes: Iterable[str]) -> None:
    """What must be read before any number: notes on a position bias."""
    from rich.markup import escape

    from kontrast.suites.scores import is_loud

    print_lines(*(f"[bold red]{escape(note)}[/]" for note in notes if is_loud(note)))


def print_verdict(text: str) -> None:
    """The result in words, before any figure; in lines that are easy to read."""
    import textwrap

    from rich.markup import escape

    lines = textwrap.wrap(clean(text), min(_READABLE, _console().width), break_long_words=False)
    print_lines(*(f"[bold]{escape(line)}[/bold]" for line in lines), "")


def print_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    title: str | None = None,
    caption: str | None = None,
) -> None:
    """Print rows under column names; numbers are set flush right, ``None`` is left blank."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table
    from rich.text import Text

    rows = [list(row) for row in rows]
    console = _console()
    table = Table(
        title=escape(clean(title)) if title else None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD if console.is_terminal else None,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0) if console.is_terminal else (0, 1),
    )
    for i, column in enumerate(columns):
        column = _one_line(column)
        numeric = bool(rows) and all(_is_number(row[i]) for row in rows)
        width = max((len(_text(row[i])) for row in rows), default=0)
        least = max(width, len(column))
        # Text folds where the terminal is narrow; a number cut short would be another number.
        table.add_column(
            escape(column),
            justify="right" if numeric else "left",
            overflow="fold",
            no_wrap=numeric,
            min_width=least if numeric else min(least, _NARROW if i else _NAMES),
        )
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else escape(_text(cell)) for cell in row))
    if console.is_terminal:
        # Columns that do not fit would be dropped without a word; a line that wraps at least has them.
        console.width = max(console.width, sum((column.min_width or 0) + 2 for column in table.columns))
        console.print(table, crop=False)
    else:
        with console.capture() as captured:
            console.print(table)
        print("\n".join(line.rstrip() for line in captured.get().splitlines()))
    if caption:  # rich would fold it to the table's width
        print_lines(f"[dim]{escape(clean(caption))}[/dim]")


def _is_number(cell: Any) -> bool:
    """A number, a blank, or text that is one to the eye: 94.1%, +0.3, <.001, [93.2, 95.0], 12/34."""
    text = str(cell)
    digits = text.strip("[]<>≥≤*~ ").replace(", ", "").translate(str.maketrans("", "", "+-−.,%/–±"))
    return cell is None or isinstance(cell, int | float) or text == "" or text == "–" or digits.isdecimal()


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    return f"{cell:.4g}" if isinstance(cell, float) else _one_line(str(cell))


def _one_line(text: str) -> str:
    return clean(text).replace("\n", " ").replace("\t", " ")


def _console() -> Console:
    """A console as wide as it is, or without limit and colour in a pipe."""
    from rich.console import Console

    class Pipe(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # the command line ends quietly then; rich would exit with status 1

    console = Pipe(highlight=False)
    return console if console.is_terminal else Pipe(highlight=False, width=10_000, color_system=None)


def print_lines(*lines: str) -> None:
    """Print lines with rich's markup; without colour in a pipe, never wrapped."""
    console = _console()
    for line in lines:
        console.print(clean(line), soft_wrap=True)


def print_json(result: Any) -> None:
    """Print a result record (or anything msgspec can encode) as one JSON object."""
    import msgspec

    print(msgspec.json.format(msgspec.json.encode(result), indent=1).decode())
