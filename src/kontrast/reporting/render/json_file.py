"""A report as JSON: the records behind it, and its sections with plain rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from kontrast.reporting.section import Section, plain_rows

if TYPE_CHECKING:
    from kontrast.reporting.report import Report


def files(made: Report, path: Path) -> dict[Path, str]:
    """One file."""
    return {path: msgspec.json.format(msgspec.json.encode(as_dict(made)), indent=1).decode() + "\n"}


def as_dict(made: Report) -> dict[str, Any]:
    """The report without its charts."""
    plain: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode(
            {
                "suite": made.suite,
                "systems": made.systems,
                "verdict": made.verdict,
                "evaluations": made.evaluations,
                "comparison": made.comparison,
                "gates": made.gates,
                "sections": [_section(section) for section in made.sections],
            }
        )
    )
    return plain


def _section(section: Section) -> dict[str, Any]:
    return {
        "name": section.name,
        "title": section.title,
        "text": list(section.text),
        "caption": section.table.caption if section.table else None,
        "rows": plain_rows(section.table) if section.table else [],
        "verbatim": list(section.verbatim),
    }
