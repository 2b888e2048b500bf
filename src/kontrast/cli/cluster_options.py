"""``--on`` of commands that build suites: a Ray cluster, or a system's translations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from kontrast.errors import KontrastError


def on_text(what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """``--on`` of commands that build on a system's translations, too: a cluster, or where the translations are."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        command = click.option("--workers", type=click.IntRange(1), help="With --on ray: workers [one a core].")(
            command
        )
        told = f"Make foils on what a system wrote: {what}. ray[:ADDRESS]: run on a Ray cluster (docs/scale.md)."
        return click.option("--on", multiple=True, metavar="TRANSLATIONS|ray[:ADDRESS]", help=told)(command)

    return add


def split_on(given: tuple[str, ...]) -> dict[str, Any]:
    """The cluster and the translations among the values of ``--on``."""
    clusters = [each for each in given if each == "ray" or each.startswith("ray:")]
    texts = [each for each in given if each not in clusters]
    if len(clusters) > 1 or len(texts) > 1:
        raise KontrastError(
            f"--on: expected one cluster and one place of translations at most, found {', '.join(given)}"
        )
    return {"on": next(iter(clusters), None), "translations": next(iter(texts), None)}
