"""Forced choice, for servers without log-probabilities: each pair of variants is asked in both orders.

A variant's score is its share of the votes, so that "lower is better" holds after the negative logarithm. A model
that always names the first answer gives each variant of a pair one vote: a tie, and a position bias to report.
With several samples each of them is a vote.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from kontrast.suites.model import TokenScores

UNREAD, FIRST = "(unread)", "(first)"
"""Tokens worth nothing that a variant has for each answer about it that could not be read, or named the first."""
LETTERS = ("A", "B")


class Ballot(msgspec.Struct):
    """Votes so far: how often the first was named, how often nothing could be read, how often both orders agreed.

    ``questions`` were asked several times, and ``majority`` is the sum of the shares that the majority had.
    """

    asked: int = 0
    first: int = 0
    unread: int = 0
    pairs: int = 0
    agreed: int = 0
    questions: int = 0
    majority: float = 0.0

    @property
    def bias(self) -> float:
        """Share of the answers that name the first variant; 0.5 is fair."""
        read = self.asked - self.unread
        return self.first / read if read else math.nan

    def __str__(self) -> str:
        read = self.asked > self.unread
        first = (
            f"the first answer named in {self.bias:.1%} of the answers (50% is fair)" if read else "none was answered"
        )
        samples = f", samples agree in {self.majority / self.questions:.1%}" if self.questions else ""
        lost = f"{self.unread} answers could not be read"
        told = f"{self.asked} questions: {first}, both orders agreed for {self.agreed} of {self.pairs} pairs{samples}"
        return f"{lost}; {told}" if self.unread else f"{told}, {lost}"


async def choose(
    texts: Sequence[str],
    ask: Callable[[tuple[str, str], int], Awaitable[int | None]],
    ballot: Ballot,
    samples: int = 1,
) -> list[TokenScores]:
    """Ask every pair in both orders; a text scores the logarithm of its share of votes, half a vote added.

    ``ask`` gives the letter that a sample of the answer names. An answer that cannot be read is half a vote for both.
    `UNREAD` and `FIRST` are among the tokens, so that what is stored tells of such answers.
    """
    votes = [0.0] * len(texts)
    marks: list[list[str]] = [[] for _ in texts]
    games = 2 * (len(texts) - 1) * samples
    for one, other in itertools.combinations(range(len(texts)), 2):
        winners = []
        for pair in ((one, other), (other, one)):
            named = [await ask((texts[pair[0]], texts[pair[1]]), number) for number in range(samples)]
            for letter in named:
                ballot.asked += 1
                ballot.unread += letter is None
                ballot.first += letter == 0
                for place in pair if letter != 1 else ():
                    marks[place].append(UNREAD if letter is None else FIRST)
                for place in pair:
                    votes[place] += 0.5 if letter is None else float(pair[letter] == place)
            ahead = named.count(0) - named.count(1)
            if samples > 1 and (read := named.count(0) + named.count(1)):
                ballot.questions, ballot.majority = (
                    ballot.questions + 1,
                    ballot.majority + (read + abs(ahead)) / 2 / read,
                )
            if ahead:
                winners.append(pair[0 if ahead > 0 else 1])
        ballot.pairs += 1
        ballot.agreed += len(winners) == 2 and winners[0] == winners[1]
    return [
        TokenScores((text, *marked), (math.log((won + 0.5) / (games + 1)), *[0.0] * len(marked)))
        for text, won, marked in zip(texts, votes, marks, strict=True)
    ]
