"""How much context: n previous sentences, n next ones, or as many as fit a number of words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from kontrast.errors import KontrastError


class ContextSpan(msgspec.Struct, frozen=True):
    """Sentences before (None: all there are, within ``tokens``) and after the current one."""

    previous: int | None = 0
    next: int = 0
    tokens: int | None = None

    def before(self, *sides: Sequence[str]) -> int:
        """How many of the preceding sentences, given for each language oldest first, to take.

        With a budget of words, as many whole sentences as fit it in every language.

        >>> ContextSpan(previous=None, tokens=5).before(["a b c", "d e", "f"], ["a b", "c", "d e f g h"])
        1
        """
        count = min((len(side) for side in sides), default=0)
        wanted = count if self.previous is None else min(self.previous, count)
        if self.tokens is None:
            return wanted
        spent = [0] * len(sides)
        for taken in range(wanted):
            spent = [words + len(side[-1 - taken].split()) for words, side in zip(spent, sides, strict=True)]
            if max(spent) > self.tokens:
                return taken
        return wanted


def parse_span(texts: Iterable[str]) -> ContextSpan:
    """Read ``2``, ``prev:2``, ``next:1``, ``tokens:100``, several of them together; or ``none``.

    >>> parse_span(["2", "next:1"])
    ContextSpan(previous=2, next=1, tokens=None)
    >>> parse_span(["tokens:100"])
    ContextSpan(previous=None, next=0, tokens=100)
    """
    found: dict[str, int] = {}
    texts = tuple(texts)
    if [text.strip() for text in texts] == ["none"]:
        return ContextSpan()
    for text in texts:
        for part in text.split("+"):
            kind, colon, number = part.strip().partition(":")
            if not colon:
                kind, number = "prev", kind
            if kind not in ("prev", "next", "tokens") or not (number.isascii() and number.isdigit()):
                raise KontrastError(
                    f"--context: expected N, prev:N, next:N or tokens:N (or none, alone), found {text!r}"
                )
            found[kind] = int(number)
    tokens = found.get("tokens")
    return ContextSpan(found.get("prev", 0 if tokens is None else None), found.get("next", 0), tokens)
