"""Lines of a command that quote data: control characters in them do not reach the terminal."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

from kontrast.defaults import SEED
from kontrast.reporting.terminal import clean


def echo(message: str = "", *, err: bool = False, **style: Any) -> None:
    """Print a line; ``style`` is what `click.style` takes.

    >>> echo("one \\x1b]0;title\\x07 line")
    one �]0;title� line
    """
    click.secho(clean(message), err=err, **style)


def told_next(command: str, *arguments: str) -> None:
    """The command that one wants to run now, to be copied."""
    import shlex

    echo(f"next: kontrast {command} {' '.join(map(shlex.quote, arguments))}", err=True)


def next_suite(suite: str, limit: int | None, seed: int = SEED) -> str:
    """The suite as the next command takes it, with the part that was scored.

    >>> next_suite("demo:de", 20), next_suite("demo:de?only=distance=1", None)
    ('demo:de?limit=20', 'demo:de?only=distance=1')
    """
    if limit is None:
        return suite
    return f"{suite}{'&' if '?' in suite else '?'}limit={limit}{f'&seed={seed}' if seed != SEED else ''}"


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


class LastingOutput(io.FileIO):
    """A stream that nobody has to read: a run goes on where its messages cannot be written (``2>&1 | head``)."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data) or 0
        except OSError:
            return len(data)


def no_more_output() -> None:
    """What is left in the buffer cannot be written: a flush at exit must not complain."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
