"""CTXPro's layout: the sentences before each item's own on one line, joined by blanks, at most ten.

``NAME.context.LANG`` for each side; the original prints one side at a time.
"""

from __future__ import annotations

from collections.abc import Callable

from kontrast.errors import InputError, MissingExtraError
from kontrast.suites.layouts import Columns, Request
from kontrast.suites.model import Suite


def columns(suite: Suite, request: Request) -> Columns:
    sides: tuple[list[str], list[str]] = ([], [])
    size = _words if request.spm is None else _pieces(request.spm)
    for item in suite.items:
        source, target, place = request.located(item)
        for lines, found in zip((source, target), sides, strict=True):
            before = lines[max(0, place - request.context) : place]
            found.append(" ".join(_within(before, request.tokens, size)))
    return {
        f"{request.name}.context.{language}": lines
        for language, lines in zip((request.source, request.target), sides, strict=True)
    }


def _words(line: str) -> int:
    return len(line.split())


def _pieces(path: str) -> Callable[[str], int]:
    """How many pieces a SentencePiece model makes of a line."""
    try:
        from sentencepiece import SentencePieceProcessor
    except ImportError as error:
        raise MissingExtraError("ct2", "--spm: counting pieces") from error
    try:
        model = SentencePieceProcessor(model_file=path)
    except (OSError, RuntimeError) as error:
        raise InputError(path, "expected a SentencePiece model") from error
    return lambda line: len(model.encode(line))


def _within(lines: list[str], tokens: int | None, size: Callable[[str], int] = _words) -> list[str]:
    """Without the oldest while they are too long; the original takes two off too few for each line it drops.

    >>> [_within(["a b c", "d", "e f"], tokens) for tokens in (6, 7, 9)]
    [[], ['d', 'e f'], ['a b c', 'd', 'e f']]
    """
    lines = [line.strip() for line in lines]
    length = sum(size(line) + 1 for line in lines)
    while tokens is not None and length > tokens and lines:
        length -= size(lines.pop(0)) - 1
    return lines
