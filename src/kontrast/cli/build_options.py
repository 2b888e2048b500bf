"""What the recipes of ``kontrast build`` share: two files with the same sentences, and ``--on``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from kontrast.errors import KontrastError

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def corpus_arguments(target: str = "TARGET") -> Decorator:
    """Add the two files of a recipe: SOURCE, then its translation, with the same sentences."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        return click.argument("source")(click.argument("target", metavar=target)(function))

    return add


def on_text(what: str) -> Decorator:
    """``--on`` of commands that build on a system's translations, too: a cluster, or where the translations are."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        workers = click.option("--workers", type=click.IntRange(1), help="With --on ray: workers [one per core].")
        told = f"Make foils on what a system wrote: {what}. ray[:ADDRESS]: run on a Ray cluster (docs/scale.md)."
        return click.option("--on", multiple=True, metavar="TRANSLATIONS|ray[:ADDRESS]", help=told)(workers(command))

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
