"""Rows by name, as declarations read them: tables, JSON lines, and line files of one length."""

import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kontrast.errors import InputError
from kontrast.io import files
from kontrast.io.json_input import read_json_lines
from kontrast.io.tables import by_name, read_rows, read_tab_lines, refuse_repeated, unquoted
from kontrast.suites.formats.format import Peek


class NamedRow(NamedTuple):
    """One row: its line in the file and its values by name."""

    line: int | None
    cells: dict[str, Any]


def kind_of(peek: Peek) -> str:
    """``jsonl``, ``tsv`` or ``csv``, by the first line."""
    first = peek.head.partition("\n")[0]
    return "jsonl" if first.startswith("{") else "tsv" if "\t" in first else "csv"


def split_header(head: str, kind: str) -> list[str]:
    """The names in the first line of a table."""
    first = head.partition("\n")[0].rstrip("\r")
    mark = "\t" if kind == "tsv" else ";" if first.count(";") > first.count(",") else ","
    return [unquoted(name.strip()) for name in first.split(mark)]


def table_rows(
    path: Path, kind: str, columns: Sequence[str], header: bool, said_in: str | Path
) -> Iterator[NamedRow]:
    """The rows of a table; ``columns`` stand in place of its first row, or there is none."""
    rows = read_rows(path)
    if kind == "tsv":
        lines = (row for row in read_tab_lines(path) if any(map(str.strip, row.cells)))
        rows = (row._replace(cells=[unquoted(cell) for cell in row.cells]) for row in lines)
    names = list(columns)
    for number, row in enumerate(rows):
        if number == 0 and header:
            first = [name.strip() for name in row.cells]
            if names and len(names) != len(first):
                raise InputError(path, f"{said_in} names {len(names)} columns, found {len(first)}", line=row.line)
            if not names:
                refuse_repeated(
                    path, row, first, f"name all columns with columns = [...] in {said_in}, or ?columns=…"
                )
            names = names or first
            if "" in names:
                place = names.index("") + 1
                raise InputError(
                    path,
                    f"column {place} has no name: name all columns with columns = [...] in {said_in}",
                    line=row.line,
                )
        else:
            yield NamedRow(row.line, by_name(path, row, names))


def json_rows(path: Path) -> Iterator[NamedRow]:
    """The objects of a file of JSON lines."""
    return itertools.starmap(NamedRow, read_json_lines(path, dict[str, Any], "an object"))


def line_rows(
    path: Path, endings: Sequence[str], languages: dict[str, str], said_in: str | Path
) -> Iterator[NamedRow]:
    """The lines of all files that begin as ``path`` does, by the endings that the declaration gives them."""
    found = line_files(path, [name for name in endings if not name.endswith("?")], languages)
    if found is None:
        wanted = ", ".join(endings)
        raise InputError(path, f"expected files with the endings {wanted} as {said_in} says; some are missing")
    optional = line_files(path, [name for name in endings if name.endswith("?")], languages, lenient=True) or {}
    paths = [(name, file) for name, several in {**found, **optional}.items() for file in several]
    for number, texts in enumerate(files.read_aligned(*(file for _, file in paths)), start=1):
        cells: dict[str, Any] = {}
        for (name, _), text in zip(paths, texts, strict=True):
            cells[name] = [*cells.get(name, []), text] if "*" in name else text
        yield NamedRow(number, cells)


def line_files(
    path: Path, endings: Sequence[str], languages: dict[str, str], *, lenient: bool = False
) -> dict[str, list[Path]] | None:
    """The files of each ending; ``path`` is what their names begin with, or one of them. None: one is missing."""
    filled = {name: name.removesuffix("?") for name in endings}
    for side, code in languages.items():
        filled = {name: ending.replace(f"{{{side}}}", code or "") for name, ending in filled.items()}
    prefix = path.name
    for ending in sorted(filled.values(), key=len, reverse=True):
        shape = re.escape(ending).replace(r"\*", ".*")
        if whole := re.fullmatch(rf"(.+){shape}(?:\.gz|\.zst)?", path.name):
            prefix = whole[1]
            break
    found: dict[str, list[Path]] = {}
    plain = {
        name: [p for end in ("", ".gz", ".zst") if (p := path.with_name(prefix + ending + end)).is_file()][:1]
        for name, ending in filled.items()
        if "*" not in ending
    }
    taken = {file for files_of in plain.values() for file in files_of}

    def numbered(ending: str) -> list[Path]:
        """The files of a pattern, ``.hyp-2`` before ``.hyp-10``, but for those that another ending names."""
        shape = re.compile(re.escape(prefix) + re.escape(ending).replace(r"\*", "(.*)") + r"(?:\.gz|\.zst)?")
        there = (file for file in path.parent.iterdir() if file not in taken) if path.parent.is_dir() else ()
        found = [(m[1], file) for file in there if (m := shape.fullmatch(file.name))]
        return [file for _, file in sorted(found, key=lambda each: [len(each[0]), each[0]])]

    for name, ending in filled.items():
        there = plain[name] if name in plain else numbered(ending)
        if there:
            found[name.removesuffix("?")] = there
        elif not lenient:
            return None
    return found
