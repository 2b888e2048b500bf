"""Tables of text, read row by row: the one reader of ``.csv``, ``.tsv`` and ``.xlsx``, and their writer.

Two kinds of text are told apart by who reads: tables of spreadsheet programs, in which a cell in quotation marks may
hold anything (`read_rows`, `parse`), and files with a row a line and tabs between, in which a quotation mark is a
character (`read_tab_lines`). What would move cells or hide rows is refused: a quotation mark without its partner, two
columns of one name (`refuse_repeated`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from kontrast.errors import InputError
from kontrast.io import files

_ENDINGS = (".csv", ".tsv", ".xlsx")


class TableRow(NamedTuple):
    """A row with its number from 1, as a spreadsheet shows it; at least one cell, all of them text.

    ``turned`` are the cells that the spreadsheet keeps as a date, a time, a truth value or an amount: what was typed
    is lost. ``line`` is the line of the file where it begins.
    """

    number: int
    cells: list[str]
    turned: tuple[int, ...] = ()
    line: int | None = None


def is_table(path: Path) -> bool:
    """By its ending, packed or not."""
    return _plain_name(path).endswith(_ENDINGS)


def _plain_name(path: Path) -> str:
    return path.name.lower().removesuffix(".gz").removesuffix(".zst")


def read_rows(path: Path, sheet: str | None = None, merged: str | None = None) -> Iterator[TableRow]:
    """The rows that are not blank. Columns of a ``.csv`` are divided by commas or semicolons, as in its header.

    ``sheet`` names one of an ``.xlsx``; the first is read else. ``merged="fill"`` fills its merged cells.
    """
    if path.suffix.lower() == ".xlsx":
        from kontrast.io.sheets import read_sheet

        rows = read_sheet(path, sheet, merged)
    elif sheet is not None or merged is not None:
        raise InputError(path, "sheet= and merged=: only an .xlsx file has sheets and merged cells")
    else:
        text = files.read_text(path)
        rows = parse(path, text, "\t" if _plain_name(path).endswith(".tsv") else None)
    return (row for row in rows if any(cell.strip() for cell in row.cells))


def parse(path: str | Path, text: str, mark: str | None = None) -> Iterator[TableRow]:
    r"""The rows of a table, blank ones too; ``mark`` divides cells (None: as its first row does).

    >>> [row.cells for row in parse("a.csv", 'a,b\n"1,5","a ""no"" !"\n')]
    [['a', 'b'], ['1,5', 'a "no" !']]
    >>> next(parse("a.tsv", 'x\t"He went.\ny\tz\n'))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    kontrast.errors.InputError: a.tsv, line 1: row 1, column 2: expected a quotation mark at the end of the cell, ...
    """
    mark = mark or _mark(text)
    cell = re.compile(rf'(?:"([^"]*+(?:""[^"]*+)*+)"|([^"{mark}\r\n][^{mark}\r\n]*+)?)({mark}|\r\n|\n|\r|\Z)')
    place = number = width = 0
    line = 1
    while place < len(text):
        number, first, end = number + 1, line, mark
        cells: list[str] = []
        quoted: list[tuple[int, int, str]] = []
        while end == mark:
            found = cell.match(text, place)
            if found is None or (found[2] and _QUOTED_LATE.fullmatch(found[2])):
                raise _fault(path, line, number, len(cells), _unpaired(text, place))
            inside, bare, end = found.groups()
            if inside is not None:
                quoted.append((len(cells), line, inside))
                line += len(_LINE_END.findall(inside))
            cells.append(bare or "" if inside is None else inside.replace('""', '"'))
            place = found.end()
        if not cells[0].startswith("#"):
            width = width or (len(cells) if any(cells) else 0)
            for column, at, inside in quoted:
                if why := _swallowed(inside, mark, column, len(cells), width):
                    raise _fault(path, at, number, column, why)
        yield TableRow(number, cells, (), first)
        line += 1


_LINE_END = re.compile(r"\r\n|\n|\r")
_QUOTED = re.compile(r'"[^"]*+(?:""[^"]*+)*+"')
_QUOTED_LATE = re.compile(r'\s+".*"\s*')
_NAMES = {"\t": "a tab", ",": "a comma", ";": "a semicolon"}
_CURE = "double each quotation mark of a text and put the whole text in quotation marks"


def _mark(text: str) -> str:
    header = next((line for line in text.splitlines() if line.strip() and not line.lstrip('"').startswith("#")), "")
    if "\t" in header and "," not in header:
        return "\t"
    return ";" if header.count(";") > header.count(",") else ","


def _fault(path: str | Path, line: int, number: int, column: int, why: str) -> InputError:
    return InputError(path, f"row {number}, column {column + 1}: {why}", line=line)


def _unpaired(text: str, place: int) -> str:
    if text[place] != '"':
        return "found a blank before the quotation mark at the beginning of the cell; remove the blank"
    found = "text behind it" if _QUOTED.match(text, place) else "none"
    return f"expected a quotation mark at the end of the cell, found {found}; {_CURE}"


def _swallowed(inside: str, mark: str, column: int, found: int, width: int) -> str | None:
    """Why a cell in quotation marks seems to hold other cells or rows: two marks of a text may look like a pair.

    Rows that were swallowed have as many cells as the others; a text of several lines rarely does.
    """
    counts = [part.count(mark) for part in _LINE_END.split(inside)]
    if not any(counts):
        return None
    if found < width:
        return (
            f"the cell holds {_NAMES[mark]} and the row has {found} of {width} cells, so it may contain other cells; "
            f"{_CURE}"
        )
    rows = [width - 1 - column, *[width - 1] * (len(counts) - 2), column]
    if len(counts) > 1 and (mark == "\t" or counts == rows):
        return f"the cell holds {len(counts) - 1} line ends and {_NAMES[mark]}: it may contain other rows; {_CURE}"
    return None


def read_tab_lines(path: str | Path) -> Iterator[TableRow]:
    """The rows of a file with a row a line and tabs between: quotation marks are characters of the text."""
    for number, line in enumerate(files.read_lines(path), start=1):
        yield TableRow(number, line.split("\t"), (), number)


def unquoted(field: str) -> str:
    """The text of a field that is quoted whole, its inner quotes doubled; any other field as it is."""
    inner = field[1:-1]
    if len(field) < 2 or field[0] != '"' or field[-1] != '"' or '"' in inner.replace('""', ""):
        return field
    return inner.replace('""', '"')


def named_rows(
    path: str | Path, rows: Iterable[TableRow], fold: bool = False
) -> Iterator[tuple[int, dict[str, str]]]:
    """Each row behind the first by the names of the columns, with its line; ``fold`` makes names lower-case."""
    names: list[str] | None = None
    for row in rows:
        if names is None:
            names = [name.strip().lower() if fold else name.strip() for name in row.cells]
            refuse_repeated(path, row, names)
            continue
        yield row.line or row.number, by_name(path, row, names)


def by_name(path: str | Path, row: TableRow, names: Sequence[str]) -> dict[str, str]:
    """The cells of a row, as many as there are names."""
    if len(row.cells) != len(names):
        raise InputError(path, f"expected {len(names)} columns, found {len(row.cells)}", line=row.line)
    return dict(zip(names, row.cells, strict=True))


def refuse_repeated(path: str | Path, row: TableRow, names: Sequence[str], cure: str = "rename one") -> None:
    """Two columns of one name: which is meant nobody knows, and one of them would be lost."""
    for place, name in enumerate(names):
        if name and name in names[:place]:
            told = f"columns {names.index(name) + 1} and {place + 1} have the same name {name}"
            raise InputError(path, f"{told}: {cure}", line=row.line)


def renamed(path: str | Path, row: TableRow, columns: str | None) -> TableRow:
    """The first row with the names that the user gives for its columns, as in ``?columns=source,right,wrong``."""
    if columns is None:
        return row
    names = columns.split(",")
    if len(names) != len(row.cells):
        raise InputError(path, f"columns={columns}: expected {len(row.cells)} names, found {len(names)}")
    return row._replace(cells=names)


def write_rows(path: Path, rows: Iterable[list[str]]) -> None:
    """Write a table by the ending of its name; ``-`` is ``.csv`` on standard output."""
    if path.suffix.lower() == ".xlsx":
        from kontrast.io.sheets import write_sheet

        write_sheet(path, rows)
        return
    mark = _written_mark(path)
    width = 0
    with files.writing(path) as out:
        for number, row in enumerate(rows, start=1):
            width = width or (0 if row[0].startswith("#") else len(row))
            for column, cell in enumerate(row):
                if _swallowed(cell, mark, column, len(row), width) and not row[0].startswith("#"):
                    told = f"row {number}, column {column + 1} would be read as several rows; use .xlsx"
                    raise InputError(path, f"cannot be written ({told})")
            quoted = ('"' + c.replace('"', '""') + '"' if re.search(rf'["{mark}\r\n]', c) else c for c in row)
            out.write(mark.join(quoted) + "\n")


def _written_mark(path: Path) -> str:
    return "\t" if _plain_name(path).endswith(".tsv") else ","


def formulas(path: Path, *, safe: bool = False) -> int:
    """How many cells of a CSV file a spreadsheet would run; ``safe`` puts an apostrophe before each of them."""
    text, mark = files.read_text(path), _written_mark(path)
    live = sum(_is_formula(cell) for row in parse(path, text, mark) for cell in row.cells)
    if live and safe:
        rows = parse(path, text, mark)
        write_rows(path, ([f"'{cell}" if _is_formula(cell) else cell for cell in row.cells] for row in rows))
    return live


def _is_formula(cell: str) -> bool:
    """Begins as a formula does, and is no number."""
    return cell[:1] in ("=", "+", "-", "@", "\t", "\r") and not re.fullmatch(
        r"[-+][0-9.,]*([eE][-+]?[0-9]+)?%?", cell
    )
