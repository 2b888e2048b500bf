"""Reads files of ratings, each by what its first line says: tables (MQM, one's own) and error spans (ESA)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from kontrast.building.marked.ratings import RatingRow, Ratings, gathered
from kontrast.errors import InputError
from kontrast.io.files import first_line, open_lines
from kontrast.io.json_input import decode
from kontrast.io.tables import named_rows, read_rows, read_tab_lines

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


# Tables: a marked error a row. Columns are found by their names, in any order. MQM files are lines with tabs, where
# a quotation mark is a character; a ``.csv`` or ``.xlsx`` is read as a spreadsheet.

_NAMES = {
    "doc": "document",
    "docsegid": "doc_id",
    "globalsegid": "segment",
    "seg_id": "segment",
    "target": "text",
    "translation": "text",
    "marked": "text",
}
_NEEDED = ("system", "source", "text")
_TAG = re.compile(r"(?:<|&lt;)\s*/?\s*v(?:[\s/][^<>&]*)?(?:>|&gt;)", re.IGNORECASE)
_MARKED = re.compile(r"<\s*v\s*>(.*?)<\s*/\s*v\s*>", re.IGNORECASE)
_REFERENCE = "ref"
_WHOLE = re.compile(r"\.0+$")
"""What a spreadsheet adds to a whole number in a column with blanks."""


def has_columns(header: str) -> bool:
    """Is this the first line of such a table?

    >>> has_columns("system\\tdoc\\tdoc_id\\tseg_id\\trater\\tsource\\ttarget\\tcategory\\tseverity")
    True
    """
    names = {_NAMES.get(name, name) for name in re.split(r'[\t,;"\s]+', header.lower())}
    return names.issuperset(_NEEDED)


def read_table(path: Path) -> Iterator[RatingRow]:
    """The rows of a table of ratings, and a row for every reference that its JSON column holds."""
    spreadsheet = path.name.lower().removesuffix(".gz").removesuffix(".zst").endswith((".csv", ".xlsx"))
    rows = read_rows(path) if spreadsheet else read_tab_lines(path)
    told: set[tuple[str, str]] = set()
    for line, raw in named_rows(path, rows, fold=True):
        row = {_NAMES.get(name, name): cell for name, cell in raw.items()}
        if missing := [name for name in _NEEDED if name not in row]:
            raise InputError(path, f"expected columns system, source and target, found none for {missing[0]}", line=1)
        yield from _references(path, line, row, told)
        if row.get("rater") or any(row.get(name) for name in ("category", "severity")) or "metadata" not in row:
            yield _told(path, line, row)


def _told(path: Path, line: int, row: dict[str, str]) -> RatingRow:
    for name in _NEEDED:
        if not row[name].strip():
            called = "target" if name == "text" else name
            raise InputError(path, f"expected a text in column {called}, found none", line=line)
    text, source = row["text"], _TAG.sub("", row["source"])
    plain = _TAG.sub("", text)
    start, end, unusable = _place(text, row, len(plain))
    told = RatingRow(
        line,
        row.get("document") or None,
        _segment(row, source),
        row["system"].strip(),
        row.get("rater") or "",
        source,
        plain,
        row.get("category", "").strip(),
        row.get("severity", "").strip(),
        start,
        end,
        " ".join(_MARKED.findall(row["source"])),
        unusable,
    )
    marked = start is not None or unusable or _TAG.search(row["source"])
    if marked and not told.is_error:  # a table of one's own may mark without a word on what it is
        return msgspec.structs.replace(told, category="Other", severity="Major")
    return told


def _segment(row: dict[str, str], source: str) -> str:
    """MQM numbers segments in the document and in the file; a table of one's own may have the source alone."""
    numbers = [row[name] for name in ("doc_id", "segment") if row.get(name)]
    return "/".join(numbers) or source


def _place(text: str, row: dict[str, str], length: int) -> tuple[int | None, int | None, str | None]:
    """Where the mark is in the text without its tags; or why that cannot be said."""
    tags = list(_TAG.finditer(text))
    span: tuple[int, int] | None = None
    if tags:
        if ["".join(tag.group().lower().split()) for tag in tags] != ["<v>", "</v>"]:
            why = "a mark that is not <v>…</v>" if len(tags) == 2 else "several marks in one row"
            return None, None, "a mark without an end" if len(tags) % 2 else why
        span = tags[0].start(), tags[1].start() - len(tags[0].group())
    if row.get("start") or row.get("end"):
        try:
            start, end = (int(_WHOLE.sub("", row.get(name) or "")) for name in ("start", "end"))
        except ValueError:
            return None, None, "a span that is not a pair of numbers"
        if span not in (None, (start, end)):
            return None, None, "different marks in the text and in start and end"
        if span is None and not 0 <= start < end <= length:
            return None, None, "a span outside the text"
        span = start, end
    return (*span, None) if span else (None, None, None)


def _references(path: Path, line: int, row: dict[str, str], told: set[tuple[str, str]]) -> Iterator[RatingRow]:
    """References in the JSON column, which is not repeated in every row; nobody rated them."""
    if '"reference' not in row.get("metadata", ""):
        return
    try:
        segment: dict[str, Any] = msgspec.json.decode(row["metadata"]).get("segment") or {}
        found = {name: "".join(tokens) for name, tokens in (segment.get("reference_tokens") or {}).items()}
        found = {**(segment.get("references") or {}), **found}
    except (msgspec.DecodeError, AttributeError, TypeError, RecursionError) as error:
        raise InputError(path, f"expected a JSON object in column metadata ({error})", line=line) from error
    source = _TAG.sub("", row["source"])
    name = _segment(row, source)
    for reference, text in found.items():
        system = reference if reference.lower().startswith(_REFERENCE) else f"{_REFERENCE}-{reference}"
        if isinstance(text, str) and text.strip() and (name, system) not in told:
            told.add((name, system))
            yield RatingRow(line, row.get("document") or None, name, system, "", source, text.strip())


# Error spans: a CSV line per rated output with character offsets, without a header, as Appraise exports it: rater,
# system, segment, kind (``TGT``; ``BAD`` is a control with errors put in), source and target language, score,
# document, a flag, the spans as JSON, two times. The texts are JSON lines of another file:
# ``{"id": 681, "document": "…", "source": "…", "outputs": {"SYSTEM": "…"}}``.

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
