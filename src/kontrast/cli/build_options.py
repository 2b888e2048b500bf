"""What the recipes of ``kontrast build`` share: two files with the same sentences, and ``--on``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from kontrast.errors import KontrastError

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def corpus_arguments(target: str = "target") -> Decorator:
    """Add SOURCE and TARGET, in this order; the hidden options ``--source`` and ``--target`` give them as well."""

    def keep(context: click.Context, option: click.Parameter, value: str | None) -> None:
        context.meta[f"kontrast.{option.name}"] = value

    def taken(context: click.Context, argument: click.Parameter, value: str | None) -> str:
        found = value or context.meta[f"kontrast.named_{argument.name}"]
        if found is None:
            raise KontrastError("give two files with the same sentences: the source, then its translation")
        return str(found)

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for name, shown in (("target", target), ("source", "source")):
            how: dict[str, Any] = {"hidden": True, "is_eager": True, "expose_value": False, "callback": keep}
            function = click.option(f"--{shown}", f"named_{name}", **how)(function)
            function = click.argument(name, metavar=shown.upper(), required=False, callback=taken)(function)
        return function

    return add


def on_text(what: str) -> Decorator:
    """``--on`` of commands that build on a system's translations, too: a cluster, or where the translations are."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        workers = click.option("--workers", type=click.IntRange(1), help="With --on ray: workers [one a core].")
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
