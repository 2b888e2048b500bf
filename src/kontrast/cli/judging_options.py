"""The options that every command which judges scores shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from kontrast.defaults import LEVEL, RESAMPLES, SEED

__all__ = ["JUDGING", "RESAMPLING", "items_option", "options", "runs_option"]

JUDGING = ("by", "ties", "epsilon", "unit", "level", "allow")
"""Names that go unchanged into the Python functions."""
RESAMPLING = (*JUDGING, "resamples", "seed")
"""Of commands that compare systems, whose permutation test resamples."""

_OPTIONS = {
    "by": click.option(
        "--by", multiple=True, metavar="TAG[:RULE][,TAG]", help="Also by tag: distance, frequency:log …"
    ),
    "ties": click.option(
        "--ties",
        type=click.Choice(["report", "wrong", "right", "first"]),
        default="report",
        show_default=True,
        help="Credit for a k-way tie: 1/k, 0, 1, or 1 if the right variant is the first.",
    ),
    "epsilon": click.option(
        "--epsilon",
        type=float,
        default=0.0,
        metavar="X",
        help="Scores within X of each other tie. Not to be chosen on the set that it is reported on.",
    ),
    "unit": click.option(
        "--unit", type=click.Choice(["item", "pair"]), help="What a decision is. Default: the suite's own."
    ),
    "level": click.option(
        "--level",
        type=click.FloatRange(0.5, 0.9999),
        default=LEVEL,
        show_default=True,
        help="Confidence level of the intervals.",
    ),
    "resamples": click.option(
        "--resamples",
        type=click.IntRange(100),
        default=RESAMPLES,
        show_default=True,
        help="Number of resamples, for tests that resample.",
    ),
    "seed": click.option("--seed", type=click.IntRange(0), default=SEED, show_default=True, help="Random seed."),
    "allow": click.option(
        "--allow",
        multiple=True,
        type=click.Choice(["suite", "normalise", "direction"]),
        help="Take scores although their signatures differ in this.",
    ),
    "from": click.option("--from", "format", metavar="FORMAT", help="The suite's format, if it is not recognised."),
    "json": click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
}


items_option = click.option(
    "--items", metavar="FILE", help="Write a JSON line per decision: each system's verdict, margin and scores."
)

runs_option = click.option(
    "--runs",
    type=click.Choice(["seeds", "fixed", "checkpoints"]),
    default="seeds",
    show_default=True,
    help="What NAME=FILE,FILE,… are: a sample of seeds, just these runs, or steps of one training.",
)


def options(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add those of these names, in this order."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed(names):
            function = _OPTIONS[name](function)
        return function

    return add
