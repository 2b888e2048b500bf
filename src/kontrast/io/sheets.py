"""Spreadsheets (``.xlsx``): the cells of a sheet as the text that they show, and a sheet of texts."""

import io
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator
from datetime import date, time, timedelta
from decimal import Decimal
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple, cast

from kontrast.errors import InputError, MissingExtraError
from kontrast.io import files
from kontrast.io.files import note_input
from kontrast.io.tables import TableRow
from kontrast.io.unpacking import check_archive

MOST_ROWS, MOST_COLUMNS = 1_048_576, 1_000
"""Of a spreadsheet: a file may number its rows and cells as it likes, and all before them would be made up."""
LONGEST_CELL = 32_767
"""Of a spreadsheet; the library would cut what is longer."""
_UNWRITABLE = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_MERGED = re.compile(rb"""mergeCell\s[^<>]{0,80}?ref=["'](\$?([A-Z]{1,3})\$?([0-9]+):\$?[A-Z]+\$?([0-9]+))["']""")
_PERCENT = re.compile(r"0(?:\.(0+))?%")


class Merged(NamedTuple):
    """Cells merged over several rows, from ``first`` to ``last``; ``column`` counts from 0."""

    column: int
    first: int
    last: int


def read_sheet(path: Path, name: str | None = None, merged: str | None = None) -> Iterator[TableRow]:
    """The rows of the sheet of that name, or of the first.

    Cells merged over rows are refused, or with ``merged="fill"`` have their value in each row.
    """
    try:
        import openpyxl
    except ImportError as error:
        raise MissingExtraError("xlsx", f"{path}: an .xlsx file") from error
    try:
        note_input(path)
        check_archive(path)
        book, formulas = (openpyxl.load_workbook(path, read_only=True, data_only=shown) for shown in (True, False))
        try:
            place = _place(path, book, name)
            sheet, written = book.worksheets[place], formulas.worksheets[place]
            for each in (sheet, written):
                each.reset_dimensions()  # what the file says of its size may be far beyond its cells
            rows = _texts(path, zip(sheet.iter_rows(), written.iter_rows(), strict=True))
            yield from _filled(path, _merged(path, sheet._worksheet_path, merged), rows)
        finally:
            book.close()
            formulas.close()
    except InputError:
        raise
    except zipfile.BadZipFile as error:
        raise InputError(path, "cannot be read as a spreadsheet; if it is text, name it .csv or .tsv") from error
    except Exception as error:  # a damaged file may raise anything in the library
        raise InputError(
            path, f"cannot be read as a spreadsheet ({str(error)[:200] or type(error).__name__})"
        ) from error


def _place(path: Path, book: Any, name: str | None) -> int:
    names = [sheet.title for sheet in book.worksheets]
    if name is None:
        return 0
    if name not in names:
        raise InputError(path, f"there is no sheet {name}; it has {', '.join(names)}")
    return names.index(name)


def _merged(path: Path, sheet: str, asked: str | None) -> set[Merged]:
    """The cells merged over several rows, of which only the first has the value; refused unless they are filled."""
    if asked not in (None, "fill"):
        raise InputError(path, f"merged={asked}: expected fill")
    found: set[Merged] = set()
    before = b""
    with zipfile.ZipFile(path) as archive, archive.open(sheet.lstrip("/")) as stream:
        while part := stream.read(1 << 20):
            text = before + part
            for cells in _MERGED.finditer(text):
                if cells[3] == cells[4]:
                    continue
                if asked is None:
                    told = f"found merged cells ({cells[1].decode()}): unmerge them"
                    cure = "or use ?merged=fill after the path to give each row their value"
                    raise InputError(path, f"expected a value in each cell, {told}, {cure}")
                column = reduce(lambda place, letter: place * 26 + letter - 64, cells[2], 0)
                found.add(Merged(column - 1, int(cells[3]), int(cells[4])))
            before = text[-200:]
    return found


def _filled(path: Path, merged: set[Merged], rows: Iterator[TableRow]) -> Iterator[TableRow]:
    """The rows, with the value of merged cells in each of them; those that are blank otherwise stay blank."""
    begins: dict[int, list[Merged]] = {}
    for cells in merged:
        begins.setdefault(cells.first, []).append(cells)
    still_open: dict[Merged, tuple[str, bool]] = {}
    filled = 0
    for row in rows:
        still_open = {cells: value for cells, value in still_open.items() if row.number <= cells.last}
        if still_open and any(map(str.strip, row.cells)):
            texts, turned = list(row.cells), set(row.turned)
            for cells, (value, was_turned) in still_open.items():
                texts += [""] * (cells.column + 1 - len(texts))
                texts[cells.column] = value
                turned |= {cells.column} if was_turned else set()
            filled += 1
            row = row._replace(cells=texts, turned=tuple(sorted(turned)))
        for cells in begins.get(row.number, ()):
            if cells.column < len(row.cells):
                still_open[cells] = (row.cells[cells.column], cells.column in row.turned)
        yield row
    if filled:
        print(f"kontrast: {path}: {filled:,} rows got the value of merged cells (merged=fill)", file=sys.stderr)


def _texts(path: Path, pairs: Iterable[tuple[Any, Any]]) -> Iterator[TableRow]:
    """Rows of cells as texts, given what they show and how they are written."""
    for number, (row, sources) in enumerate(pairs, start=1):
        if number > MOST_ROWS or len(row) > MOST_COLUMNS:
            told = f"at most {MOST_ROWS:,} rows and {MOST_COLUMNS:,} columns"
            raise InputError(path, f"expected a table of {told}", line=number)
        for place, (cell, source) in enumerate(zip(row, sources, strict=True), start=1):
            # The file does not hold its value, so it would be empty. A value that is an empty text is one.
            if source.data_type == "f" and cell.value is None and cell.data_type != "str":
                told = "a formula without a value: open the file in a spreadsheet program and save it"
                raise InputError(path, f"row {number}, column {place}: expected a value, found {told}")
        turned = tuple(i for i, cell in enumerate(row) if _is_turned(cell))
        yield TableRow(number, [_shown(cell) for cell in row] or [""], turned)


def _is_turned(cell: Any) -> bool:
    """Does the program show something else than the value, or hold something else than was typed?"""
    if isinstance(cell.value, bool | date | time | timedelta):
        return True
    if not isinstance(cell.value, int | float):
        return False
    return cell.number_format not in ("General", "@", "0") and not _PERCENT.fullmatch(cell.number_format)


def _shown(cell: Any) -> str:
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, date):
        return str(value).removesuffix(" 00:00:00")
    if isinstance(value, int | float) and not isinstance(value, bool):
        if percent := _PERCENT.fullmatch(cell.number_format):
            exact = Decimal(str(value)) * 100
            places = max(len(percent[1] or ""), -int(exact.normalize().as_tuple().exponent))
            return f"{exact:.{places}f}%"
        return str(int(value)) if float(value).is_integer() else str(value)
    return str(value)


def write_sheet(path: Path, rows: Iterable[list[str]]) -> None:
    """Write a sheet whose cells are texts."""
    try:
        import openpyxl
    except ImportError as error:
        raise MissingExtraError("xlsx", f"{path}: an .xlsx file") from error
    from openpyxl.cell import WriteOnlyCell

    rows = list(rows)
    for number, row in enumerate(rows, start=1):
        if len(row) > MOST_COLUMNS:
            raise InputError(path, f"cannot be written (more than {MOST_COLUMNS:,} columns)")
        if any(len(text) > LONGEST_CELL or _UNWRITABLE.search(text) for text in row):
            told = f"at most {LONGEST_CELL:,} characters, no control characters"
            raise InputError(path, f"cannot be written (row {number}: expected {told} in a cell of a spreadsheet)")
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("suite")
    for column in "ABCDEFGH":
        sheet.column_dimensions[column].width = 32
    for row in rows:
        cells = [WriteOnlyCell(sheet, text) for text in row]
        for cell in cells:
            cell.data_type = "s"  # as a text: "=1" would be a formula, which runs, and is not there when read
        sheet.append(cells)
    with files.writing(path) as out:
        book.save(cast(io.TextIOWrapper, out).buffer)
