"""A gate's failures as GitHub shows them beside a change: workflow commands, one line each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kontrast.judging.records import Gate

ITEMS = 8
"""GitHub shows ten annotations of a step: the rules, and so many items."""


def github_annotations(result: Gate) -> Iterator[str]:
    """``::error`` for rules that failed and the first items behind them, ``::warning`` for what is not decided."""
    failed = [check for check in result.checks if not check.passed and not check.skipped]
    for check in failed:
        yield _command("error", f"kontrast gate: {check.on}: {check.rule}", check.message)
    shown = {item.item: item for check in failed for item in check.items}
    for item in list(shown.values())[:ITEMS]:
        told = f"{item.source}\nexpected: {item.expected}\nfound: {item.found}"
        yield _command("error", f"{item.item} [{item.phenomenon}]", told)
    for check in result.checks:
        if check.skipped:
            yield _command("warning", f"not decided: {check.on}: {check.rule}", check.message)


def _command(level: str, title: str, text: str) -> str:
    r"""
    >>> _command("error", "a: b, c", "50%\nof items")
    '::error title=a%3A b%2C c::50%25%0Aof items'
    """
    return f"::{level} title={_escaped(title).replace(':', '%3A').replace(',', '%2C')}::{_escaped(text)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
