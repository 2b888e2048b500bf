"""A report as CSV for machines: a file for each table, numbers as numbers, intervals in columns of their own."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kontrast.reporting.section import Table, plain_rows

if TYPE_CHECKING:
    from kontrast.reporting.report import Report


def files(made: Report, path: Path) -> dict[Path, str]:
    """``NAME.csv`` has the first table, ``NAME.SECTION.csv`` each other one."""
    tables = [(section.name, section.table) for section in made.sections if section.table is not None]
    names = [path, *(path.with_name(f"{path.stem}.{name}{path.suffix}") for name, _ in tables[1:])]
    return {name: to_csv(table) for name, (_, table) in zip(names, tables, strict=True)}


def to_csv(table: Table) -> str:
    """A header, then a line a row. Text that a spreadsheet would take for a formula gets an apostrophe before it."""
    rows = plain_rows(table)
    columns = list(dict.fromkeys(key for row in rows for key in row)) or [c.key or c.name for c in table.columns]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(_safe, columns))
    writer.writerows([_safe(row.get(column)) for column in columns] for row in rows)
    return out.getvalue()


def _safe(cell: Any) -> Any:
    if not isinstance(cell, str):
        return cell
    text = cell.replace("\0", "")
    return f"'{text}" if text.lstrip().startswith(("=", "+", "-", "@")) or text.startswith(("\t", "\r")) else text
