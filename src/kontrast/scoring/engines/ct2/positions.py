"""How many tokens a CTranslate2 model has positions for, read from the list of variables in its ``model.bin``.

CTranslate2 itself cuts a source at 1,024 pieces unless told not to, and fails beyond the positions of the model.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

from kontrast.scoring.lengths import LengthLimits

_VARIABLE = "{}/position_encodings/encodings"


def limits_of(path: Path) -> LengthLimits:
    """The rows of the position tables; None on a side without one, where positions are computed or relative."""
    try:
        with path.open("rb") as file:
            shapes = _shapes(file)
    except (OSError, struct.error, UnicodeDecodeError, KeyError):
        return LengthLimits()  # another version of the format: CTranslate2 says what is too long
    rows = [shapes.get(_VARIABLE.format(side)) for side in ("encoder", "decoder")]
    return LengthLimits(*(shape[0] if shape else None for shape in rows))


def _shapes(file: BinaryIO) -> dict[str, tuple[int, ...]]:
    """Variables with their shapes; weights are skipped. An alias has the shape of what it stands for."""

    def number(kind: str) -> int:
        return int(struct.unpack(f"<{kind}", file.read(struct.calcsize(f"<{kind}")))[0])

    def text() -> str:
        return file.read(number("H")).rstrip(b"\0").decode()

    version = number("I")
    if version < 4:
        raise struct.error
    text()
    number("I")
    shapes = {}
    for _ in range(number("I")):
        name = text()
        shapes[name] = tuple(number("I") for _ in range(number("B")))
        number("B")
        file.seek(number("I"), 1)
    for _ in range(number("I")):
        alias, name = text(), text()
        shapes[alias] = shapes[name]
    return shapes
