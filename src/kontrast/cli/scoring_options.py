"""The options of commands that score with a model on their way to something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from kontrast.errors import KontrastError

__all__ = ["asked", "model_options"]

_OPTIONS = (
    click.option("--side", type=click.Choice(["source", "target", "both"]), help="Where the context goes [both]."),
    click.option("--scheme", help="How context is joined: space, sep … [the model's own, else space]"),
    click.option("--documents", metavar="DIR", help="Take the context from these documents."),
    click.option(
        "--source",
        "--source-language",
        "source_language",
        metavar="LANG",
        help="Source language. Default: the suite's.",
    ),
    click.option(
        "--target",
        "--target-language",
        "target_language",
        metavar="LANG",
        help="Target language. Default: the suite's.",
    ),
    click.option("--template", metavar="TEXT|@FILE", help="Prompt or source template, as of kontrast score."),
    click.option("--device", default="auto", show_default=True, help="cpu, cuda, cuda:1 … or auto."),
    click.option("--threads", type=click.IntRange(1), help="CPU threads. Default: the library's own choice."),
    click.option(
        "--option", "extra", multiple=True, metavar="KEY=VALUE", help="An option of the engine (see docs/scoring.md)."
    ),
    click.option("--store", metavar="FILE", help="Where scores are kept [KONTRAST_STORE or the cache folder]."),
    click.option("--no-store", is_flag=True, help="Keep nothing, look nothing up."),
)


def model_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add them all, below those of the command."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def asked(given: dict[str, Any]) -> dict[str, Any]:
    """Take these options out of ``given``, as `kontrast.score` takes them, with its store."""
    from kontrast.scoring.template import template_text

    extra: dict[str, str] = {}
    for pair in given.pop("extra"):
        key, equals, value = pair.partition("=")
        if not equals:
            raise KontrastError(f"--option {pair}: expected KEY=VALUE")
        extra[key] = value
    names = ("side", "scheme", "documents", "source_language", "target_language", "device", "threads")
    store, no_store = given.pop("store"), given.pop("no_store")
    return {name: given.pop(name) for name in names} | {
        "template": template_text(given.pop("template")),
        "extra": extra,
        "store": False if no_store else store or True,
    }
