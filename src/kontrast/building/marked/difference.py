"""Where two texts differ: their tokens, the tokens they share in order, and the blocks between."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

_ALONE = "\u3041-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"
_TOKEN = re.compile(rf"[{_ALONE}]|(?:(?![{_ALONE}])\w)+(?:['’](?:(?![{_ALONE}])\w)+)?|-{{2,}}|[^\w\s]")
_DASHES = dict.fromkeys(("-", "--", "---", "—"), "–")


class TokenisedText(NamedTuple):
    """A text cut into words and signs, with their places."""

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    compared: tuple[str, ...]

    def covering(self, start: int, end: int) -> tuple[int, int]:
        """The tokens that a span of characters touches: the first, and the one behind the last.

        Where it touches none, both are the token behind the place.
        """
        inside = [i for i in range(len(self.words)) if self.starts[i] < end and self.ends[i] > start]
        behind = sum(each <= start for each in self.ends)
        return (inside[0], inside[-1] + 1) if inside else (behind, behind)

    def between(self, first: int, behind: int) -> tuple[int, int]:
        """The characters from the end of the token before ``first`` to the beginning of the one ``behind``."""
        start = self.ends[first - 1] if first else 0
        return start, self.starts[behind] if behind < len(self.words) else len(self.text)


class DiffBlock(NamedTuple):
    """Words ``a`` to ``b`` of one text stand where ``c`` to ``d`` of the other do; all else around is equal."""

    a: int
    b: int
    c: int
    d: int


@lru_cache(maxsize=4096)
def tokens(text: str) -> TokenisedText:
    """A text as tokens; Chinese and Japanese characters are tokens of their own.

    >>> tokens("Es geht's, ja!").words
    ('Es', "geht's", ',', 'ja', '!')
    """
    found = list(_TOKEN.finditer(text))
    words = tuple(m.group() for m in found)
    return TokenisedText(
        text,
        words,
        tuple(m.start() for m in found),
        tuple(m.end() for m in found),
        tuple(_DASHES.get(word, word) for word in words),
    )


def blocks(one: Sequence[str], other: Sequence[str]) -> list[DiffBlock]:
    """Where two texts differ, from left to right.

    >>> blocks("a b c d".split(), "a x c d e".split())
    [DiffBlock(a=1, b=2, c=1, d=2), DiffBlock(a=4, b=4, c=4, d=5)]
    """
    found: list[DiffBlock] = []
    i = j = 0
    for k, m in [*common(one, other), (len(one), len(other))]:
        if k > i or m > j:
            found.append(DiffBlock(i, k, j, m))
        i, j = k + 1, m + 1
    return found


def common(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """The places of a longest common subsequence, by Hyyrö's bit vectors."""
    start, shorter = 0, min(len(one), len(other))
    while start < shorter and one[start] == other[start]:
        start += 1
    end = 0
    while end < shorter - start and one[-1 - end] == other[-1 - end]:
        end += 1
    a, b = one[start : len(one) - end], other[start : len(other) - end]
    rows = list(_rows(a, b))
    middle: list[tuple[int, int]] = []
    i, j = len(a) - 1, len(b) - 1
    while i >= 0 and j >= 0:
        if rows[j] >> i & 1:
            i -= 1
        elif j and not rows[j - 1] >> i & 1:
            j -= 1
        else:
            middle.append((start + i, start + j))
            i, j = i - 1, j - 1
    tail = [(len(one) - k, len(other) - k) for k in range(end, 0, -1)]
    return [(k, k) for k in range(start)] + middle[::-1] + tail


def shared_letters(one: str, other: str) -> int:
    """How many letters a longest common subsequence has, as in `common`.

    >>> shared_letters("Gesell", "Gestell")
    6
    """
    last = deque(_rows(one, other), maxlen=1)
    return len(one) - last[0].bit_count() if last else 0


def _rows(one: Sequence[str], other: Sequence[str]) -> Iterator[int]:
    """The bit vectors, one for each element of ``other``: a bit of ``one`` is 0 where the subsequence gets longer."""
    places: dict[str, int] = {}
    for i, each in enumerate(one):
        places[each] = places.get(each, 0) | 1 << i
    full = row = (1 << len(one)) - 1
    for each in other:
        met = row & places.get(each, 0)
        row = (row + met | row - met) & full
        yield row
