"""Cutting text into words one word at a time: what was cut once is known when it comes again."""

from __future__ import annotations

from collections.abc import Callable, Iterable

MOST = 500_000


class ByWord:
    """A tokeniser that looks at nothing beyond the blanks around a word, with a memory.

    >>> cut = ByWord(lambda word: word.replace(",", " ,").split())
    >>> cut("yes, yes, no")
    ('yes', ',', 'yes', ',', 'no')
    """

    def __init__(self, cut: Callable[[str], Iterable[str]]) -> None:
        self.cut = cut
        self.known: dict[str, tuple[str, ...]] = {}

    def __call__(self, text: str) -> tuple[str, ...]:
        known = self.known
        tokens: list[str] = []
        if len(known) > MOST:
            known.clear()
        for word in text.split():
            cut = known.get(word)
            if cut is None:
                cut = known[word] = tuple(self.cut(word))
            tokens += cut
        return tuple(tokens)
