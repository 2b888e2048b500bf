"""Metrics of other programs: ``file:PATH`` has scores made elsewhere, ``command:PROGRAM ARGS`` makes them.

PATH is a score file (a line per row), a WMT segment-score file (``.seg.score``), or the beginning of the names of
the CSV files in which pro-errors keeps its language model's answers (``gpt_scores/doc_DA``). A program reads
``source TAB translation TAB reference`` a line, and prints a score a line; the reference is left out where the suite
has none. Higher is better unless ``--minimize``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io.numbers import finite_number
from kontrast.io.tables import named_rows, read_rows
from kontrast.progress import Advance
from kontrast.scoring.engine import EngineOptions, Group, Target
from kontrast.scoring.engines.command import Command
from kontrast.scoring.metrics.metric import Declaration, Metric, MetricOptions, Segment
from kontrast.suites.judgements import is_segment_scores, read_segment_scores
from kontrast.suites.model import Scores, Signature, Suite
from kontrast.suites.scores import read_scores


def load(name: str, model: str, options: MetricOptions) -> Metric:
    """A program. Score files belong to a suite's rows, not to segments: they are read by `read`."""
    if name == "file":
        raise KontrastError(f"{name}:{model} is a score file, not a metric")
    return CommandMetric(name, model, options)


def read(suite: Suite, path: str, options: MetricOptions) -> Scores:
    """The scores of a suite's rows. Lower is better unless a signature, ``maximize`` or the format says otherwise."""
    extra = options.only("file", "maximize", "systems")
    maximize = options.maximize
    if "maximize" in extra:
        maximize = extra["maximize"] in ("yes", "true", "1")
    place = Path(path)
    if not place.exists() and (csvs := sorted(place.parent.glob(f"{place.name}_ref*.csv"))):
        scores = _read_answers(suite, place, csvs)
    elif is_segment_scores(path):
        wanted = tuple(name for name in extra.get("systems", "").split(",") if name)
        scores = read_segment_scores(path, suite, systems=wanted, maximize=maximize is not False)
    else:
        scores = read_scores(path, suite, maximize=maximize)
    if scores.signature is not None:
        return scores
    made = Signature(suite.name, suite.fingerprint, "file", scores.system, normalise="none")
    return msgspec.structs.replace(scores, signature=made)


def _read_answers(suite: Suite, place: Path, csvs: list[Path]) -> Scores:
    """``NAME_ref-A.csv`` has the unperturbed lines' scores in the order of the items, ``NAME_perturbed_ref-A.csv``
    the perturbed ones'; higher is better."""
    columns = {}
    for path in csvs:
        letter = path.stem[-1]
        rest = path.name.removeprefix(f"{place.name}_")
        both = _column(path), _column(place.parent / f"{place.name}_perturbed_{rest}")
        count = sum(item.tags.get("reference") == letter for item in suite.items)
        for column in both:
            if len(column) != count:
                raise InputError(
                    path,
                    f"expected {count} scores, one per item of reference {letter}, found {len(column)}; "
                    "select a part of the items with --only TAG=VALUE",
                )
        columns[letter] = iter(zip(*both, strict=True))
    values: list[float] = []
    for item in suite.items:
        letter = str(item.tags.get("reference"))
        if letter not in columns:
            raise InputError(place, f"there are no scores for item {item.id} (reference {letter})")
        right, wrong = next(columns[letter])
        values += [right if i == item.correct else wrong for i in range(len(item.variants))]
    return Scores(place.name, tuple(values), lower_is_better=False)


def _column(path: Path) -> list[float]:
    return [finite_number(row.get("score", ""), path, line) for line, row in named_rows(path, read_rows(path))]


class CommandMetric:
    """Runs the program once; the engine of the same name does the talking, its third column is the reference."""

    def __init__(self, name: str, line: str, options: MetricOptions) -> None:
        if not line.strip():
            raise KontrastError("--metric command: expected command:PROGRAM ARGS")
        self.line, self.name = line, line.split()[0].rpartition("/")[2]
        lower = options.maximize is False
        self.declaration = Declaration("optional", "optional", lower_is_better=lower, references=1)
        self.details = {"command": self.name}
        self.shard = 0

    def score(self, segments: Sequence[Segment], advance: Advance) -> list[tuple[float, ...]]:
        groups = []
        for segment in segments:
            reference = segment.references[0].joined if segment.references else ""
            targets = tuple(Target(hypothesis.joined, reference) for hypothesis in segment.hypotheses)
            groups.append(Group(segment.source.joined, targets))
        found: list[tuple[float, ...]] = []
        program = Command(self.line, EngineOptions(extra={"maximize": "yes"}))
        for _, rows in program.score(groups):
            found.append(tuple(row.logprobs[0] for row in rows))
            advance(len(rows))
        return found
