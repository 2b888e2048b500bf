"""What sharing saved: tokens that pair-by-pair scoring would have run, and tokens that were run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from kontrast.scoring.engines.transformer.engine import TokenTask


class Ran(msgspec.Struct, frozen=True):
    """The log-probabilities of a batch's labels in order, how many tokens were run, and how many rows projected."""

    values: list[float]
    source: int
    target: int
    projected: int


def in_full(tasks: Sequence[TokenTask], values: list[float]) -> Ran:
    """A batch that was run pair by pair."""
    source = sum(len(task.source) * len(task.paths) for task in tasks)
    target = sum(len(path.inputs) for task in tasks for path in task.paths)
    return Ran(values, source, target, target)


@dataclass
class Work:
    """Counts of tokens, without padding."""

    source_tokens: int = 0
    source_tokens_run: int = 0
    target_tokens: int = 0
    target_tokens_run: int = 0
    projected: int = 0

    def add(self, tasks: Sequence[TokenTask], ran: Ran) -> None:
        """Count a finished batch."""
        plain = in_full(tasks, [])
        self.source_tokens += plain.source
        self.source_tokens_run += ran.source
        self.target_tokens += plain.target
        self.target_tokens_run += ran.target
        self.projected += ran.projected

    def __str__(self) -> str:
        def share(run: int, plain: int) -> str:
            return f"{run:,} of {plain:,}" + (f" ({run / plain:.0%})" if plain else "")

        parts = []
        if self.source_tokens:
            parts.append(f"source tokens {share(self.source_tokens_run, self.source_tokens)}")
        parts.append(f"target tokens {share(self.target_tokens_run, self.target_tokens)}")
        parts.append(f"output rows {self.projected:,}")
        return ", ".join(parts)
