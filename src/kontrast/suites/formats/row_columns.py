"""A suite as rows: the lines of every file, by its name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from kontrast.errors import KontrastError
from kontrast.io import files
from kontrast.suites.formats.format import Lost
from kontrast.suites.formats.loss import losses
from kontrast.suites.formats.row_files import GROUPS
from kontrast.suites.model import Item, Suite, Variant


def write(suite: Suite, path: Path) -> list[Lost]:
    columns = {path.with_name(file): lines for file, lines in row_columns(suite, path.name).items()}
    files.write_columns(columns, stale_rows(path))
    return losses(suite, {"source_context", "target_context", "source_next", "target_next", "variant.context"})


def stale_rows(path: Path) -> list[Path]:
    """Files of an earlier suite that would be read with rows written to ``path``; an error if they are of a kind
    that is never written, as those of a published set."""
    name = re.escape(path.name)
    there = path.parent.iterdir() if path.parent.is_dir() else ()
    for file in there:
        if re.fullmatch(rf"{name}\.(?:current|c[0-9]+\.context)\.(?:src|trg)", file.name):
            raise KontrastError(f"{file} would be read with the rows of {path}: choose another name")
    return [path.with_name(f"{path.name}.{part}.{side}") for part in ("context", "next") for side in ("src", "trg")]


def row_columns(suite: Suite, name: str) -> dict[str, list[str]]:
    """``NAME.src``, ``.trg``, ``.group_starts.txt`` and, where there is context, ``.context.src`` and ``.trg``."""
    rows: list[tuple[Item, Variant]] = []
    starts = [0]
    for item in suite.items:
        rows += [(item, item.best), *((item, v) for i, v in enumerate(item.variants) if i != item.correct)]
        starts.append(len(rows))
    columns = {
        "src": [item.source for item, _ in rows],
        "trg": [variant.text for _, variant in rows],
        GROUPS: [str(start) for start in starts],
    }
    contexts = {
        "context.src": [item.source_context or () for item, _ in rows],
        "context.trg": [(item.target_context if v.context is None else v.context) or () for item, v in rows],
    }
    following = {
        "next.src": [item.source_next or () for item, _ in rows],
        "next.trg": [item.target_next or () for item, _ in rows],
    }
    for pair, ahead in ((contexts, True), (following, False)):
        size = max((len(texts) for column in pair.values() for texts in column), default=0)
        if size:
            columns |= {ending: list(_padded(column, size, ahead)) for ending, column in pair.items()}
    return {f"{name}.{ending}": lines for ending, lines in columns.items()}


def _padded(contexts: Sequence[Sequence[str]], size: int, ahead: bool) -> Iterator[str]:
    """``size`` lines for each; the blank ones stand where the document has ended."""
    for context in contexts:
        blank = [""] * (size - len(context))
        yield from [*blank, *context] if ahead else [*context, *blank]
