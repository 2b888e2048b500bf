"""How numbers are written for people: one place for percent, points, p-values and intervals."""

from __future__ import annotations

from kontrast.reporting.section import Cell, Column, Estimate, Kind

__all__ = ["cell_text", "p_text"]


def cell_text(column: Column, cell: Cell) -> str:
    """A cell as it is read; the minus sign is a real one.

    >>> cell_text(Column("b − a", "points"), Estimate(-0.012, -0.02, -0.004, significant=True))
    '−1.2 [−2.0, −0.4] *'
    >>> cell_text(Column("accuracy", "percent"), 0.4701), cell_text(Column("n", "count"), 10500)
    ('47.0', '10,500')
    """
    if cell is None:
        return ""
    if isinstance(cell, Estimate):
        low, high = (_number(column.kind, end) for end in (cell.low, cell.high))
        return f"{_number(column.kind, cell.value)} [{low}, {high}]{' *' if cell.significant else ''}"
    return cell if isinstance(cell, str) else _number(column.kind, cell)


def _number(kind: Kind, value: float) -> str:
    match kind:
        case "count":
            text = f"{value:,}"
        case "percent":
            text = f"{100 * value:.1f}"
        case "points":
            text = f"{100 * value:+.1f}"
        case "bits":
            text = f"{value:+.3f}"
        case "p":
            text = p_text(value)
        case _:
            text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return text.replace("-", "−")


def p_text(value: float) -> str:
    """A p-value without its leading nought.

    >>> [p_text(p) for p in (0.0001, 0.0349, 1.0)]
    ['< .0005', '.035', '1']
    """
    if value < 0.0005:
        return "< .0005"
    return f"{value:.3f}".lstrip("0") if value < 0.9995 else "1"
