"""Tables for a terminal: aligned, coloured where the terminal allows, plain text without boxes in a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["print_json", "print_lines", "print_table"]


_NARROW, _NAMES = 12, 32
"""To so many characters a column of text may shrink, and the first, whose names one copies."""


def print_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    title: str | None = None,
    caption: str | None = None,
) -> None:
    """Print rows under column names; numbers are set flush right, ``None`` is left blank."""
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    rows = [list(row) for row in rows]
    console = Console(highlight=False, soft_wrap=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=10_000, color_system=None)
    table = Table(
        title=title,
        caption=caption,
        title_justify="left",
        caption_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD if console.is_terminal else None,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0) if console.is_terminal else (0, 1),
    )
    for i, column in enumerate(columns):
        numeric = bool(rows) and all(_is_number(row[i]) for row in rows)
        width = max((len(_text(row[i])) for row in rows), default=0)
        least = max(width, len(column))
        # Text folds where the terminal is narrow; a number cut short would be another number.
        table.add_column(
            column,
            justify="right" if numeric else "left",
            overflow="fold",
            no_wrap=numeric,
            min_width=least if numeric else min(least, _NARROW if i else _NAMES),
        )
    for row in rows:
        table.add_row(*(cell if _is_markup(cell) else escape(_text(cell)) for cell in row))
    if console.is_terminal:
        # Columns that do not fit would be dropped without a word; a line that wraps at least has them.
        console.width = max(console.width, sum((column.min_width or 0) + 2 for column in table.columns))
        console.print(table, crop=False)
        return
    with console.capture() as captured:
        console.print(table)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def _is_number(cell: Any) -> bool:
    """A number, a blank, or text that is one to the eye: 94.1%, +0.3, <.001, [93.2, 95.0], 12/34."""
    text = str(cell)
    digits = text.strip("[]<>≥≤*~ ").replace(", ", "").translate(str.maketrans("", "", "+-−.,%/–±"))
    return cell is None or isinstance(cell, int | float) or text == "" or text == "–" or digits.isdecimal()


def _is_markup(cell: Any) -> bool:
    return hasattr(cell, "__rich__") or hasattr(cell, "__rich_console__")


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)


def print_lines(*lines: str) -> None:
    """Print lines with rich's markup; without colour in a pipe, never wrapped."""
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=10_000, color_system=None)
    for line in lines:
        console.print(line, soft_wrap=True)


def print_json(result: Any) -> None:
    """Print a result record (or anything msgspec can encode) as one JSON object."""
    import msgspec

    print(msgspec.json.format(msgspec.json.encode(result), indent=1).decode())
