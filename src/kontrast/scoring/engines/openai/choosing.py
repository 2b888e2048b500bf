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

__all__ = ["FIRST", "UNREAD", "Ballot", "choose", "question", "vote"]

UNREAD, FIRST = "(unread)", "(first)"
"""Tokens worth nothing that a variant has for each answer about it that could not be read, or named the first."""


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
        read = self.asked > self.unread
        first = (
            f"the first answer named in {self.bias:.1%} of the answers (50% is fair)" if read else "none was answered"
        )
        return (
            f"{self.asked} questions: {first}, "
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


CHOICE = re.compile(
    r"\W*(?:(?:the )?(?:better )?(?:answer|option|translation)(?: is)?\W*)?([ab])(?=\W*$|[*)\]\s]*[\n.,:;)])", re.I
)
"""A letter that is the whole answer, or its beginning and no part of a sentence: "A is worse" may be cut short."""


def vote(answer: str) -> int | None:
    """0 or 1 for A or B; None where the answer says neither, both, or speaks of one.

    >>> [vote(text) for text in (" A", "**B**", "Answer: B.", "b", "A, because it is right", "A\\nSource: It")]
    [0, 1, 1, 1, 0, 0]
    >>> [vote(text) for text in ("A or B", "I cannot say", "The first translation, A, is", "A is", "A, B", "")]
    [None, None, None, None, None, None]
    """
    named = CHOICE.match(answer)
    if named is None or len(set(re.findall(r"\b[AB]\b", answer))) > 1:
        return None
    return "ab".index(named[1].lower())


async def choose(
    texts: Sequence[str], ask: Callable[[tuple[str, str]], Awaitable[str]], ballot: Ballot
) -> list[TokenScores]:
    """Ask every pair in both orders; a text scores the logarithm of its share of votes, half a vote added.

    An answer that cannot be read is half a vote for both. `UNREAD` and `FIRST` are among the tokens, so that what is
    stored tells of such answers.
    """
    votes = [0.0] * len(texts)
    marks: list[list[str]] = [[] for _ in texts]
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
            for place in pair if named != 1 else ():
                marks[place].append(UNREAD if named is None else FIRST)
            if named is None:
                continue
            ballot.first += named == 0
            votes[pair[named]] += 1
            winners.append(pair[named])
        ballot.pairs += 1
        ballot.agreed += len(winners) == 2 and winners[0] == winners[1]
    return [
        TokenScores((text, *marked), (math.log((won + 0.5) / (games + 1)), *[0.0] * len(marked)))
        for text, won, marked in zip(texts, votes, marks, strict=True)
    ]
