"""What a run tells of its model and its context, in messages and in the signature."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from kontrast.scoring.context import Context
from kontrast.scoring.engine import Engine, EngineOptions
from kontrast.scoring.plan import Plan
from kontrast.suites.model import Suite, TokenScores

__all__ = ["amounts", "label_of", "say_context", "unread", "whole_takes", "with_languages"]


def label_of(engine: Engine) -> str:
    """A model's name: as the user wrote it, but only the last part of a path on this machine."""
    path = Path(engine.model)
    return path.resolve().name if path.exists() else engine.model


def with_languages(options: EngineOptions, suite: Suite) -> EngineOptions:
    """Languages that the options leave open are the suite's."""
    return msgspec.structs.replace(
        options,
        source_language=options.source_language or suite.source_language,
        target_language=options.target_language or suite.target_language,
    )


def amounts(context: Context, found: dict[int, int]) -> dict[str, str]:
    """For the signature: how many items had how much context, where not all had what was asked for.

    >>> from kontrast.scoring.context import parse_context
    >>> amounts(parse_context("prev:2"), {2: 5, 1: 3})
    {'sentences': '5x2+3x1'}
    """
    if set(found) <= {context.wanted}:
        return {}
    return {"sentences": "+".join(f"{items}x{amount}" for amount, items in found.items())}


def unread(plan: Plan, rows: Sequence[TokenScores]) -> str:
    """For the signature: how many of the votes between variants could not be read; nothing where all could.

    A row of votes has its text as its first token, and another token for each question about it without an answer.
    """
    lost = sum(len(row.tokens) - 1 for row in dict(zip(plan.places, rows, strict=True)).values()) // 2
    asked = sum(len(group.targets) * (len(group.targets) - 1) for group in plan.groups)
    return f"{lost}/{asked}" if lost else ""


def say_context(engine: Engine, context: Context, found: dict[int, int]) -> None:
    """Say where items have less context than asked for, and where the model has no token for the separator."""
    if amounts(context, found):
        shown = ", ".join(f"{items:,} with {amount}" for amount, items in found.items())
        print(f"kontrast: sentences of context ({context}): {shown}", file=sys.stderr)
    mark = context.scheme.mark
    pieces = engine.cut(mark) if mark and context.span is not None else None
    if pieces is not None and not any(piece.strip("\u2581\u0120 ") == mark for piece in pieces):
        unknown = sum(piece == "<unk>" for piece in pieces)
        also = f", {unknown} of them unknown" if unknown else ""
        print(
            f"kontrast: the vocabulary of {label_of(engine)} has no token {mark}: the model reads "
            f"{len(pieces)} pieces{also}: {' '.join(pieces)}",
            file=sys.stderr,
        )


def whole_takes(seconds: float, times: float) -> str:
    """How long the whole suite would take, from the time of a part.

    >>> whole_takes(2.0, 8.8), whole_takes(60, 100)
    ('the whole suite: about 18 s', 'the whole suite: about 1 h 40 min')
    """
    left = seconds * times
    if left < 120:
        told = f"{left:.0f} s" if left >= 1 else "1 s"
    else:
        hours, minutes = divmod(round(left / 60), 60)
        told = f"{hours} h {minutes} min" if hours else f"{minutes} min"
    return f"the whole suite: about {told}"
