"""The argument SUITE with its option ``--only``, the same in every command that reads a suite."""

from collections.abc import Callable
from typing import Any

import click

_ONLY = "kontrast.only"


def suite_argument(name: str = "suite", **settings: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add SUITE and ``--only``: ``SUITE --only TAG=VALUE`` is ``SUITE?only=TAG=VALUE``."""

    def keep(context: click.Context, _: click.Parameter, value: tuple[str, ...]) -> None:
        context.meta[_ONLY] = ",".join(value) or None

    def join(context: click.Context, _: click.Parameter, value: str | None) -> str | None:
        only = context.meta.get(_ONLY)
        if value is None or only is None:
            return value
        return f"{value}{'&' if '?' in value else '?'}only={only.replace('&', '%26')}"

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        function = click.option(
            "--only",
            metavar="TAG=VALUE[,…]",
            multiple=True,
            is_eager=True,
            expose_value=False,
            callback=keep,
            help="Only items with these tags, such as phenomenon=negation,tense or distance=1.",
        )(function)
        return click.argument(name, callback=join, **settings)(function)

    return add
