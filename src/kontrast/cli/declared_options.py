"""Options of a command: those of the families that declare them, and its own from ``data/options.toml``."""

import math
import os
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin

import click

from kontrast import defaults as shared
from kontrast.options import Declared, declared, read_names

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class _Number(click.FloatRange):
    """A number, of a range or any; "nan" is none, though it is not outside any range."""

    def __init__(self, least: float | None = None, most: float | None = None) -> None:
        super().__init__(least, most)
        self.name = "float" if (least, most) == (None, None) else self.name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        if math.isnan(found):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return found

    def _describe_range(self) -> str:
        return "" if self.name == "float" else super()._describe_range()


_TYPES = {"float": _Number(), "text": str, "path": click.Path()}


def command_options(words: str, *families: Decorator) -> Decorator:
    """Add the command's own options, and those of ``families`` where "…" stands, else last."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        own = _own_options().get(words, {})
        for spellings, told in reversed((own if "…" in own else {**own, "…": ""}).items()):
            for decorator in reversed(families) if spellings == "…" else [_own_option(spellings, told)]:
                function = decorator(function)
        return function

    return add


@cache
def _own_options() -> dict[str, dict[str, Any]]:
    return tomllib.loads((Path(__file__).parents[1] / "data" / "options.toml").read_text("utf-8"))


def _own_option(spellings: str, told: str | dict[str, Any]) -> Decorator:
    how: dict[str, Any] = {"help": told} if isinstance(told, str) else dict(told)
    if str(default := how.get("default")).isupper():
        default = how["default"] = {**vars(shared), "NONE": None, "CORES": os.cpu_count() or 1}[str(default)]
        how["default"] = ",".join(default) if isinstance(default, tuple) else default
    if isinstance(default, float):
        how["type"] = _Number()
    if "choices" in how:
        how["type"] = click.Choice(how.pop("choices"))
    for name, kind in (("integer", click.IntRange), ("float", _Number)):
        if name in how:
            how["type"] = kind(*how.pop(name))
    if "types" in how:
        how |= {"nargs": len(how["types"]), "type": tuple(_TYPES[name] for name in how.pop("types"))}
    return click.option(*spellings.split(), **{"show_default": "default" in how, **how})


def declared_options(
    *families: type,
    only: Collection[str] = (),
    without: Collection[str] = (),
    defaults: bool = True,
    first: Sequence[str] = (),
    help: Mapping[str, str] | None = None,
) -> Decorator:
    """Add an option for each field that says what it is: all, ``only`` some, or all ``without`` some.

    Those that people use most stand ``first``.

    Without ``defaults`` an option that is not given is None. ``help`` has what else this command says of some.
    """

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        chosen = [each for family in families for each in declared(family).values() if each.name not in without]
        chosen.sort(key=lambda each: first.index(each.name) if each.name in first else len(first))
        for each in reversed(chosen):
            if not only or each.name in only:
                said = (help or {}).get(each.name, each.help)
                function = _option(each._replace(help=said), defaults)(function)
        return function

    return add


def _option(each: Declared, defaults: bool) -> Decorator:
    kinds = [kind for kind in get_args(each.kind) or [each.kind] if kind is not NoneType]
    how: dict[str, Any] = {"help": each.help, "metavar": each.metavar or None}
    names = [name for name in each.more_names if "/" in name] or [f"--{each.name.replace('_', '-')}"]
    if kinds[0] is bool:
        how |= {"is_flag": True, "default": each.default}
    elif each.default in ((), {}) and each.read is not read_names:
        how |= {"multiple": True}
    if choices := each.choices or _choices(each.kind):
        how |= {"type": click.Choice(choices)}
    elif each.read is None and kinds[0] in (int, float):
        how |= {"type": _number(kinds[0], *each.range)}
    if defaults and kinds[0] is not bool and each.default not in (None, "", (), {}):
        between = ":" if each.metavar == "A:B" else ","
        shown = each.default
        if isinstance(shown, tuple):
            shown = between.join(f"{part:g}" if isinstance(part, float) else str(part) for part in shown)
        how |= {"default": shown, "show_default": bool(shown)}
    return click.option(*names, *(name for name in each.more_names if "/" not in name), each.name, **how)


def _choices(kind: Any) -> tuple[str, ...]:
    """The words of a ``Literal`` in this type, if they are all that is taken."""
    if get_origin(kind) is Literal:
        return get_args(kind)
    inner = [part for part in get_args(kind) if part is not NoneType]
    return _choices(inner[0]) if len(inner) == 1 else ()


def _number(kind: type, least: float | None, most: float | None) -> Any:
    if kind is float:
        return _Number(least, most)
    return kind if least is None and most is None else click.IntRange(least, most)  # type: ignore[arg-type]


def model_options(*families: type, first: Sequence[str] = (), help: Mapping[str, str] | None = None) -> Decorator:
    """The options of a command that runs a model. Its store is in use unless ``--no-store`` says otherwise."""

    def taken(context: click.Context, _: click.Parameter, value: str | None) -> str | bool:
        return not context.meta.get("kontrast.no_store") and (value or True)

    def refused(context: click.Context, _: click.Parameter, value: bool) -> None:
        context.meta["kontrast.no_store"] = value

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        more: dict[str, Any] = {"is_flag": True, "is_eager": True, "expose_value": False, "callback": refused}
        function = click.option("--no-store", help="Do not use the score cache.", **more)(function)
        function = declared_options(*families, first=first, help=help)(function)
        [store] = [each for each in function.__click_params__ if each.name == "store"]  # type: ignore[attr-defined]
        store.callback = taken
        return function

    return add
