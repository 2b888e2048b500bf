"""Forced choice, for servers without log-probabilities: each pair of variants is asked in both orders.

A variant's score is its share of the votes, so that "lower is better" holds after the negative logarithm. A model
that always names the first answer gives each variant of a pair one vote: a tie, and a position bias to report.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from kontrast.suites.model import TokenScores

__all__ = ["Ballot", "choose", "question", "vote"]


class Ballot(msgspec.Struct):
    """Votes so far: how often the first was named, how often nothing could be read, how often both orders agreed."""

    asked: int = 0
    first: int = 0
    unread: int = 0
    pairs: int = 0
    agreed: int = 0

    @property
    def bias(self) -> float:
        """Share of the answers that name the first variant; 0.5 is fair."""
        read = self.asked - self.unread
        return self.first / read if read else math.nan

    def __str__(self) -> str:
        return (
            f"{self.asked} questions: the first answer named in {self.bias:.1%} of the answers (50% is fair), "
            f"both orders agreed for {self.agreed} of {self.pairs} pairs, {self.unread} answers could not be read"
        )


def question(
    source: str, context: Sequence[str], texts: Sequence[str], source_language: str, target_language: str
) -> str:
    """What the model is asked: one letter is expected."""
    answers = "".join(f"{chr(ord('A') + i)}: {text}\n" for i, text in enumerate(texts))
    before = f"Context: {' '.join(context)}\n" if context else ""
    return (
        f"Which is the better translation from {source_language} into {target_language}?\n"
        f"{before}Source: {source}\n{answers}Answer with one letter, A or B.\nAnswer:"
    )


def vote(answer: str) -> int | None:
    """0 or 1 for A or B; None where the answer says neither.

    >>> [vote(text) for text in (" A", "**B**", "Answer: B.", "A or B", "I cannot say")]
    [0, 1, 1, None, None]
    """
    letters = set(re.findall(r"\b([AB])\b", answer))
    return "AB".index(letters.pop()) if len(letters) == 1 else None


async def choose(
    texts: Sequence[str], ask: Callable[[tuple[str, str]], Awaitable[str]], ballot: Ballot
) -> list[TokenScores]:
    """Ask every pair in both orders; a text scores the logarithm of its share of votes, half a vote added."""
    votes = [0.0] * len(texts)
    games = 2 * (len(texts) - 1)
    for one, other in itertools.combinations(range(len(texts)), 2):
        winners = []
        for pair in ((one, other), (other, one)):
            named = vote(await ask((texts[pair[0]], texts[pair[1]])))
            ballot.asked += 1
            if named is None:
                ballot.unread += 1
                votes[one] += 0.5
                votes[other] += 0.5
                continue
            ballot.first += named == 0
            votes[pair[named]] += 1
            winners.append(pair[named])
        ballot.pairs += 1
        ballot.agreed += len(winners) == 2 and winners[0] == winners[1]
    return [
        TokenScores((text,), (math.log((won + 0.5) / (games + 1)),)) for text, won in zip(texts, votes, strict=True)
    ]
