"""The options that every command which judges scores shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

__all__ = ["JUDGING", "judging_options"]

JUDGING = ("by", "ties", "epsilon", "unit", "level", "seed", "allow")
"""Names that go unchanged into the Python functions."""

_OPTIONS = (
    click.option("--by", multiple=True, metavar="TAG[:RULE][,TAG]", help="Also by tag: distance, frequency:log …"),
    click.option(
        "--ties",
        type=click.Choice(["report", "wrong", "right", "first"]),
        default="report",
        show_default=True,
        help="What a tie for best among k counts: 1/k, 0, 1, or what the first of them is.",
    ),
    click.option("--epsilon", type=float, default=0.0, metavar="X", help="Scores within X of each other tie."),
    click.option("--unit", type=click.Choice(["item", "pair"]), help="What a decision is. Default: the suite's own."),
    click.option(
        "--level", type=click.FloatRange(0.5, 0.9999), default=0.95, show_default=True, help="Of the intervals."
    ),
    click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="For resampling."),
    click.option(
        "--allow",
        multiple=True,
        type=click.Choice(["suite", "normalise", "direction"]),
        help="Take scores although their signatures differ in this.",
    ),
    click.option("--from", "format", metavar="FORMAT", help="The suite's format, if it is not recognised."),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
)


def judging_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add them all."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function
