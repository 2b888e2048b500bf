"""What `kontrast score --until decided` found and where it stopped; kept beside the scores."""

from typing import Any, Literal

import msgspec

from kontrast.record import Record, flat

Outcome = Literal["passed", "failed", "better", "worse", "not decided"]


class StoppedRule(msgspec.Struct, frozen=True):
    """One rule: what was decided and after how many clusters (None: not on the way).

    ``low`` and ``high`` are the ends of an interval that holds at any stop; ``threshold`` is the rule's.
    """

    on: str
    rule: str
    outcome: Outcome
    threshold: float
    low: float
    high: float
    after: int | None = None


class Stopped(Record, frozen=True):
    """The decision, how much of the suite it took, and its level.

    ``clusters`` of ``all_clusters`` were scored (``cluster`` says what they are), with ``rows`` of ``all_rows``.
    Half of ``alpha`` is for the test on the way; the other half is for the test on the whole suite, where the first
    decides nothing (``whole_message`` is what that one says).
    """

    outcome: Outcome
    rows: int
    all_rows: int
    cluster: str
    clusters: int
    all_clusters: int
    alpha: float
    seed: int
    rules: tuple[StoppedRule, ...] = ()
    whole_message: str = ""
    notes: tuple[str, ...] = ()

    @property
    def partial(self) -> bool:
        return self.rows < self.all_rows

    def __str__(self) -> str:
        """
        >>> print(Stopped("failed", 1200, 36031, "document", 400, 12000, 0.05, 1))
        failed after 400 of 12,000 documents (1,200 of 36,031 rows, 3%)
        """
        told = f"{self.outcome} after {self.clusters:,} of {self.all_clusters:,} {self.cluster}s"
        return f"{told} ({self.rows:,} of {self.all_rows:,} rows, {100 * self.rows / self.all_rows:.0f}%)"

    def _rows(self) -> list[dict[str, Any]]:
        return [flat(rule) for rule in self.rules]
