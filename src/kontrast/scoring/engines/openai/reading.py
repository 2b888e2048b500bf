"""How an answer is read that may come after reasoning: by a declared rule, or not at all.

``begin``: the answer is one of the words, or begins with it. ``end``: the last ``Answer: WORD`` (or a boxed word)
after the reasoning, else what is left without the reasoning is read by ``begin``. Anything else is a regular
expression: the last match after the reasoning, its first group. Reasoning is what stands between ``<think>`` and
``</think>``, or is not in the answer at all, where the server gives it in a field of its own. A text that ends inside
it has no answer.
"""

from __future__ import annotations

import re
from functools import lru_cache

from kontrast.errors import KontrastError

THINKING = 16
"""With more tokens than this an answer may come after reasoning."""
_OPEN, _CLOSE = re.compile(r"<think(?:ing)?>", re.I), re.compile(r"</think(?:ing)?>", re.I)


def without_reasoning(text: str) -> str | None:
    """What stands after the reasoning; None where the text ends inside it.

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
    pattern = _marked(words) if rule == "end" else re.compile(rule)
    found = [match[1] for match in pattern.finditer(rest)]
    if found:
        return _index(found[-1], words)
    return _begins(rest, words) if rule == "end" and not cut else None


def _index(word: str | None, words: tuple[str, ...]) -> int | None:
    folded = [each.casefold() for each in words]
    return folded.index(word.casefold()) if word is not None and word.casefold() in folded else None


def _begins(text: str, words: tuple[str, ...]) -> int | None:
    named = _whole(words).match(text)
    if named is None or len({match.casefold() for match in _single(words).findall(text)}) > 1:
        return None
    return _index(named[1], words)


@lru_cache
def _whole(words: tuple[str, ...]) -> re.Pattern[str]:
    """A word that is the whole answer, or its beginning and no part of a sentence: "A is worse" may be cut short."""
    opening = r"\W*(?:(?:the )?(?:better )?(?:answer|option|translation)(?: is)?\W*)?"
    return re.compile(rf"{opening}({'|'.join(words)})(?=\W*$|[*)\]\s]*[\n.,:;)])", re.I)


@lru_cache
def _single(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words)})\b", 0 if all(len(word) == 1 for word in words) else re.I)


@lru_cache
def _marked(words: tuple[str, ...]) -> re.Pattern[str]:
    one = "|".join(words)
    return re.compile(rf"(?:\banswer(?: is)?\W*?\s*|\\boxed\{{\s*(?:\\text\{{)?)\W{{0,3}}({one})\b", re.I)
