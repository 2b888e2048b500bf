"""The options that commands which run a model have in common, each with one wording."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from kontrast.errors import KontrastError

__all__ = ["asked", "engine_options", "model_options", "scoring_options"]

_OPTIONS = {
    "source": click.option(
        "--source",
        "--source-language",
        "source_language",
        metavar="LANG",
        help="Source language. Default: the suite's.",
    ),
    "target": click.option(
        "--target",
        "--target-language",
        "target_language",
        metavar="LANG",
        help="Target language. Default: the suite's.",
    ),
    "context": click.option(
        "--context",
        default="none",
        show_default=True,
        metavar="none|prev:N|next:N|tokens:N",
        help="How much context: N sentences before or after, or as many before as fit N tokens.",
    ),
    "config": click.option("--config", metavar="FILE", help="kontrast.toml with [context.NAME] schemes."),
    "control": click.option(
        "--control",
        type=click.Choice(["random", "shuffled", "other-document"]),
        help="Use a wrong context instead, to compare with.",
    ),
    "template": click.option(
        "--template", metavar="TEXT|@FILE", help="Prompt or source template; fields: {source}, {context} …"
    ),
    "device": click.option("--device", default="auto", show_default=True, help="cpu, cuda, cuda:1 … or auto."),
    "dtype": click.option(
        "--dtype", default="float32", show_default=True, help="Type of the weights: float32, bfloat16, int8 …"
    ),
    "batch-tokens": click.option(
        "--batch-tokens", default=1024, show_default=True, type=click.IntRange(1), help="Tokens per batch."
    ),
    "threads": click.option(
        "--threads", type=click.IntRange(1), help="CPU threads. Default: the library's own choice."
    ),
    "option": click.option(
        "--option", "extra", multiple=True, metavar="KEY=VALUE", help="An option of the engine (see docs/scoring.md)."
    ),
    "name": click.option("--name", "system", help="The system's name in tables."),
    "no-store": click.option("--no-store", is_flag=True, help="Do not use the score cache."),
    "limit": click.option(
        "--limit", type=click.IntRange(1), metavar="N", help="A first trial: N items, spread over the phenomena."
    ),
    "side": click.option(
        "--side", type=click.Choice(["source", "target", "both"]), help="Where the context goes [both]."
    ),
    "scheme": click.option("--scheme", help="How context is joined: space, sep … [the model's own, else space]"),
    "documents": click.option("--documents", metavar="DIR", help="Take the context from these documents."),
    "plain-template": click.option(
        "--template", metavar="TEXT|@FILE", help="Prompt or source template, as of kontrast score."
    ),
    "store": click.option(
        "--store", metavar="FILE", help="Where scores are kept [KONTRAST_STORE or the cache folder]."
    ),
}
_ON_THE_WAY = "side scheme documents source target plain-template device threads option store no-store".split()
"""Of commands that score with a model on their way to something else."""


def scoring_options(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add those of these names, in this order."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed(names):
            function = _OPTIONS[name](function)
        return function

    return add


model_options = scoring_options(*_ON_THE_WAY)


def engine_options(given: dict[str, Any]) -> dict[str, Any]:
    """``--option KEY=VALUE`` and ``--template`` as Python takes them."""
    from kontrast.scoring.template import template_text

    extra: dict[str, str] = {}
    for pair in given["extra"]:
        key, equals, value = pair.partition("=")
        if not equals:
            raise KontrastError(f"--option {pair}: expected KEY=VALUE")
        extra[key] = value
    return {"template": template_text(given["template"]), "extra": extra}


def asked(given: dict[str, Any]) -> dict[str, Any]:
    """Take these options out of ``given``, as `kontrast.score` takes them, with its store."""
    taken = engine_options(given)
    del given["extra"], given["template"]
    names = ("side", "scheme", "documents", "source_language", "target_language", "device", "threads")
    store, no_store = given.pop("store"), given.pop("no_store")
    return taken | {name: given.pop(name) for name in names} | {"store": False if no_store else store or True}
