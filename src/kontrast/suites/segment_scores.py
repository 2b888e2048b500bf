"""WMT's segment-score files: ``NAME.seg.score``, a line per system and segment, as the metrics task keeps them.

Two columns (system, score; segments in order) are mt-metrics-eval's; in the task's own form the last three are
system, segment number from 1, score, after metric, language pair, test set, domain, document, reference.
A suite's items are the segments; the variants at the same place are a "system". ``None`` stands where an item has no
such variant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.numbers import finite_number, whole_number
from kontrast.suites.model import Scores, Suite

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


def write_segment_scores(scores: Scores, suite: Suite, path: str | Path, *, wide: bool = False) -> None:
    """Write a suite's scores so, larger being better as the task wants them; ``wide`` for its own nine columns."""
    if len(scores.values) != suite.row_count:
        raise KontrastError(f"{scores.system}: expected {suite.row_count} scores, found {len(scores.values)}")
    sign = -1.0 if scores.lower_is_better else 1.0
    table: list[list[float]] = []
    for row, value in zip(suite.rows(), scores.values, strict=True):
        if row.variant_index == 0:
            table.append([])
        table[-1].append(sign * value)
    pair = "-".join(code or "und" for code in (suite.source_language, suite.target_language))
    with files.writing(path) as out:
        for place in range(max(map(len, table), default=0)):
            for number, (item, values) in enumerate(zip(suite.items, table, strict=True), start=1):
                score = repr(values[place]) if place < len(values) else "None"
                system = f"variant{place + 1}"
                if not wide:
                    out.write(f"{system}\t{score}\n")
                elif score != "None":
                    before = (scores.system, pair, suite.name, "all", item.document or "-", "ref")
                    out.write("\t".join([*before, system, str(number), score]) + "\n")
