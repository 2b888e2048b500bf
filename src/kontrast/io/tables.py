"""Tables of text: ``.csv``, ``.tsv`` and ``.xlsx``, read and written row by row."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from datetime import date, time, timedelta
from pathlib import Path
from typing import Any, NamedTuple, cast

from kontrast.errors import InputError, MissingExtraError
from kontrast.io import files
from kontrast.io.unpacking import check_archive

__all__ = ["TableRow", "is_table", "read_rows", "write_rows"]

MOST_ROWS, MOST_COLUMNS = 1_048_576, 1_000
"""Of a spreadsheet: a file may number its rows and cells as it likes, and all before them would be made up."""
LONGEST_CELL = 32_767
"""Of a spreadsheet; the library would cut what is longer."""
_UNWRITABLE = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_MERGED = re.compile(rb'mergeCell\s[^<>]{0,80}?ref="([A-Z]+([0-9]+):[A-Z]+([0-9]+))"')
_ENDINGS = (".csv", ".tsv", ".xlsx")


class TableRow(NamedTuple):
    """A row with its number from 1, as a spreadsheet shows it; at least one cell, all of them text.

    ``turned`` are the cells that the spreadsheet keeps as a date, a time or a truth value: what was typed is lost.
    """

    number: int
    cells: list[str]
    turned: tuple[int, ...] = ()


def is_table(path: Path) -> bool:
    """By its ending, packed or not.

    >>> is_table(Path("a.csv.gz")), is_table(Path("a.json"))
    (True, False)
    """
    return path.name.lower().removesuffix(".gz").removesuffix(".zst").endswith(_ENDINGS)


def read_rows(path: Path) -> Iterator[TableRow]:
    """The rows that are not blank. Columns of a ``.csv`` are divided by commas or semicolons, as in its header."""
    rows = _sheet(path) if path.suffix.lower() == ".xlsx" else ((cells, ()) for cells in _text(path))
    for number, (cells, turned) in enumerate(rows, start=1):
        if any(cell.strip() for cell in cells):
            yield TableRow(number, cells, turned)


def _text(path: Path) -> Iterator[list[str]]:
    text = files.read_text(path)
    name = path.name.lower()
    header = next((line for line in text.splitlines() if line.strip() and not line.lstrip('"').startswith("#")), "")
    tab = ".tsv" in name or ("\t" in header and "," not in header)
    mark = "\t" if tab else ";" if header.count(";") > header.count(",") else ","
    import csv

    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    except csv.Error as error:
        raise InputError(path, f"expected a table of text ({error})") from error


def _sheet(path: Path) -> Iterator[tuple[list[str], tuple[int, ...]]]:
    try:
        import openpyxl
    except ImportError as error:
        raise MissingExtraError("xlsx", f"{path}: an .xlsx file") from error
    try:
        check_archive(path)
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        try:
            sheet = book.worksheets[0]
            _refuse_merged(path, sheet._worksheet_path)
            sheet.reset_dimensions()  # what the file says of its size may be far beyond its cells
            for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
                if number > MOST_ROWS or len(row) > MOST_COLUMNS:
                    told = f"at most {MOST_ROWS:,} rows and {MOST_COLUMNS:,} columns"
                    raise InputError(path, f"expected a table of {told}", line=number)
                turned = tuple(i for i, value in enumerate(row) if isinstance(value, (bool, date, time, timedelta)))
                yield [_cell(value) for value in row] or [""], turned
        finally:
            book.close()
    except InputError:
        raise
    except zipfile.BadZipFile as error:
        raise InputError(path, "cannot be read as a spreadsheet; if it is text, name it .csv or .tsv") from error
    except Exception as error:  # a damaged file may raise anything in the library
        raise InputError(
            path, f"cannot be read as a spreadsheet ({str(error)[:200] or type(error).__name__})"
        ) from error


def _refuse_merged(path: Path, sheet: str) -> None:
    """Of cells merged over several rows only the first has the value, and the others would be without it."""
    before = b""
    with zipfile.ZipFile(path) as archive, archive.open(sheet.lstrip("/")) as stream:
        while part := stream.read(1 << 20):
            text = before + part
            for found in _MERGED.finditer(text):
                if found[2] != found[3]:
                    raise InputError(
                        path, f"expected a value in each cell, found merged cells ({found[1].decode()}): unmerge them"
                    )
            before = text[-200:]


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).removesuffix(" 00:00:00") if isinstance(value, date) else str(value)


def write_rows(path: Path, rows: Iterable[list[str]]) -> None:
    """Write a table by the ending of its name; ``-`` is ``.csv`` on standard output."""
    if path.suffix.lower() == ".xlsx":
        _write_sheet(path, rows)
        return
    tab = path.name.lower().removesuffix(".gz").removesuffix(".zst").endswith(".tsv")
    import csv

    with files.writing(path) as out:
        csv.writer(out, delimiter="\t" if tab else ",", lineterminator="\n").writerows(rows)


def _write_sheet(path: Path, rows: Iterable[list[str]]) -> None:
    try:
        import openpyxl
    except ImportError as error:
        raise MissingExtraError("xlsx", f"{path}: an .xlsx file") from error
    from openpyxl.cell import WriteOnlyCell

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("suite")
    for column in "ABCDEFGH":
        sheet.column_dimensions[column].width = 32
    for number, row in enumerate(rows, start=1):
        if len(row) > MOST_COLUMNS:
            raise InputError(path, f"cannot be written (more than {MOST_COLUMNS:,} columns)")
        cells = []
        for text in row:
            if len(text) > LONGEST_CELL or _UNWRITABLE.search(text):
                told = f"at most {LONGEST_CELL:,} characters, no control characters"
                raise InputError(
                    path, f"cannot be written (row {number}: expected {told} in a cell of a spreadsheet)"
                )
            cells.append(WriteOnlyCell(sheet, text))
            cells[-1].data_type = "s"  # as a text: "=1" would be a formula, which runs, and is not there when read
        sheet.append(cells)
    with files.writing(path) as out:
        book.save(cast(io.TextIOWrapper, out).buffer)
