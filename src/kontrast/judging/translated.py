"""Translations from files: a line per item; where `translate` wrote them, of the suite that they were made on."""

from __future__ import annotations

import hashlib
import itertools
import re
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from kontrast.errors import InputError
from kontrast.io import files
from kontrast.judging.signatures import check_made_on
from kontrast.suites.model import Signature, Suite
from kontrast.suites.subset import cut_of
from kontrast.suites.testset import testsets

T = TypeVar("T")
_PIECES = re.compile(r"@@(?: |$)|▁")


class _Named(msgspec.Struct):
    """The name beside the lines."""

    system: str


class _MadeBy(msgspec.Struct):
    """What `translate` writes beside the lines, as far as it matters here."""

    signature: Signature
    translations: str
    """The digest of the lines."""


def read_translations(path: str | Path, suite: Suite, *, allow: Collection[str] | None = None) -> list[str]:
    """Read one line per item; from a file with one line per row the lines of the correct variants are used.

    Lines that `translate` wrote for another suite, or for other items of this one, are refused. A warning appears if
    the file was changed after `translate` wrote it, or has subword pieces instead of words.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "system.de"
    >>> _ = file.write_text("Ein Hund.\\n")
    >>> from kontrast import Item, Variant
    >>> read_translations(file, Suite("tiny", (Item("1", "A dog.", (Variant("Ein Hund."), Variant("Eine Hund."))),)))
    ['Ein Hund.']
    """
    lines = [line for each in _companions(path, suite) for line in _own_lines(each, suite, allow)]
    if pieces := sum(_PIECES.search(line) is not None for line in lines):
        told = f"{pieces:,} of {len(lines):,} lines have marks of subword pieces (@@ or ▁)"
        print(f"kontrast: warning: {path}: {told}: pieces count as words; join them first", file=sys.stderr)
    if (cut := cut_of(suite, len(lines), "item_count")) is not None:
        return [lines[i] for i in cut.items]
    if len(lines) == suite.row_count and suite.row_count != len(suite.items):
        taken = [line for row, line in zip(suite.rows(), lines, strict=True) if row.variant_index == row.item.correct]
        told = f"{len(lines):,} lines for {len(suite.items):,} items: read as one line per row"
        print(f"kontrast: warning: {path}: {told}, the lines of the correct variants are used", file=sys.stderr)
        return taken
    if len(lines) != len(suite.items):
        part = (
            "; for translations of translate --limit N use SUITE?limit=N" if 0 < len(lines) < len(suite.items) else ""
        )
        raise InputError(
            path,
            f"expected {len(suite.items)} translations (one per item of {suite.name}), found {len(lines)}{part}",
            line=min(len(lines), len(suite.items)) + 1,
        )
    return lines


def written_by(path: str | Path) -> str:
    """The name of the system: the one that `translate --name` wrote beside the lines, else the file's."""
    if str(path) == "-":
        return "stdin"
    named = _beside(path, _Named)
    return named.system if named else Path(path).name


def is_text(path: str | Path, most: int = 50) -> bool:
    """Is this a file of sentences? A file of scores has numbers, or lines that are meant to be numbers (1,5)."""
    if str(path) == "-" or not Path(path).is_file():
        return False
    lines = [line.strip() for line in itertools.islice(files.open_lines(path), most)]
    filled = [line for line in lines if line]
    return sum(map(_is_number, filled)) < 0.5 * len(filled)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return not any(map(str.isalpha, text))
    return True


def _own_lines(path: str | Path, suite: Suite, allow: Collection[str] | None) -> list[str]:
    lines = list(files.read_lines(path))
    cut = cut_of(suite, len(lines), "item_count")
    if (cut or len(lines) in (len(suite.items), suite.row_count)) and (found := _signature(path, lines)) is not None:
        if cut is not None and found.fingerprint == cut.fingerprint:
            return lines
        check_made_on(suite, str(path), found, "translated", allow)
    return lines


def signature_beside(path: str | Path) -> Signature | None:
    """What `translate` says of its lines in the file beside them, if they are still those."""
    made = _beside(path, _MadeBy)
    return made.signature if made and _digest(list(files.read_lines(path))) == made.translations else None


def _digest(lines: Sequence[str]) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def _beside(path: str | Path, kind: type[T]) -> T | None:
    if str(path) == "-":
        return None
    try:
        return msgspec.json.decode(Path(f"{path}.json").read_bytes(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OSError):
        return None


def _signature(path: str | Path, lines: Sequence[str]) -> Signature | None:
    """That of the file beside the lines, if it speaks of just these lines."""
    if (made := _beside(path, _MadeBy)) is None:
        return None
    if _digest(lines) != made.translations:
        told = f"{Path(path).name}.json belongs to other lines"
        print(f"kontrast: warning: {path}: {told}: its system and suite are ignored", file=sys.stderr)
        return None
    return made.signature


def _companions(path: str | Path, suite: Suite) -> Sequence[str | Path]:
    """The files that belong to one system, where the suite's set says that there are several."""
    home = testsets().get(suite.style or "")
    find = getattr(home.parts(), "companions", None) if home is not None and home.check else None
    return [path] if find is None or str(path) == "-" else list(find(suite, Path(path)))
