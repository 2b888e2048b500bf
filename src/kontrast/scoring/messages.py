"""What a run tells of its model and its context, in messages and in the signature."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from contextlib import contextmanager
from pathlib import Path

import msgspec

from kontrast.progress import say
from kontrast.scoring.context import Context
from kontrast.scoring.engine import Engine, EngineOptions
from kontrast.scoring.engines.openai.choosing import FIRST, UNREAD
from kontrast.scoring.plan import Plan
from kontrast.scoring.store import StoreError
from kontrast.suites.model import Suite, TokenScores


def label_of(engine: Engine) -> str:
    """A model's name: as the user wrote it, but only the last part of a path on this machine."""
    path = Path(engine.model)
    return path.resolve().name if path.exists() else engine.model


def with_languages(options: EngineOptions, suite: Suite) -> EngineOptions:
    """Languages that the options leave open are the suite's; pairs without sources are read without a prompt."""
    template = options.template
    if template is None and suite.items and not any(item.source for item in suite.items):
        template = "{source}"
    return msgspec.structs.replace(
        options,
        template=template,
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


def votes(plan: Plan, rows: Sequence[TokenScores], samples: int, *, pairs: bool = True) -> dict[str, str]:
    """For the signature: how many votes between variants name the first, and how many could not be read, if any.

    Each question of ``pairs`` is about two rows, and what is told of its answer is a token of both (see
    `choosing.choose`); a judgement is about one.
    """
    told = [token for row in dict(zip(plan.places, rows, strict=True)).values() for token in row.tokens[1:]]
    if not pairs:
        lost = told.count(UNREAD)
        return {"unread": f"{lost}/{plan.target_count * samples}"} if lost else {}
    asked = samples * sum(len(group.targets) * (len(group.targets) - 1) for group in plan.groups)
    lost = told.count(UNREAD) // 2
    return {"first_named": f"{told.count(FIRST) // 2}/{asked - lost}"} | (
        {"unread": f"{lost}/{asked}"} if lost else {}
    )


@contextmanager
def saying_what_is_kept(found: Sized, total: int, what: str, *, stored: bool) -> Iterator[None]:
    """Where a run ends early, say first what is finished and how to go on; an error of the store says it itself."""
    try:
        yield
    except StoreError:
        raise
    except BaseException:
        if stored and found:
            say(f"{len(found):,} of {total:,} {what} are done and in the store; repeat the command to continue")
        raise


def say_context(engine: Engine, context: Context, found: dict[int, int]) -> None:
    """Say where items have less context than asked for, and where the model has no token for the separator."""
    if amounts(context, found):
        shown = ", ".join(f"{items:,} with {amount}" for amount, items in found.items())
        say(f"sentences of context ({context}): {shown}")
    mark = context.scheme.mark
    pieces = engine.cut(mark) if mark and context.span is not None else None
    if pieces is not None:
        pieces = pieces[: len(pieces) - len(engine.cut("") or ())]  # without the end token
    if pieces is not None and not any(piece.strip("\u2581\u0120 ") == mark for piece in pieces):
        unknown = sum(piece == "<unk>" for piece in pieces)
        also = f", {unknown} of them unknown" if unknown else ""
        say(
            f"the vocabulary of {label_of(engine)} has no token {mark}: the model reads "
            f"{len(pieces)} pieces{also}: {' '.join(pieces)}"
        )


def whole_takes(seconds: float, times: float) -> str:
    """How long the whole suite would take, from the time of a part.

    >>> whole_takes(2.0, 8.8), whole_takes(60, 100)
    ('the whole suite takes about 18 s', 'the whole suite takes about 1 h 40 min')
    """
    left = seconds * times
    if left < 120:
        told = f"{left:.0f} s" if left >= 1 else "1 s"
    else:
        hours, minutes = divmod(round(left / 60), 60)
        told = f"{hours} h {minutes} min" if hours else f"{minutes} min"
    return f"the whole suite takes about {told}"
