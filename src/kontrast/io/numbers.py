"""Numbers as files have them: digits and a point, not all that Python takes (``1_000``, digits of other scripts)."""

import math
from pathlib import Path

from kontrast.errors import InputError


def whole_number(text: str) -> int | None:
    """The whole number of nine digits or fewer that a text is, else None.

    >>> whole_number("12"), whole_number("-1"), whole_number("1_0")
    (12, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def finite_number(text: str, path: str | Path, line: int) -> float:
    """The number that a line of a file has.

    >>> finite_number("nan", "a.scores", 3)
    Traceback (most recent call last):
    kontrast.errors.InputError: a.scores, line 3: expected a finite number, found nan
    """
    try:
        value = float(text) if text.isascii() and "_" not in text else None
    except ValueError:
        value = None
    if value is None:
        found = repr(text.strip()[:40]) if text.strip() else "a blank line"
        raise InputError(path, f"expected a number, found {found}", line=line)
    if not math.isfinite(value):
        raise InputError(path, f"expected a finite number, found {value}", line=line)
    return value
