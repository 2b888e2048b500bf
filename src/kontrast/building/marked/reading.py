"""Reads files of ratings, each by what its first line says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from kontrast.building.marked.ratings import RatingRow, Ratings, gathered
from kontrast.building.marked.spans import is_spans, read_spans, read_texts
from kontrast.building.marked.tables import has_columns, read_table
from kontrast.errors import InputError
from kontrast.io.files import first_line

__all__ = ["read_ratings"]


def read_ratings(paths: Sequence[str | Path], texts: str | Path | None = None) -> Ratings:
    """The ratings of files: tables (MQM, one's own) and error spans (ESA, with ``texts``)."""
    places = [Path(path).resolve() for path in paths]
    if twice := next((path for n, path in enumerate(places) if path in places[:n]), None):
        raise InputError(twice, "is given twice, so its errors would count twice")
    return gathered((Path(path), _rows(Path(path), texts)) for path in paths)


def _rows(path: Path, texts: str | Path | None) -> Iterable[RatingRow]:
    if path.suffix.lower() == ".xlsx":
        return read_table(path)
    first = first_line(path)
    if has_columns(first):
        return read_table(path)
    if is_spans(first):
        if texts is None:
            raise InputError(path, "has error spans without their texts; give the texts with --texts FILE", line=1)
        return read_spans(path, read_texts(Path(texts)), Path(texts))
    wanted = "a table of ratings with columns system, source and target, or error spans (ESA)"
    raise InputError(path, f"expected {wanted}, found {first[:60]!r}", line=1)
