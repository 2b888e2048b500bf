"""What can be had without the source, and how good the systems are beyond it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from kontrast.analysis.artefacts import artefacts
from kontrast.reporting.analysis import artefact_sections
from kontrast.reporting.judged import Judged
from kontrast.reporting.section import Section

PLACE = 65
_LEAST = 50
"""Decisions below which an artefact is not told from chance."""


def sections(judged: Judged) -> Iterator[Section]:
    """From the suite and the score files alone; `kontrast artefacts` can add a model that never saw the source."""
    if judged.first.items < _LEAST:
        return
    # Which files belong to the suite was decided before.
    bare = [msgspec.structs.replace(scores, signature=None) for scores in judged.systems]
    found = artefacts(judged.suite, bare, unit=judged.first.unit)
    yield from artefact_sections(msgspec.structs.replace(found, notes=()))
