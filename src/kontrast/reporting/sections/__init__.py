"""The sections of a report, one file each: ``PLACE`` is where it stands, ``sections(judged)`` gives it.

A file in this folder is all that a new section needs. Other packages add theirs: entry points ``kontrast.sections``.
"""

import importlib
import pkgutil
from typing import Any

import msgspec

from kontrast.plugins import loaded_plugin, plugin_names
from kontrast.reporting.judged import Judged
from kontrast.reporting.section import Section


def all_sections(judged: Judged) -> tuple[Section, ...]:
    """Every section that has something to say about these systems, in order."""
    own = [m.name for m in pkgutil.iter_modules(__path__)]
    modules: list[Any] = [importlib.import_module(f"{__name__}.{name}") for name in own]
    modules += [found for name in plugin_names("sections", own) if (found := loaded_plugin("sections", name))]
    made = [section for module in sorted(modules, key=lambda m: m.PLACE) for section in module.sections(judged)]
    taken: dict[str, int] = {}
    unique = []
    for section in made:
        taken[section.name] = taken.get(section.name, 0) + 1
        name = section.name if taken[section.name] == 1 else f"{section.name}-{taken[section.name]}"
        unique.append(msgspec.structs.replace(section, name=name))
    return tuple(unique)
