"""CTXPro's layout: the sentences before each item's own on one line, joined by blanks, at most ten.

``NAME.context.LANG`` for each side; the original prints one side at a time.
"""

from __future__ import annotations

from kontrast.suites.layouts import Columns, Request
from kontrast.suites.model import Suite


def columns(suite: Suite, request: Request) -> Columns:
    sides: tuple[list[str], list[str]] = ([], [])
    for item in suite.items:
        source, target, place = request.located(item)
        for lines, found in zip((source, target), sides, strict=True):
            found.append(" ".join(_within(lines[max(0, place - request.context) : place], request.tokens)))
    return {
        f"{request.name}.context.{language}": lines
        for language, lines in zip((request.source, request.target), sides, strict=True)
    }


def _within(lines: list[str], tokens: int | None) -> list[str]:
    """Without the oldest while there are too many words; the original takes two off too few for each line it drops.

    >>> [_within(["a b c", "d", "e f"], tokens) for tokens in (6, 7, 9)]
    [[], ['d', 'e f'], ['a b c', 'd', 'e f']]
    """
    lines = [line.strip() for line in lines]
    length = sum(len(line.split()) + 1 for line in lines)
    while tokens is not None and length > tokens and lines:
        length -= len(lines.pop(0).split()) - 1
    return lines
