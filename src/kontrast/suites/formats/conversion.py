"""From any format to any other that can hold it, with a report of what it cannot store."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kontrast.errors import KontrastError
from kontrast.record import Record
from kontrast.suites import formats
from kontrast.suites.formats.format import Lost
from kontrast.suites.model import Suite

__all__ = ["Conversion", "convert", "guess"]


class Conversion(Record, frozen=True):
    """What was written and what could not be."""

    name: str
    items: int
    rows: int
    to_format: str
    lost: list[Lost]


def convert(
    path: str | Path,
    out: str | Path,
    from_format: str | None = None,
    to_format: str | None = None,
    *,
    change: Callable[[Suite], Suite] | None = None,
    **options: Any,
) -> Conversion:
    """Read a suite and write it in another format; options are those of the format that is read.

    ``change`` is applied to the suite between reading and writing.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> done = convert("demo:fr", folder / "demo.json", to_format="lingeval97")
    >>> done.items > 50, [lost.field for lost in done.lost if lost.field == "source_context"]
    (True, ['source_context'])
    """
    target = to_format or guess(out)
    if formats.get(target).write is None:
        raise KontrastError(f"the {target} format can be read but not written; {_writable()}")
    suite = formats.load(path, from_format, **options)
    if change is not None:
        suite = change(suite)
    lost = formats.save(suite, out, target)
    return Conversion(suite.name, len(suite.items), suite.row_count, target, lost)


def guess(out: str | Path) -> str:
    """The format to write by the file's ending, where there is no doubt.

    >>> guess("suite.jsonl.gz"), guess("aces.tsv")
    ('native', 'aces')
    """
    name = str(out).removesuffix(".gz").removesuffix(".zst")
    if name == "-" or name.endswith(".jsonl"):
        return "native"
    if name.endswith(".tsv"):
        return "aces"
    if name.endswith((".csv", ".xlsx")):
        return "table"
    raise KontrastError(f"{out}: the name does not say which format; give --to ({_writable()})")


def _writable() -> str:
    return ", ".join(name for name in formats.names() if formats.get(name).write is not None)
