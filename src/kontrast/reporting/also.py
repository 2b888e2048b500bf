"""Results of other commands as sections of a report: what ``kontrast cues --json`` and its like printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from kontrast.analysis.artefacts import Artefacts
from kontrast.analysis.context_records import ContextUse
from kontrast.analysis.cues import Cues
from kontrast.analysis.items import Items
from kontrast.analysis.memory import Memory
from kontrast.errors import InputError
from kontrast.io.json_input import FAILURES, read_json
from kontrast.reporting.analysis import artefact_sections, item_sections
from kontrast.reporting.context import context_sections
from kontrast.reporting.cues import cue_sections
from kontrast.reporting.memory import memory_sections
from kontrast.reporting.section import Section

Analysis: TypeAlias = ContextUse | Cues | Artefacts | Items | Memory
_KINDS: tuple[tuple[str, type[Any], Callable[[Any], Iterator[Section]]], ...] = (
    ("ignored_below", ContextUse, context_sections),
    ("by_place", Cues, cue_sections),
    ("beyond", Artefacts, artefact_sections),
    ("suspects_by_chance", Items, item_sections),
    ("completed_twins", Memory, memory_sections),
)


def sections_of(given: Analysis | str | Path, suite: str) -> Iterator[Section]:
    """The sections of a result, or of the file that its command wrote with ``--json``; of this suite only."""
    result = given
    if isinstance(given, str | Path):
        result = _read(given)
    assert not isinstance(result, str | Path)
    if result.suite != suite:
        raise InputError(
            given if isinstance(given, str | Path) else type(given).__name__,
            f"is about {result.suite}, not about {suite}",
        )
    make = next(make for _, kind, make in _KINDS if isinstance(result, kind))
    yield from make(result)


def _read(path: str | Path) -> Analysis:
    expected = "expected what context, cues, artefacts, items or memory print with --json"
    try:
        plain = read_json(path, object, expected=expected.removeprefix("expected "))
        kind = next((kind for key, kind, _ in _KINDS if isinstance(plain, dict) and key in plain), None)
        if kind is None:
            raise InputError(path, expected)
        found: Analysis = msgspec.convert(plain, kind)
    except FAILURES as error:
        raise InputError(path, f"{expected} ({error})") from error
    return found
