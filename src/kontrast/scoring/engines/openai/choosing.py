"""Forced choice, for servers without log-probabilities: each pair of variants is asked in both orders.

A variant's score is its share of the votes, so that "lower is better" holds after the negative logarithm. A model
that always names the first answer gives each variant of a pair one vote: a tie, and a position bias to report.
With several samples each of them is a vote.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from kontrast.errors import KontrastError
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

    def count(self, letter: int | None) -> None:
        """An answer that names the first, the second, or neither."""
        self.asked += 1
        self.unread += letter is None
        self.first += letter == 0

    @property
    def bias(self) -> float:
        """Share of the answers that name the first variant; 0.5 is fair."""
        read = self.asked - self.unread
        return self.first / read if read else math.nan

    def __str__(self) -> str:
        read = self.asked > self.unread
        named = f"the first answer named in {self.bias:.1%} of the answers (50% is fair)"
        first = named if read else "none was answered"
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
                ballot.count(letter)
                for place in pair if letter != 1 else ():
                    marks[place].append(UNREAD if letter is None else FIRST)
                for place in pair:
                    votes[place] += 0.5 if letter is None else float(pair[letter] == place)
            ahead = named.count(0) - named.count(1)
            if samples > 1 and (read := named.count(0) + named.count(1)):
                ballot.questions += 1
                ballot.majority += (read + abs(ahead)) / 2 / read
            if ahead:
                winners.append(pair[0 if ahead > 0 else 1])
        ballot.pairs += 1
        ballot.agreed += len(winners) == 2 and winners[0] == winners[1]
    return [
        TokenScores((text, *marked), (math.log((won + 0.5) / (games + 1)), *[0.0] * len(marked)))
        for text, won, marked in zip(texts, votes, marks, strict=True)
    ]


THINKING = 16
"""With more tokens than this an answer may come after reasoning."""
_OPEN, _CLOSE = re.compile(r"<think(?:ing)?>", re.I), re.compile(r"</think(?:ing)?>", re.I)


def without_reasoning(text: str) -> str | None:
    """What stands after the reasoning, which is between ``<think>`` and ``</think>``; None where the text ends in it.

    >>> [without_reasoning(text) for text in ("<think>A or B? A.</think>\\n\\nB", "<think>A or", "A")]
    ['B', None, 'A']
    """
    closed = list(_CLOSE.finditer(text))
    rest = text[closed[-1].end() :] if closed else text
    return None if _OPEN.search(rest) else rest.strip()


def answer_rule(asked: str, max_tokens: int) -> str:
    """The rule that holds: the one given, else ``end`` where there is room to reason."""
    if asked not in ("", "begin", "end"):
        try:
            groups = re.compile(asked).groups
        except re.error as error:
            raise KontrastError(f"--option answer={asked}: expected begin, end or a pattern: {error}") from None
        if groups < 1:
            raise KontrastError(f"--option answer={asked}: expected a group, as in 'I choose ([AB])'")
    return asked or ("end" if max_tokens > THINKING else "begin")


def read_answer(text: str, words: tuple[str, ...], rule: str = "begin", *, cut: bool = False) -> int | None:
    """Which of the words the answer names; None where it names none, several, or was cut off before.

    The rule ``begin``: the answer is one of the words, or begins with it. ``end``: the last ``Answer: WORD`` (or a
    boxed word) after the reasoning, else what is left without the reasoning is read by ``begin``. Anything else is a
    regular expression: the last match after the reasoning, its first group.

    >>> said = (" A", "**B**", "Answer: B.", "b", "A, because it is right", "A\\nSource: It")
    >>> [read_answer(text, ("A", "B")) for text in said]
    [0, 1, 1, 1, 0, 0]
    >>> said = ("A or B", "I cannot say", "The first translation, A, is", "A is", "A, B", "")
    >>> [read_answer(text, ("A", "B")) for text in said]
    [None, None, None, None, None, None]
    >>> read_answer("<think>B is odd. A?</think> Both are fine.\\n**Answer: A**", ("A", "B"), "end")
    0
    >>> read_answer("A is better than B, so I take A", ("A", "B"), "end")
    >>> read_answer("I choose B", ("A", "B"), "choose ([AB])")
    1
    """
    if rule == "begin":
        return None if cut and text[-1:].isalpha() and len(text.split()) > 1 else _begins(text, words)
    rest = without_reasoning(text)
    if rest is None:
        return None
    boxed = rf"(?:\banswer(?: is)?\W*?\s*|\\boxed\{{\s*(?:\\text\{{)?)\W{{0,3}}({'|'.join(words)})\b"
    pattern = re.compile(boxed, re.I) if rule == "end" else re.compile(rule)
    found = [match[1] for match in pattern.finditer(rest)]
    if found:
        return _index(found[-1], words)
    return _begins(rest, words) if rule == "end" and not cut else None


def _index(word: str | None, words: tuple[str, ...]) -> int | None:
    folded = [each.casefold() for each in words]
    return folded.index(word.casefold()) if word is not None and word.casefold() in folded else None


def _begins(text: str, words: tuple[str, ...]) -> int | None:
    """A word that is the whole answer, or its beginning and no part of a sentence: "A is worse" may be cut short."""
    one = "|".join(words)
    opening = r"\W*(?:(?:the )?(?:better )?(?:answer|option|translation)(?: is)?\W*)?"
    named = re.match(rf"{opening}({one})(?=\W*$|[*)\]\s]*[\n.,:;)])", text, re.I)
    every = re.findall(rf"\b(?:{one})\b", text, 0 if all(len(word) == 1 for word in words) else re.I)
    return None if named is None or len(set(map(str.casefold, every))) > 1 else _index(named[1], words)
