"""Examples for a prompt: sources with their translations."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.json_input import decode


def read_examples(given: str | Path | Sequence[tuple[str, str]], shots: int | None) -> tuple[tuple[str, str], ...]:
    """Pairs of source and translation from a file: with a tab, or JSON lines with ``source`` and ``target``."""
    if not isinstance(given, str | Path):
        pairs = list(given)
    else:
        pairs = [_pair(given, n, line) for n, line in enumerate(files.read_lines(given), start=1) if line.strip()]
    if shots is not None and shots > len(pairs):
        raise KontrastError(f"--shots {shots}: --examples has only {len(pairs)}")
    if not pairs:
        raise KontrastError("--examples: expected at least one example, found none")
    return tuple(pairs if shots is None else pairs[:shots])


class _Example(msgspec.Struct):
    source: str
    target: str


def _pair(path: str | Path, number: int, line: str) -> tuple[str, str]:
    if line.startswith("{"):
        found = decode(msgspec.json.Decoder(_Example), line, path, number, "source and target")
        return found.source, found.target
    parts = line.split("\t")
    if len(parts) != 2 or not all(part.strip() for part in parts):
        raise InputError(path, f"expected SOURCE TAB TRANSLATION, found {len(parts)} columns", line=number)
    return parts[0].strip(), parts[1].strip()
