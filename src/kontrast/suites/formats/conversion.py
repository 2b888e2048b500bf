"""From any format to any other that can hold it, with a report of what it cannot store."""

from __future__ import annotations

from pathlib import Path

from kontrast.errors import KontrastError
from kontrast.record import Record
from kontrast.suites import formats
from kontrast.suites.formats.format import Lost


class Conversion(Record, frozen=True):
    """The counts of a conversion and the fields that were lost.

    ``formulas`` is the number of cells of a CSV file that a spreadsheet program would run.
    """

    name: str
    items: int
    rows: int
    to_format: str
    lost: list[Lost]
    formulas: int = 0


def target_format(out: str | Path, asked: str | None = None) -> str:
    """The format to write: the one that is asked for, else that of the file's ending."""
    target = asked or guess(out)
    if formats.get(target).write is None:
        raise KontrastError(f"the {target} format can be read but not written; {_writable()}")
    return target


def guess(out: str | Path) -> str:
    """The format to write by the file's ending, where there is no doubt."""
    name = str(out).removesuffix(".gz").removesuffix(".zst")
    if name == "-" or name.endswith(".jsonl"):
        return "native"
    if name.endswith((".csv", ".tsv", ".xlsx")):
        return "table"
    raise KontrastError(f"{out}: the file name does not determine the format; give --to ({_writable()})")


def _writable() -> str:
    return ", ".join(name for name in formats.names() if formats.get(name).write is not None)
