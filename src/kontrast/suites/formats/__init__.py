"""Readers and writers, one file each, found by name and recognised by looking.

To add a format: write ``formats/NAME.py`` with one ``FORMAT = Format(...)`` and put NAME in `NAMES`.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from kontrast.errors import InputError, KontrastError
from kontrast.suites.demo import locate
from kontrast.suites.formats.format import Format, Lost, Peek
from kontrast.suites.model import Suite

__all__ = ["NAMES", "Format", "Lost", "Peek", "detect", "get", "load", "save"]

NAMES = (
    "native",
    "discevalmt",
    "consistency",
    "pro-errors",
    "ctxpro",
    "demetr",
    "aces",
    "contrapro",
    "lingeval97",
)
"""In the order in which they are tried; the more particular first."""


def get(name: str) -> Format:
    """The format of that name."""
    if name not in NAMES:
        raise KontrastError(f"there is no format {name!r}; known: {', '.join(NAMES)}")
    module = importlib.import_module(f"kontrast.suites.formats.{name.replace('-', '_')}")
    fmt: Format = module.FORMAT
    return fmt


def detect(path: str | Path) -> Format:
    """The format of a file or folder, by its content."""
    path = locate(path)
    if not path.exists():
        raise InputError(path, "there is no such file or folder")
    peek = Peek(path)
    for name in NAMES:
        fmt = get(name)
        if fmt.detect(peek):
            return fmt
    raise InputError(path, f"is none of the known formats ({', '.join(NAMES)}); name one with --from")


def load(path: str | Path, format: str | None = None, **options: Any) -> Suite:
    """Read a suite; the format is recognised unless it is named.

    ``demo:de`` and ``demo:fr`` are the bundled suites. Options are those of the format, such as ``context=2`` for
    rows.
    """
    path = locate(path)
    fmt = get(format) if format else detect(path)
    unknown = sorted(set(options) - set(fmt.options or {}))
    if unknown:
        raise KontrastError(f"the {fmt} format has no option {', '.join(unknown)}")
    if not path.exists():
        raise InputError(path, "there is no such file or folder")
    return fmt.read(path, **options)


def save(suite: Suite, path: str | Path, format: str = "native") -> list[Lost]:
    """Write a suite; what the format has no home for is returned, never dropped silently."""
    fmt = get(format)
    if fmt.write is None:
        raise KontrastError(f"the {fmt} format can be read but not written")
    return fmt.write(suite, Path(path))
