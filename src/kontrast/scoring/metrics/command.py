"""``command:PROGRAM ARGS``: any program: ``source TAB translation TAB reference`` a line in, a score a line out.

The reference is left out where the suite has none. Higher is better unless ``--minimize``.
"""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.errors import KontrastError
from kontrast.progress import Advance
from kontrast.scoring.engine import EngineOptions, Group, Target
from kontrast.scoring.engines.command import Command
from kontrast.scoring.metrics.metric import Declaration, MetricOptions, Segment


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


load = CommandMetric
