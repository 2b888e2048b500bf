"""Progress of long work on standard error: a bar on a terminal, silence in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Advance = Callable[[int], None]
"""Called with the number of units just finished."""


def say(text: str) -> None:
    """A line on standard error."""
    print(f"kontrast: {text}", file=sys.stderr, flush=True)


@contextmanager
def progress(
    label: str, total: int | None = None, unit: str = "rows", status: Callable[[], str] | None = None
) -> Iterator[Advance]:
    """Show a bar with rate and time left while the block runs, and what ``status`` says.

    >>> with progress("scoring", 10) as advance:
    ...     advance(10)
    """
    if not sys.stderr.isatty():
        yield lambda n: None
        return
    from rich import progress as shown
    from rich.console import Console
    from rich.text import Text

    class Rate(shown.ProgressColumn):
        def render(self, task: shown.Task) -> Text:
            return Text(rate(1, 1 / task.speed, unit) if task.speed else "", style="dim")

    class Status(shown.ProgressColumn):
        def render(self, task: shown.Task) -> Text:
            return Text(status() if status else "", style="dim")

    amounts: tuple[shown.ProgressColumn, ...] = (shown.MofNCompleteColumn(), Rate())
    if unit == "bytes":
        amounts = (shown.DownloadColumn(), shown.TransferSpeedColumn())
    columns = (
        shown.TextColumn("{task.description}"),
        shown.BarColumn(),
        *amounts,
        shown.TimeElapsedColumn(),
        shown.TimeRemainingColumn(),
        Status(),
    )
    with shown.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda n: bar.advance(task, n)


def rate(number: float, seconds: float, unit: str) -> str:
    """Work by time, with as many digits as say something.

    >>> rate(3500, 2, "targets"), rate(7, 10, "requests"), rate(1, 50, "requests")
    ('1,750 targets/s', '0.7 requests/s', '1.2 requests/min')
    """
    each = number / max(seconds, 1e-9)
    if each < 0.1:
        return f"{60 * each:.1f} {unit}/min"
    return f"{each:,.1f} {unit}/s" if each < 10 else f"{each:,.0f} {unit}/s"
