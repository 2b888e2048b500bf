"""Lines of a command that quote data: control characters in them do not reach the terminal."""

from __future__ import annotations

import sys
from typing import Any

import click

from kontrast.reporting.terminal import clean

__all__ = ["echo", "echo_as_it_is"]


def echo(message: str = "", *, err: bool = False, **style: Any) -> None:
    """Print a line; ``style`` is what `click.style` takes.

    >>> echo("one \\x1b]0;title\\x07 line")
    one �]0;title� line
    """
    click.secho(clean(message), err=err, **style)


def echo_as_it_is(text: str) -> None:
    """Print text byte for byte into a file or pipe, and without control characters on a terminal."""
    click.echo(clean(text) if sys.stdout.isatty() else text, nl=False)
