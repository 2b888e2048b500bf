"""From any format to any other that can hold it, with a report of what it cannot store."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kontrast.errors import KontrastError
from kontrast.io.overwriting import guarded
from kontrast.io.tables import formulas
from kontrast.record import Record
from kontrast.suites import formats
from kontrast.suites.formats.format import Lost
from kontrast.suites.model import Suite


class Conversion(Record, frozen=True):
    """What was written and what could not be; ``formulas`` are cells of a CSV file that a spreadsheet would run."""

    name: str
    items: int
    rows: int
    to_format: str
    lost: list[Lost]
    formulas: int = 0


def convert(
    path: str | Path,
    out: str | Path,
    from_format: str | None = None,
    to_format: str | None = None,
    *,
    change: Callable[[Suite], Suite] | None = None,
    safe: bool = False,
    **options: Any,
) -> Conversion:
    """Read a suite and write it in another format; options are those of the format that is read.

    ``change`` is applied to the suite between reading and writing; ``safe`` puts an apostrophe before each cell of a
    CSV file that a spreadsheet would take for a formula, and so changes the text.
    """
    target = to_format or guess(out)
    if formats.get(target).write is None:
        raise KontrastError(f"the {target} format can be read but not written; {_writable()}")
    plain = target == "table" and str(out) != "-" and not str(out).lower().endswith(".xlsx")  # there cells have types
    if safe and not plain:
        raise KontrastError("--safe is for CSV and TSV files of the table format; other forms run no cell")
    with guarded():
        suite = formats.load(path, from_format, **options)
        if change is not None:
            suite = change(suite)
        lost = formats.save(suite, out, target)
    live = formulas(Path(out), safe=safe) if plain else 0
    return Conversion(suite.name, len(suite.items), suite.row_count, target, lost, live)


def guess(out: str | Path) -> str:
    """The format to write by the file's ending, where there is no doubt."""
    name = str(out).removesuffix(".gz").removesuffix(".zst")
    if name == "-" or name.endswith(".jsonl"):
        return "native"
    if name.endswith((".csv", ".tsv", ".xlsx")):
        return "table"
    raise KontrastError(f"{out}: the name does not say which format; give --to ({_writable()})")


def _writable() -> str:
    return ", ".join(name for name in formats.names() if formats.get(name).write is not None)
