"""Human judgements and metrics' scores of several systems' segments, as WMT keeps them.

- ``NAME.seg.score``: system and score a line, segments in order, ``None`` where nobody judged (mt-metrics-eval); or
  more columns that end in system, segment number, score.
- MQM annotations as TSV: a line per error with system, document, segment, rater, category, severity. A segment's
  score is minus its errors' weights (major 5, minor 1, a minor punctuation error 0.1, non-translation 25), averaged
  over raters.
- A TSV with a header or JSON lines with columns for system, segment and score (DA, ESA); several raters are averaged.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import InputError
from kontrast.io import files
from kontrast.io.json_input import read_json_lines
from kontrast.io.numbers import finite_number
from kontrast.io.tables import TableRow, named_rows, read_tab_lines, refuse_repeated
from kontrast.suites.segment_scores import segment_lines

Key = tuple[str, str]
"""System and segment; a segment is a number, or document and number."""

SYSTEM = ("system", "system_id", "sys", "sysname")
SEGMENT = ("globalsegid", "global_seg_id", "seg_id", "segment", "segment_id", "segid", "line_id", "item_id", "seg")
DOCUMENT = ("doc_id", "document", "document_id", "doc", "docid")
SCORE = ("score", "esa_score", "esa", "overall", "mqm", "da", "raw_score", "raw", "z_score", "z")
MAJOR, MINOR, PUNCTUATION, UNTRANSLATED = 5.0, 1.0, 0.1, 25.0


class Judgements(msgspec.Struct, frozen=True):
    """A score by system and segment; ``raters`` is the largest number of raters of one translation."""

    name: str
    values: dict[Key, float]
    kind: str = "scores"
    raters: int = 1

    @property
    def systems(self) -> list[str]:
        return list(dict.fromkeys(system for system, _ in self.values))

    @property
    def segments(self) -> list[str]:
        return list(dict.fromkeys(segment for _, segment in self.values))


def read_judgements(path: str | Path) -> Judgements:
    """Read human judgements or a metric's segment scores; larger is better.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "da.tsv"
    >>> _ = file.write_text("system\\tsegment\\tscore\\nA\\t1\\t80\\nA\\t1\\t90\\nB\\t1\\t40\\n")
    >>> read_judgements(file).values
    {('A', '1'): 85.0, ('B', '1'): 40.0}
    """
    lines = files.read_lines(path)
    name = Path(path).name.removesuffix(".gz").removesuffix(".seg.score")
    if not lines:
        raise InputError(path, "expected judgements, found an empty file", line=1)
    if lines[0].lstrip().startswith("{"):
        return _table(path, name, _json_rows(path))
    head = [column.strip().lower() for column in lines[0].split("\t")]
    if not any(column in head for column in SYSTEM):
        values = {(s.system, s.segment): s.score for s in segment_lines(path) if s.score is not None}
        return Judgements(name, values)
    rows = list(named_rows(path, read_tab_lines(path), fold=True))
    return _errors(path, name, rows) if {"category", "severity"} <= set(head) else _table(path, name, rows)


def _json_rows(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, row in read_json_lines(path, dict[str, Any], "a JSON object"):
        names = [name.lower() for name in row]
        refuse_repeated(path, TableRow(number, names, (), number), names)
        yield number, dict(zip(names, row.values(), strict=True))


def _table(path: str | Path, name: str, rows: Any) -> Judgements:
    found: dict[Key, list[float]] = {}
    for number, row in rows:
        value = _field(path, number, row, SCORE, "score")
        if value in (None, "", "None"):
            continue
        found.setdefault(_key(path, number, row), []).append(finite_number(str(value), path, number))
    if not found:
        raise InputError(path, "expected judgements, found none")
    values = {key: math.fsum(each) / len(each) for key, each in found.items()}
    return Judgements(name, values, "scores", max(map(len, found.values())))


def _errors(path: str | Path, name: str, rows: Any) -> Judgements:
    """A line per error (or one that says there is none) into a score a translation."""
    cost: dict[Key, dict[str, float]] = {}
    for number, row in rows:
        rater = str(row.get("rater", ""))
        by_rater = cost.setdefault(_key(path, number, row), {})
        by_rater[rater] = by_rater.get(rater, 0.0) + _weight(path, number, row["category"], row["severity"])
    if not cost:
        raise InputError(path, "expected judgements, found none")
    values = {key: -math.fsum(each.values()) / len(each) for key, each in cost.items()}
    return Judgements(name, values, "MQM", max(map(len, cost.values())))


def _weight(path: str | Path, number: int, category: str, severity: str) -> float:
    """
    >>> [_weight("x", 1, c, s) for c, s in (("Accuracy/Omission", "Major"), ("Fluency/Punctuation", "minor"))]
    [5.0, 0.1]
    """
    category, severity = category.strip().lower(), severity.strip().lower()
    if category.startswith("non-translation") and severity in ("major", "critical"):
        return UNTRANSLATED
    if severity in ("major", "critical"):
        return MAJOR
    if severity == "minor":
        return PUNCTUATION if category == "fluency/punctuation" else MINOR
    if severity in ("neutral", "no-error", "no error", ""):
        return 0.0
    raise InputError(
        path, f"expected severity major, minor, neutral or no-error, found {severity[:40]!r}", line=number
    )


def _key(path: str | Path, number: int, row: dict[str, Any]) -> Key:
    system = str(_field(path, number, row, SYSTEM, "system"))
    segment = str(_field(path, number, row, SEGMENT, "segment"))
    if any(name in row for name in SEGMENT[:2]):
        return system, segment
    document = next((str(row[name]) for name in DOCUMENT if row.get(name) not in (None, "")), "")
    return system, f"{document}:{segment}" if document else segment


def _field(path: str | Path, number: int, row: dict[str, Any], names: Sequence[str], what: str) -> Any:
    for name in names:
        if name in row:
            return row[name]
    raise InputError(path, f"expected a column for the {what}, one of {', '.join(names)}", line=number)
