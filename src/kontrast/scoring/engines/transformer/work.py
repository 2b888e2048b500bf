"""What sharing saved: tokens that pair-by-pair scoring would have run, and tokens that were run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kontrast.scoring.engines.transformer.engine import TokenTask

__all__ = ["Work"]


@dataclass
class Work:
    """Counts of tokens, without padding."""

    source_tokens: int = 0
    source_tokens_run: int = 0
    target_tokens: int = 0
    target_tokens_run: int = 0
    projected: int = 0

    def add(self, tasks: Sequence[TokenTask], projected: int) -> None:
        """Count a finished batch; ``projected`` is 0 where nothing was shared."""
        for task in tasks:
            plain = sum(len(path.inputs) for path in task.paths)
            self.source_tokens += len(task.source) * len(task.paths)
            self.source_tokens_run += len(task.source) * (1 if projected else len(task.paths))
            self.target_tokens += plain
            self.target_tokens_run += len(task.trie) if projected and task.trie is not None else plain
            self.projected += 0 if projected else plain
        self.projected += projected

    def __str__(self) -> str:
        def share(run: int, plain: int) -> str:
            return f"{run:,} of {plain:,}" + (f" ({run / plain:.0%})" if plain else "")

        parts = []
        if self.source_tokens:
            parts.append(f"source tokens {share(self.source_tokens_run, self.source_tokens)}")
        parts.append(f"target tokens {share(self.target_tokens_run, self.target_tokens)}")
        parts.append(f"output rows {self.projected:,}")
        return ", ".join(parts)
