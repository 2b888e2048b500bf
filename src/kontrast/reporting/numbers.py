"""How numbers are written for people: one place for percent, points, p-values and intervals."""

from kontrast.judging.wording import digits, p_value, told_from
from kontrast.reporting.section import Cell, Column, Estimate, Kind, MarkedText, Table


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
