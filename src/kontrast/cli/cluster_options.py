"""The options of commands that can run on a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

__all__ = ["cluster_options"]


def cluster_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--on`` and ``--workers``."""
    command = click.option(
        "--workers", type=click.IntRange(1), help="With --on: workers [as many as the cluster has cores for]."
    )(command)
    return click.option(
        "--on", metavar="ray[:ADDRESS]", help="Run on a Ray cluster (ray: one of this machine; docs/scale.md)."
    )(command)
