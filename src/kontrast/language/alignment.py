"""What a word alignment is, whoever made it. Back ends are in ``kontrast.language.aligners``."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Protocol

import msgspec

from kontrast.errors import InputError

Links = frozenset[tuple[int, int]]
"""Pairs of word numbers (source, target), from 0."""

_WORD = re.compile(r"\w+(?:-\w+)*|[^\w\s]")


class Span(msgspec.Struct, frozen=True, gc=False):
    """A word as alignment counts them: a run of letters and digits, hyphens inside, or one other character."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=4_000)
def spans(text: str) -> tuple[Span, ...]:
    """The words of a text."""
    return tuple(Span(match.group(), match.start(), match.end()) for match in _WORD.finditer(text))


class Aligner(Protocol):
    """Aligns pairs of texts, cut into words by `spans`, in order."""

    name: str

    def align(self, pairs: Iterable[tuple[str, str]]) -> Iterator[Links]: ...


def symmetrise(forward: Iterable[tuple[int, int]], backward: Iterable[tuple[int, int]]) -> Links:
    """Grow-diag-final-and (Koehn et al. 2003) of two directed alignments, both as (source, target)."""
    one, other = set(forward), set(backward)
    union = one | other
    links = one & other
    sources, targets = {i for i, _ in links}, {j for _, j in links}
    grown = True
    while grown:
        grown = False
        for i, j in sorted(links):
            for near in ((i + di, j + dj) for di in (-1, 0, 1) for dj in (-1, 0, 1) if di or dj):
                if near in union and near not in links and (near[0] not in sources or near[1] not in targets):
                    links.add(near)
                    sources.add(near[0])
                    targets.add(near[1])
                    grown = True
    for direction in (one, other):
        for i, j in sorted(direction - links):
            if i not in sources and j not in targets:
                links.add((i, j))
                sources.add(i)
                targets.add(j)
    return frozenset(links)


def parse_links(line: str, path: str, number: int) -> Links:
    """A line in Pharaoh's form, ``0-0 1-2``."""
    try:
        if not line.isascii() or "_" in line:  # int() takes 1_0 and digits of other scripts
            raise ValueError
        return frozenset((int(a), int(b)) for a, b in (part.split("-") for part in line.split()))
    except ValueError:
        raise InputError(path, f"expected pairs such as 0-0 1-2, found {line[:40]!r}", line=number) from None


def partners(links: Links, words: Sequence[Span], start: int, end: int) -> set[int]:
    """The target words aligned to any source word that overlaps the characters from start to end."""
    inside = {i for i, word in enumerate(words) if word.start < end and word.end > start}
    return {j for i, j in links if i in inside}
