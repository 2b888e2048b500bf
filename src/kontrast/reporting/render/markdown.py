"""A report as Markdown: headings, text and pipe tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kontrast.reporting.section import Section, Table, for_people, row_texts
from kontrast.reporting.terminal import clean

if TYPE_CHECKING:
    from kontrast.reporting.report import Report


def files(made: Report, path: Path) -> dict[Path, str]:
    """One file."""
    parts = [f"# {_line(made.suite)}", *map(_line, made.verdict), *(_section(s) for s in made.sections if not s.data)]
    return {path: "\n\n".join(parts) + "\n"}


def _section(section: Section) -> str:
    parts = [f"## {_line(section.title)}", *map(_line, section.text)]
    if section.table is not None:
        parts += [to_markdown(section.table), *([_line(section.table.caption)] if section.table.caption else [])]
    parts += ["\n".join(f"    {line}" for line in clean(text).splitlines()) for text in section.verbatim]
    return "\n\n".join(parts)


def to_markdown(table: Table) -> str:
    """A pipe table, text left, numbers right."""
    table = for_people(table)
    head = " | ".join(_cell(column.name) for column in table.columns)
    marks = "|".join(":---" if column.kind in ("text", "system") else "---:" for column in table.columns)
    rows = (" | ".join(_cell(text) for text in row_texts(table, row)) for row in table.rows)
    return "\n".join([f"| {head} |", f"|{marks}|", *(f"| {row} |" for row in rows)])


def _line(text: str) -> str:
    """Text that stays text: neither markup nor a link, whatever a suite calls its phenomena."""
    return " ".join(clean(text).split()).translate(_ESCAPED)


_ESCAPED = {ord(mark): f"\\{mark}" for mark in "\\`[]"} | {ord("<"): "&lt;", ord("&"): "&amp;"}


def _cell(text: str) -> str:
    return _line(text).replace("|", "\\|")
