"""The input of a recipe: SOURCE and TARGET, two files with the same sentences, in this order in every recipe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from kontrast.errors import KontrastError


def corpus_arguments(target: str = "target") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add both; the options ``--source`` and ``--target`` (or another name), hidden, are taken as well."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        function = click.option(f"--{target}", "named_target", hidden=True)(function)
        function = click.option("--source", "named_source", hidden=True)(function)
        function = click.argument("target", metavar=target.upper(), required=False)(function)
        return click.argument("source", metavar="SOURCE", required=False)(function)

    return add


def both_files(
    source: str | None, target: str | None, named_source: str | None, named_target: str | None
) -> tuple[str, str]:
    """The two files, however they were given."""
    source, target = source or named_source, target or named_target
    if source is None or target is None:
        raise KontrastError("give two files with the same sentences: the source, then its translation")
    return source, target
