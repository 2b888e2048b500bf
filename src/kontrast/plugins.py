"""What other packages add: entry points of the groups ``kontrast.formats``, ``kontrast.testsets`` and so on.

A package declares ``NAME = "its.module"`` in such a group of its ``pyproject.toml``. Names are known without an
import; a module is imported when it is used. One that cannot be imported, or lacks what its group asks for, is named
on standard error and passed over. Two of one name are refused: nobody could say which of them made a number.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from kontrast.errors import KontrastError

NEEDED = {
    "formats": ("FORMAT",),
    "testsets": ("TESTSET",),
    "engines": ("load",),
    "metrics": ("load",),
    "sections": ("PLACE", "sections"),
    "languages": (),
}
"""The groups, and what the module of each has to have. A language's module has ``NAME.toml`` beside it."""


def plugin_names(group: str, taken: Collection[str] = ()) -> list[str]:
    """The names that other packages add to a group. ``taken`` are those of kontrast itself."""
    names: list[str] = []
    for point in _points(group):
        if point.name in taken or point.name in names:
            owners = [plugin_package(group, point.name)] if point.name not in taken else ["kontrast"]
            owners += [_package(each) for each in _points(group) if each.name == point.name]
            told = " and ".join(dict.fromkeys(owners))
            raise KontrastError(f"{told} both add {point.name!r} to kontrast.{group}: uninstall one of them")
        names.append(point.name)
    return names


def plugin_package(group: str, name: str) -> str:
    """The package and its version that adds this name."""
    return next(_package(point) for point in _points(group) if point.name == name)


@cache
def loaded_plugin(group: str, name: str) -> ModuleType | None:
    """The module that a package adds under this name; None, and a line on standard error, where it is broken."""
    point = next(point for point in _points(group) if point.name == name)
    try:
        module: Any = point.load()
        if missing := [each for each in NEEDED[group] if not hasattr(module, each)]:
            raise AttributeError(f"{point.value} has no {' and no '.join(missing)}")
        if group == "languages" and not Path(module.__file__).with_name(f"{name}.toml").is_file():
            raise FileNotFoundError(f"there is no {name}.toml in the folder of {point.value}")
    except Exception as error:  # anything may happen in code of others
        told = f"the plug-in {name!r} (kontrast.{group}, {_package(point)}) is left out"
        print(f"kontrast: warning: {told}: {type(error).__name__}: {error}".splitlines()[0], file=sys.stderr)
        return None
    found: ModuleType = module
    return found


@cache
def _points(group: str) -> tuple[EntryPoint, ...]:
    """A package that is found twice on the path counts once."""
    found = {(point.name, point.value, _package(point)): point for point in entry_points(group=f"kontrast.{group}")}
    return tuple(found[key] for key in sorted(found))


def _package(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value
