"""Ratings: what people marked in the outputs of several systems, segment by segment, whatever file it came from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from kontrast.errors import InputError

SEVERITIES = ("critical", "major", "minor")
_HUMAN = re.compile(r"(?i)(?:ref|human)(?:$|[^a-z]|[a-d]$|erence)")
_NONE = frozenset(("no-error", "no error", "noerror", "none", ""))


class RatingRow(msgspec.Struct, frozen=True, gc=False):
    """One row of a file of ratings: an output, and perhaps an error that its rater marked, at characters ``start`` to
    ``end`` of the output; None: no place in it.

    ``source_words`` are what was marked in the source.
    """

    line: int
    document: str | None
    segment: str
    system: str
    rater: str
    source: str
    text: str
    category: str = ""
    severity: str = ""
    start: int | None = None
    end: int | None = None
    source_words: str = ""
    unusable: str | None = None

    @property
    def is_error(self) -> bool:
        return self.category.lower() not in _NONE or self.severity.lower() not in _NONE

    @property
    def rank(self) -> int:
        """0 is the most severe."""
        low = self.severity.lower()
        return SEVERITIES.index(low) if low in SEVERITIES else len(SEVERITIES)

    @property
    def is_severe(self) -> bool:
        return self.rank < SEVERITIES.index("minor")


class RatedOutput(msgspec.Struct):
    """What one system wrote for a segment, who rated it and what they marked.

    ``is_unsure``: a row about it could not be used, so that an unmarked place in it says nothing.
    """

    system: str
    text: str
    raters: dict[str, None]
    marks: list[RatingRow]
    is_unsure: bool = False

    @property
    def is_human(self) -> bool:
        """Is it a reference, by its name: ref, refA, ref.B, Human-A."""
        return _HUMAN.match(self.system) is not None


class RatedSegment(msgspec.Struct):
    """A source and its outputs by system; ``place`` counts the segments of its document from 0."""

    file: str
    document: str | None
    name: str
    source: str
    place: int
    outputs: dict[str, RatedOutput]

    @property
    def key(self) -> str:
        return f"{self.document}:{self.name}" if self.document else self.name


class Ratings(msgspec.Struct):
    """All segments of some files, how many rows they had, and the rows that could not be used, by reason."""

    segments: list[RatedSegment]
    rows: int
    apart: dict[str, list[str]]

    def documents(self) -> Iterator[list[RatedSegment]]:
        """The segments of each document, in order."""
        found: dict[tuple[str, str | None], list[RatedSegment]] = {}
        for segment in self.segments:
            found.setdefault((segment.file, segment.document), []).append(segment)
        yield from found.values()


def gathered(files: Iterable[tuple[Path, Iterable[RatingRow]]]) -> Ratings:
    """The rows of files as segments. A source that changes under one segment is refused; what is counted apart:
    a second text of a system, a row whose mark could not be read, a row that stands twice.
    """
    made = Ratings([], 0, {})
    for path, rows in files:
        known: dict[tuple[str | None, str], RatedSegment] = {}
        places: dict[str | None, int] = {}
        seen: set[RatingRow] = set()
        before = made.rows
        for row in rows:
            made.rows += 1
            segment = known.get((row.document, row.segment))
            if segment is None:
                place = places[row.document] = places.get(row.document, -1) + 1
                segment = RatedSegment(str(path), row.document, row.segment, row.source, place, {})
                known[row.document, row.segment] = segment
                made.segments.append(segment)
            elif segment.source != row.source:
                told = f"segment {segment.key} has two different sources"
                raise InputError(
                    path,
                    f"{told} ({segment.source[:40]!r}): check that these ratings belong to one test set",
                    line=row.line,
                )
            _add(made, path, segment, row, seen)
        if made.rows == before:
            raise InputError(path, "expected ratings, found none")
    return made


def _add(made: Ratings, path: Path, segment: RatedSegment, row: RatingRow, seen: set[RatingRow]) -> None:
    output = segment.outputs.get(row.system)
    if output is None:
        output = segment.outputs[row.system] = RatedOutput(row.system, row.text, {}, [])
    why = row.unusable
    if why is None and output.text != row.text:
        why = "another text of the same system"
    if why is not None:
        made.apart.setdefault(why, []).append(f"{path}, line {row.line}")
        output.is_unsure = True
        return
    output.raters[row.rater] = None
    if row.is_error:
        bare = msgspec.structs.replace(row, line=0)
        if bare in seen:
            made.apart.setdefault("the same mark twice", []).append(f"{path}, line {row.line}")
            return
        seen.add(bare)
        output.marks.append(row)


class MarkedError(msgspec.Struct, frozen=True):
    """Marks of one place in one output, by one rater or several."""

    output: RatedOutput
    marks: tuple[RatingRow, ...]

    @property
    def mark(self) -> RatingRow:
        """The most severe one."""
        return self.marks[0]

    @property
    def is_placeless(self) -> bool:
        """Is something missing, and no word marked where it should be?"""
        text = self.output.text[self.mark.start or 0 : self.mark.end or 0]
        return "omission" in self.mark.category.lower() and not any(map(str.isalnum, text))


def errors_of(output: RatedOutput) -> Iterator[MarkedError]:
    """The marks of an output, those of one place together."""
    waiting = sorted(output.marks, key=lambda m: (m.rank, m.line))
    while waiting:
        first, *rest = waiting
        same = [mark for mark in rest if _is_same_place(first, mark)]
        yield MarkedError(output, (first, *same))
        waiting = [mark for mark in rest if mark not in same]


def _is_same_place(one: RatingRow, other: RatingRow) -> bool:
    if one.start is None or one.end is None or other.start is None or other.end is None:
        return False
    if one.rater == other.rater:
        return (one.start, one.end) == (other.start, other.end)
    shared = min(one.end, other.end) - max(one.start, other.start)
    return 2 * shared >= max(one.end, other.end) - min(one.start, other.start)


def uneven(segments: Sequence[RatedSegment]) -> dict[str, int]:
    """Systems that have fewer segments than the most, with how many they lack."""
    counts = Counter(system for segment in segments for system in segment.outputs)
    most = max(counts.values(), default=0)
    return {system: most - count for system, count in counts.items() if count < most}
