"""How much the choice of a prompt template matters: mean of scores over templates, and what lies between them."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

import msgspec

from kontrast.suites.model import TokenScores


class Spread(msgspec.Struct):
    """Collected over groups: variance of the contrasts between templates, and how often the best variant differs."""

    names: tuple[str, ...]
    groups: int = 0
    disagreed: int = 0
    with_mean: dict[str, int] = msgspec.field(default_factory=dict)
    variances: list[float] = msgspec.field(default_factory=list)

    def add(self, totals: Sequence[Sequence[float]]) -> None:
        """Totals by template and target of one group. Each is taken from its template's mean: contrasts, not levels.

        >>> spread = Spread(("a", "b"))
        >>> spread.add([[-1.0, -3.0], [-4.0, -2.0]])
        >>> spread.disagreed, spread.variances
        (1, [1.0, 1.0])
        """
        if len(totals) < 2 or len(totals[0]) < 2:
            return
        centred = [[value - statistics.fmean(row) for value in row] for row in totals]
        self.variances += [statistics.pvariance(column) for column in zip(*centred, strict=True)]
        best = [max(range(len(row)), key=row.__getitem__) for row in totals]
        means = [statistics.fmean(column) for column in zip(*totals, strict=True)]
        overall = max(range(len(means)), key=means.__getitem__)
        self.groups += 1
        self.disagreed += len(set(best)) > 1
        for name, choice in zip(self.names, best, strict=True):
            self.with_mean[name] = self.with_mean.get(name, 0) + (choice == overall)

    @property
    def variance(self) -> float:
        """Mean variance between templates of a variant's log-probability, relative to its group."""
        return statistics.fmean(self.variances) if self.variances else 0.0

    def __str__(self) -> str:
        shares = ", ".join(f"{name} {self.with_mean.get(name, 0) / max(self.groups, 1):.1%}" for name in self.names)
        return (
            f"templates: variance of a variant's contrast between them {self.variance:.3g} (standard deviation "
            f"{self.variance**0.5:.3g}); best variant differs in {self.disagreed} of {self.groups} groups; "
            f"agreement with the mean: {shares}"
        )


def mean_of(rows: Sequence[TokenScores]) -> TokenScores:
    """Mean over templates, token by token where all cut the target alike, else of the totals.

    >>> mean_of([TokenScores(("a", "b"), (-1.0, -2.0)), TokenScores(("a", "b"), (-3.0, -2.0))])
    TokenScores(tokens=('a', 'b'), logprobs=(-2.0, -2.0))
    """
    if len(rows) == 1:
        return rows[0]
    if len({row.tokens for row in rows}) == 1:
        columns = zip(*(row.logprobs for row in rows), strict=True)
        return TokenScores(rows[0].tokens, tuple(statistics.fmean(column) for column in columns))
    return TokenScores(("".join(rows[0].tokens),), (statistics.fmean(sum(row.logprobs) for row in rows),))
