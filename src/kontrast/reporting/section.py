"""What a report is made of: sections, each a title with text, a table and a figure. No renderer is known here."""

import re
from collections.abc import Callable, Iterable
from typing import Any, Literal

import msgspec

from kontrast.judging.records import Interval

Question = Literal["good", "changed", "where", "items", "trust"]
"""How good? What changed? Where? Which items? Can I trust it? A page has a part for each."""

Kind = Literal["text", "system", "count", "percent", "points", "p", "number", "bits"]
"""What a column holds, which says how a renderer writes it. Shares and differences of shares are between −1 and 1."""


class Estimate(msgspec.Struct, frozen=True):
    """A number with its interval; ``reference`` is what no skill would reach, ``few``: too few documents (~)."""

    value: float
    low: float
    high: float
    significant: bool | None = None
    reference: float | None = None
    few: bool = False


class Piece(msgspec.Struct, frozen=True):
    """A piece of text; ``weight`` (−1 to 1) colours it, ``bits`` is what it weighs, ``marked`` what people marked."""

    text: str
    weight: float = 0.0
    bits: float = 0.0
    marked: bool = False


class MarkedText(msgspec.Struct, frozen=True):
    """Text with coloured words; where there is no colour, with brackets: ``the [lamp +2.31*]``."""

    pieces: tuple[Piece, ...]

    @property
    def plain(self) -> str:
        return "".join(
            f"[{p.text} {p.bits:+.2f}{'*' if p.marked else ''}]" if p.weight else p.text for p in self.pieces
        )


Cell = str | int | float | Estimate | MarkedText | None


class Column(msgspec.Struct, frozen=True):
    """A heading, what is below it, and its name in CSV and JSON where that differs; ``aside``: only there."""

    name: str
    kind: Kind = "text"
    key: str = ""
    aside: bool = False


Columns = list[str | Column]
"""Columns as they are declared: ``NAME[:KIND[:KEY]]`` where the name is plain."""


class Table(msgspec.Struct, frozen=True):
    """Columns and rows of plain values; ``None`` is blank. ``hidden`` rows are in CSV and JSON only."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    hidden: tuple[tuple[Cell, ...], ...] = ()


def table(columns: Iterable[str | Column], rows: Iterable[Iterable[Cell]], caption: str = "") -> Table:
    """A table whose columns are plain ones, or ``NAME[:KIND[:KEY]]``.

    >>> table(["group", "n:count:items"], [("a", 17)]).columns[1].key
    'items'
    """
    parts = ("name", "kind", "key")
    made = (
        msgspec.convert(dict(zip(parts, each.split(":"), strict=False)), Column) if isinstance(each, str) else each
        for each in columns
    )
    return Table(tuple(made), tuple(map(tuple, rows)), caption)


def measured(value: float, interval: Interval, significant: bool | None = None) -> Estimate:
    """A number with the interval that was computed for it."""
    return Estimate(value, interval.low, interval.high, significant)


def for_people(table: Table) -> Table:
    """A table without the columns that are only for programs."""
    kept = [i for i, column in enumerate(table.columns) if not column.aside]
    rows = tuple(tuple(row[i] for i in kept) for row in table.rows)
    return Table(tuple(table.columns[i] for i in kept), rows, table.caption)


class Figure(msgspec.Struct, frozen=True):
    """How to draw a chart (of `kontrast.reporting.figures`), for the forms that show it, and what to read in it."""

    draw: Callable[[], Any]
    caption: str


class Section(msgspec.Struct, frozen=True):
    """One part of a report. ``name`` becomes its anchor and file names.

    ``items`` are single decisions, for readers that can filter; ``verbatim`` are lines to be copied as they are. A
    ``folded`` section is for reference: a page shows its table when it is opened. One that is only ``data`` (a row
    per item) is left out of Markdown, LaTeX and the terminal. ``question`` is the part of the page that it stands in.
    """

    name: str
    title: str
    text: tuple[str, ...] = ()
    table: Table | None = None
    figure: Figure | None = None
    items: tuple[Any, ...] = ()
    verbatim: tuple[str, ...] = ()
    folded: bool = False
    data: bool = False
    question: Question = "trust"


def plain_rows(table: Table) -> list[dict[str, str | int | float | bool | None]]:
    """A table for machines: numbers as numbers, the ends of intervals in columns of their own."""
    rows = []
    for cells in (*table.rows, *table.hidden):
        row: dict[str, str | int | float | bool | None] = {}
        for i, (column, cell) in enumerate(zip(table.columns, cells, strict=True)):
            key = column.key or column.name or f"column{i + 1}"
            if isinstance(cell, Estimate):
                row |= {key: cell.value, f"{key}_low": cell.low, f"{key}_high": cell.high}
                row |= {f"{key}_significant": cell.significant} if cell.significant is not None else {}
            else:
                row[key] = cell.plain if isinstance(cell, MarkedText) else cell
        rows.append(row)
    return rows


def slug(text: str) -> str:
    """A plain name for files and anchors, whatever the text."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", text).strip("-.")[:80].strip("-.") or "section"
