"""Options of a command from the records that declare them."""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType
from typing import Any, Literal, get_args, get_origin

import click
import msgspec

from kontrast.options import Declared, declared

__all__ = ["record_options"]


def record_options(
    *records: type[msgspec.Struct], defaults: bool = True
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add an option for each field that says what it is; without ``defaults`` one that is not given is None."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for record in reversed(records):
            for each in reversed(declared(record).values()):
                function = _option(each, defaults)(function)
        return function

    return add


def _option(each: Declared, defaults: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    kinds = [kind for kind in get_args(each.kind) or [each.kind] if kind is not NoneType]
    how: dict[str, Any] = {"help": each.help, "metavar": each.metavar or None}
    if each.kind is bool:
        how |= {"is_flag": True}
    elif each.default == () and each.read is None:
        how |= {"multiple": True}
    elif get_origin(each.kind) is Literal:
        how |= {"type": click.Choice(get_args(each.kind))}
    elif each.read is None and kinds[0] in (int, float):
        how |= {"type": kinds[0]}
    if defaults and each.default not in (None, "", (), False):
        between = ":" if each.metavar == "A:B" else ","
        shown = each.default
        if isinstance(shown, tuple):
            shown = between.join(f"{part:g}" if isinstance(part, float) else str(part) for part in shown)
        how |= {"default": shown, "show_default": True}
    return click.option(f"--{each.name.replace('_', '-')}", *each.more_names, each.name, **how)
