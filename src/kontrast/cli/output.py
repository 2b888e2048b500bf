"""Lines of a command that quote data: control characters in them do not reach the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

from kontrast.reporting.terminal import clean

__all__ = ["echo", "echo_as_it_is", "ending_with", "no_more_output"]


def echo(message: str = "", *, err: bool = False, **style: Any) -> None:
    """Print a line; ``style`` is what `click.style` takes.

    >>> echo("one \\x1b]0;title\\x07 line")
    one �]0;title� line
    """
    click.secho(clean(message), err=err, **style)


def echo_as_it_is(text: str) -> None:
    """Print text byte for byte into a file or pipe, and without control characters on a terminal."""
    click.echo(clean(text) if sys.stdout.isatty() else text, nl=False)


@contextmanager
def ending_with(status: int) -> Iterator[None]:
    """Print a result that is known; the command ends with its status, also where a reader (head) closes the pipe."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        no_more_output()
    sys.exit(status)


def no_more_output() -> None:
    """What is left in the buffer cannot be written: a flush at exit must not complain."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
