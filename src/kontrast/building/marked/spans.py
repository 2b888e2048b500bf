"""Ratings as error spans (ESA): a CSV line per rated output with character offsets; the texts are in another file.

A line of the CSV, without a header, as Appraise exports it: rater, system, segment, kind (``TGT``; ``BAD`` is a
control with errors put in), source and target language, score, document, a flag, the spans as JSON, two times. Texts
are JSON lines: ``{"id": 681, "document": "…", "source": "…", "outputs": {"SYSTEM": "…"}}``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from kontrast.building.marked.ratings import RatingRow
from kontrast.errors import InputError
from kontrast.io.files import open_lines
from kontrast.io.json_input import decode
from kontrast.io.tables import read_rows

_COLUMNS = 10
_MISSING = "missing"


class SegmentTexts(msgspec.Struct):
    """The texts of one segment."""

    id: str | int
    source: str
    outputs: dict[str, str]
    document: str | None = None


class _Span(msgspec.Struct):
    start_i: int | str
    end_i: int | str
    severity: str
    error_type: str | None = None


def is_spans(first: str) -> bool:
    """Is this the first line of such a file?

    >>> is_spans('r1,SystemA,788,TGT,eng,jpn,100,doc,False,[],1.0,2.0')
    True
    """
    cells = first.split(",")
    return len(cells) >= _COLUMNS and cells[3].strip('"') in ("TGT", "BAD", "REF")


def read_texts(path: Path) -> dict[str, SegmentTexts]:
    """The texts by the segment's id."""
    decoder = msgspec.json.Decoder(SegmentTexts)
    found: dict[str, SegmentTexts] = {}
    for number, line in enumerate(open_lines(path), start=1):
        if not line.strip():
            continue
        texts: SegmentTexts = decode(decoder, line, path, number, "an object with id, source and outputs")
        if str(texts.id) in found:
            raise InputError(path, f"segment {texts.id} occurs twice", line=number)
        found[str(texts.id)] = texts
    return found


def read_spans(path: Path, texts: dict[str, SegmentTexts], texts_path: Path) -> Iterator[RatingRow]:
    """The rows of a file of spans: one for each span, and one for an output without any."""
    decoder = msgspec.json.Decoder(list[_Span])
    found = 0
    for row in read_rows(path):
        line = row.line or row.number
        if len(row.cells) < _COLUMNS:
            raise InputError(path, f"expected at least {_COLUMNS} columns, found {len(row.cells)}", line=line)
        rater, system, name, kind = row.cells[:4]
        if kind != "TGT":
            continue
        spans: list[_Span] = decode(decoder, row.cells[9], path, line, "spans as a JSON list")
        about = texts.get(name)
        text = about.outputs.get(system) if about else None
        if about is None:
            raise InputError(path, f"segment {name} is not in {texts_path}", line=line)
        common: dict[str, Any] = {
            "line": line,
            "document": about.document,
            "segment": name,
            "system": system,
            "rater": rater,
            "source": about.source,
            "text": text or "",
        }
        if text is None:
            yield RatingRow(**common, unusable="an output without its text")
            continue
        found += 1
        yield RatingRow(**common)
        for span in spans:
            yield _span(common, span, len(text))
    if not found:
        raise InputError(path, f"none of the rated outputs is in {texts_path}")


def _span(common: dict[str, Any], span: _Span, length: int) -> RatingRow:
    """A span as a mark; its last character belongs to it."""
    told = {**common, "category": span.error_type or "Other", "severity": span.severity.capitalize()}
    if span.start_i == _MISSING:
        return RatingRow(**{**told, "category": "Accuracy/Omission"})
    if not (isinstance(span.start_i, int) and isinstance(span.end_i, int)):
        return RatingRow(**told, unusable="a span that is not a pair of numbers")
    if not 0 <= span.start_i <= span.end_i < length:
        return RatingRow(**told, unusable="a span outside the text")
    return RatingRow(**told, start=span.start_i, end=span.end_i + 1)
