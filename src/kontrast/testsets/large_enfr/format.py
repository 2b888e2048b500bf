"""The text files of the large EN-FR set, as its repository has them: ``OpenSubs.current.src`` and the rest.

They are rows, two an item, with 1 to 3 sentences of context; only the name says that they are English and French.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from kontrast.suites.formats import rows
from kontrast.suites.formats.format import Format, Peek
from kontrast.suites.model import Suite

PREFIX = "OpenSubs"


def detect(peek: Peek) -> bool:
    return _prefix(peek.path) is not None


def _prefix(path: Path) -> Path | None:
    """The beginning of the files' names, given it, the folder or one of the two files of current sentences."""
    prefix = path / PREFIX if path.is_dir() else path.with_name(PREFIX)
    own = (PREFIX, *(f"{PREFIX}.current.{side}" for side in ("src", "trg")))
    there = (path.is_dir() or path.name in own) and prefix.with_name(f"{PREFIX}.current.src").is_file()
    return prefix if there else None


def read(path: Path, **options: Any) -> Suite:
    suite = rows.read(_prefix(path) or path, **options)
    return msgspec.structs.replace(suite, source_language="en", target_language="fr")


FORMAT = Format(
    name="large-enfr",
    summary="the large EN-FR set's text files: OpenSubs.current.src, .trg and their context",
    detect=detect,
    read=read,
    prefix=True,
    options={name: text for name, text in (rows.FORMAT.options or {}).items() if not name.endswith("_language")},
    languages=("en", "fr"),
    examples=("OpenSubs (OpenSubs.current.src …)",),
)
