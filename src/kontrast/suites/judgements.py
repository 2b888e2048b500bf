"""Human judgements and metrics' scores of several systems' segments, as WMT keeps them.

- ``NAME.seg.score``: system and score a line, segments in order, ``None`` where nobody judged (mt-metrics-eval); or
  more columns that end in system, segment number from 1, score (the metrics task: after metric, language pair, test
  set, domain, document, reference). It may hold scores of a suite: its items are the segments, the variants at the
  same place are a "system".
- MQM annotations as TSV: a line per error with system, document, segment, rater, category, severity. A segment's
  score is minus its errors' weights (major 5, minor 1, a minor punctuation error 0.1, non-translation 25), averaged
  over raters.
- A TSV with a header or JSON lines with columns for system, segment and score (DA, ESA); several raters are averaged.
"""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.json_input import read_json_lines
from kontrast.io.numbers import finite_number, whole_number
from kontrast.io.tables import TableRow, named_rows, read_tab_lines, refuse_repeated
from kontrast.suites.model import Scores, Suite

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


ENDINGS = (".seg.score", ".seg.score.gz")


def is_segment_scores(path: str | Path) -> bool:
    """By its name."""
    return str(path).endswith(ENDINGS)


class SegmentScore(NamedTuple):
    """A line of such a file; two columns do not name the metric."""

    metric: str
    system: str
    segment: str
    score: float | None


def segment_lines(path: str | Path) -> Iterator[SegmentScore]:
    """Every line; each segment of a system may come once."""
    seen: dict[str, set[str]] = {}
    for number, line in enumerate(files.read_lines(path), start=1):
        fields = line.split("\t") if "\t" in line else line.split()
        if len(fields) < 2:
            raise InputError(path, "expected a system and a score, separated by a tab, or more columns", line=number)
        metric, system = ("", fields[0]) if len(fields) == 2 else (fields[0], fields[-3])
        known = seen.setdefault(system, set())
        segment = str(len(known) + 1) if len(fields) == 2 else fields[-2]
        if segment in known:
            raise InputError(path, f"expected segment {segment} of {system} once, found it again", line=number)
        known.add(segment)
        yield SegmentScore(
            metric, system, segment, None if fields[-1] == "None" else finite_number(fields[-1], path, number)
        )


def read_segment_scores(
    path: str | Path, suite: Suite, *, systems: Sequence[str] = (), maximize: bool = True
) -> Scores:
    """The scores of a suite's rows; ``systems`` names which system is the first, second … variant of each item.

    Without it, the systems stand for the variants in the order in which the file first names them.
    """
    found: dict[str, dict[int, float | None]] = {}
    metric = Path(path).name.split(".")[0]
    for number, each in enumerate(segment_lines(path), start=1):
        if str(segment := whole_number(each.segment)) != each.segment or segment is None:
            raise InputError(path, f"expected a segment's number, found {each.segment[:40]!r}", line=number)
        found.setdefault(each.system, {})[segment] = each.score
        metric = each.metric or metric
    names = list(systems) or list(found)
    if missing := [name for name in names if name not in found]:
        raise InputError(path, f"there is no system {missing[0]}; it has {', '.join(found)}")
    values = []
    for row in suite.rows():
        name = names[row.variant_index] if row.variant_index < len(names) else None
        value = found[name].get(row.item_index + 1) if name is not None else None
        if value is None:
            raise InputError(
                path,
                f"expected a score for variant {row.variant_index + 1} of segment {row.item_index + 1} "
                f"of {suite.name} (systems: {', '.join(names)})",
            )
        values.append(value)
    most = max((len(each) for each in found.values()), default=0)
    if most != len(suite.items):
        raise InputError(path, f"expected {len(suite.items)} segments, one per item of {suite.name}, found {most}")
    return Scores(metric, tuple(values), lower_is_better=not maximize)


def write_segment_scores(scores: Scores, suite: Suite, path: str | Path) -> None:
    """Write a suite's scores so, in two columns, larger being better as the task wants them."""
    if len(scores.values) != suite.row_count:
        raise KontrastError(f"{scores.system}: expected {suite.row_count} scores, found {len(scores.values)}")
    sign = -1.0 if scores.lower_is_better else 1.0
    table: list[list[float]] = []
    for row, value in zip(suite.rows(), scores.values, strict=True):
        if row.variant_index == 0:
            table.append([])
        table[-1].append(sign * value)
    with files.writing(path) as out:
        for place in range(max(map(len, table), default=0)):
            for values in table:
                out.write(f"variant{place + 1}\t{values[place] if place < len(values) else None!r}\n")
