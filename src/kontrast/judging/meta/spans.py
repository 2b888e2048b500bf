"""Metrics and judges that mark error spans, scored against the words in which a foil differs from the correct text.

The file has a JSON object per row of the suite, in any order: ``{"row": 0, "spans": [{"start": 4, "end": 9,
"severity": "major"}]}``, rows counted from 0 in suite order, places in characters of the variant's text. What is
marked in a correct variant is a false alarm. Where an error only left words out, marking either neighbour finds it;
the characters of these neighbours are then neither right nor wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import compress
from pathlib import Path

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.json_input import decode
from kontrast.io.words import spans as words_of
from kontrast.record import Record
from kontrast.suites.model import Suite

WEIGHTS = {"minor": 1, "major": 5, "critical": 25}
"""Of a marked span in the weighted figures; a span without severity weighs as a minor one."""

Place = tuple[int, int]


class ErrorSpan(msgspec.Struct, frozen=True, forbid_unknown_fields=False):
    """What a metric marked: characters from ``start`` up to ``end``."""

    start: int
    end: int
    severity: str | None = None


class _Line(msgspec.Struct, frozen=True):
    row: int
    spans: list[ErrorSpan]


class SpanScore(Record, frozen=True):
    """One phenomenon, or all. ``found`` of ``errors`` are marked; ``false_alarms`` are correct variants with a mark.

    Precision is the share of marked characters (or spans, or their weights) that touch an error, recall the share of
    the errors' characters (or errors) that are marked.
    """

    label: str
    errors: int
    found: int
    correct: int
    false_alarms: int
    precision: float | None
    recall: float | None
    f1: float | None
    character_precision: float | None
    character_recall: float | None
    character_f1: float | None
    weighted_precision: float | None


class SpanScores(Record, frozen=True):
    """In total, then by phenomenon."""

    _parts = "groups"
    suite: str
    metric: str
    rows: int
    spans: int
    groups: tuple[SpanScore, ...]


class MarkedSpans(Record, frozen=True):
    """The error spans that several metrics marked in one suite."""

    spans: tuple[SpanScores, ...]

    def _rows(self) -> list[dict[str, object]]:
        return [{"metric": each.metric, **row} for each in self.spans for row in each._rows()]


def read_spans(path: str | Path, suite: Suite) -> list[list[ErrorSpan]]:
    """The spans of every row; a row without a line, a span outside its text or an unknown severity is an error."""
    texts = [row.variant.text for row in suite.rows()]
    found: list[list[ErrorSpan] | None] = [None] * len(texts)
    decoder = msgspec.json.Decoder(_Line)
    for number, line in enumerate(files.read_lines(path), start=1):
        if not line.strip():
            continue
        read = decode(decoder, line, path, number, '{"row": 0, "spans": [...]}')
        if not 0 <= read.row < len(texts):
            raise InputError(path, f"expected a row from 0 to {len(texts) - 1}, found {read.row}", line=number)
        if found[read.row] is not None:
            raise InputError(path, f"expected row {read.row} once, found it again", line=number)
        for span in read.spans:
            if not 0 <= span.start < span.end <= len(texts[read.row]):
                size = len(texts[read.row])
                message = (
                    f"expected a span within the {size} characters of row {read.row}, found {span.start}–{span.end}"
                )
                raise InputError(path, message, line=number)
            if span.severity is not None and span.severity.lower() not in WEIGHTS:
                known = ", ".join(WEIGHTS)
                raise InputError(path, f"expected a severity of {known}, found {span.severity[:40]!r}", line=number)
        places = [(span.start, span.end) for span in read.spans]
        if len(set(places)) < len(places):  # it would count twice in the precision
            raise InputError(path, f"expected each span of row {read.row} once, found one again", line=number)
        found[read.row] = read.spans
    missing = [row for row, spans in enumerate(found) if spans is None]
    if missing:
        raise InputError(path, f"expected a line for each of {len(texts)} rows, found none for row {missing[0]}")
    return [spans or [] for spans in found]


def error_places(right: str, wrong: str, language: str | None = None) -> list[Place]:
    """Where the wrong text differs, in its characters; an empty place is where words are missing."""
    a, b = words_of(right, language, signs=True), words_of(wrong, language, signs=True)
    # Letters as they stand: a change of case is an error too.
    one, other = ([text[word.start : word.end] for word in words] for text, words in ((right, a), (wrong, b)))
    places = []
    for kind, _, _, i, j in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        if i < j:
            places.append((b[i].start, b[j - 1].end))
        else:
            at = b[i].start if i < len(b) else len(wrong)
            places.append((at, at))
    return places


def score_spans(suite: Suite, spans: Sequence[Sequence[ErrorSpan]], metric: str = "spans") -> SpanScores:
    """Compare marked spans with the errors of every foil, in total and by phenomenon."""
    if len(spans) != suite.row_count:
        raise KontrastError(f"{metric}: expected spans for {suite.row_count} rows, found {len(spans)}")
    tallies: dict[str, _Tally] = {"total": _Tally()}
    for row, marked in zip(suite.rows(), spans, strict=True):
        correct = row.variant_index == row.item.correct
        places = [] if correct else error_places(row.item.best.text, row.variant.text, suite.target_language)
        if not correct and not places:
            continue  # a foil equal to its correct variant has no error to find
        beside = _beside(row.variant.text, places, suite.target_language)
        label = row.item.phenomenon if correct else (row.variant.error or row.item.phenomenon)
        for name in ("total", label or "untagged"):
            tallies.setdefault(name, _Tally()).add(row.variant.text, places, marked, correct, beside)
    groups = tuple(tally.score(name) for name, tally in tallies.items())
    return SpanScores(suite.name, metric, suite.row_count, sum(map(len, spans)), groups)


class _Tally(Counter[str]):
    """Sums of what is counted; weights are whole numbers too."""

    def add(
        self, text: str, places: Sequence[Place], marked: Sequence[ErrorSpan], correct: bool, beside: set[int]
    ) -> None:
        """``beside`` are the characters of the words where others are missing: a mark there is right, as a whole."""
        gold = {i for start, end in places for i in range(start, end)}
        chosen = {i for span in marked for i in range(span.start, span.end)} - (beside - gold)
        good = [any(_touches(place, span, text) for place in places) for span in marked]
        weights = [WEIGHTS[(span.severity or "minor").lower()] for span in marked]
        self.update(
            errors=len(places),
            found=sum(any(_touches(place, span, text) for span in marked) for place in places),
            correct=correct,
            alarms=correct and bool(marked),
            spans=len(marked),
            good_spans=sum(good),
            weight=sum(weights),
            good_weight=sum(compress(weights, good)),
            gold=len(gold),
            marked=len(chosen),
            hit=len(gold & chosen),
        )

    def score(self, label: str) -> SpanScore:
        precision, recall = _share(self["good_spans"], self["spans"]), _share(self["found"], self["errors"])
        by_character = _share(self["hit"], self["marked"]), _share(self["hit"], self["gold"])
        weighted = _share(self["good_weight"], self["weight"])
        f1 = _f1(precision, recall), _f1(*by_character)
        counts = self["errors"], self["found"], self["correct"], self["alarms"]
        return SpanScore(label, *counts, precision, recall, f1[0], *by_character, f1[1], weighted)


def _beside(text: str, places: Sequence[Place], language: str | None) -> set[int]:
    """The characters of the words on both sides of where words are missing, and of the blanks between."""
    missing = [start for start, end in places if start == end]
    words = words_of(text, language, signs=True) if missing else []
    found: set[int] = set()
    for at in missing:
        first = max((word.start for word in words if word.end <= at), default=at)
        last = min((word.end for word in words if word.start >= at), default=at)
        found.update(range(first, last))
    return found


def _touches(place: Place, span: ErrorSpan, text: str) -> bool:
    start, end = place
    if start < end:
        return span.start < end and start < span.end
    # Words are missing here: a mark that ends or begins at this place, blanks aside, points at it.
    before, after = len(text[:start].rstrip()), len(text) - len(text[start:].lstrip())
    return span.start <= after and before <= span.end


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _f1(precision: float | None, recall: float | None) -> float | None:
    if precision is None or recall is None:
        return None
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
