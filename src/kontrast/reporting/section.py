"""What a report is made of: sections, each a title with text, a table and a figure. No renderer is known here.

How numbers are written for people: one place for percent, points, p-values and intervals.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, Literal

import msgspec

from kontrast.judging.records import Interval
from kontrast.judging.wording import digits, p_value, told_from

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


def row_texts(table: Table, row: tuple[Cell, ...]) -> list[str]:
    """The cells of a row; a row that counts its items has no more digits than these carry.

    >>> columns = Column("group"), Column("n", "count", "items"), Column("accuracy", "percent")
    >>> row_texts(Table(columns, ()), ("a", 17, Estimate(0.4706, 0.26, 0.69)))
    ['a', '17', '47 [26, 69]']
    """
    items = items_of(table, row)
    return [cell_text(column, cell, items) for column, cell in zip(table.columns, row, strict=True)]


def items_of(table: Table, row: tuple[Cell, ...]) -> int | None:
    """How many decisions a row is about, where it says so."""
    counts = (cell for column, cell in zip(table.columns, row, strict=True) if "items" in (column.key, column.name))
    return next((cell for cell in counts if isinstance(cell, int)), None)


def cell_text(column: Column, cell: Cell, items: int | None = None) -> str:
    """A cell as it is read; the minus sign is a real one. Chance is exact, whatever the number of items.

    >>> cell_text(Column("b − a", "points"), Estimate(-0.012, -0.02, -0.004, significant=True))
    '−1.2 [−2.0, −0.4] *'
    >>> cell_text(Column("accuracy", "percent"), 0.4701), cell_text(Column("n", "count"), 10500)
    ('47.0', '10,500')
    >>> cell_text(Column("accuracy", "percent"), Estimate(0.9996, 0.9977, 0.9999), 2500)
    '99.96 [99.8, 100.0]'
    """
    if cell is None:
        return ""
    places = 1 if column.name == "chance" else digits(items)
    if isinstance(cell, Estimate):
        low, high = (_number(column.kind, end, places) for end in (cell.low, cell.high))
        marks = ("~" if cell.few else "") + (" *" if cell.significant else "")
        return f"{_value(column.kind, cell.value, places)} [{low}, {high}]{marks}"
    if isinstance(cell, MarkedText):
        return cell.plain
    return cell if isinstance(cell, str) else _value(column.kind, cell, places)


def _value(kind: Kind, value: float, places: int) -> str:
    """Only all is 100%, and only nothing 0%; the ends of an interval are rounded."""
    return _number(kind, value, told_from(value, places, 0.0, 1.0) if kind == "percent" else places)


def _number(kind: Kind, value: float, places: int) -> str:
    match kind:
        case "count":
            text = f"{value:,}"
        case "percent":
            text = f"{100 * value:.{places}f}"
        case "points":
            text = f"{100 * value:+.{told_from(value, places, 0.0)}f}"
        case "bits":
            text = f"{value:+.3f}"
        case "p":
            text = p_value(value)
        case _:
            text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return text.replace("-", "−")
