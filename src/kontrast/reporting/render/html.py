"""The HTML page: one file that requests nothing, light and dark, for screens, phones and paper."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from kontrast.extras import jinja2
from kontrast.judging.wording import counted
from kontrast.reporting.figures import PALETTE, to_svg
from kontrast.reporting.section import (
    Cell,
    Column,
    Estimate,
    MarkedText,
    Question,
    Section,
    Table,
    cell_text,
    for_people,
    items_of,
)
from kontrast.reporting.terms import parts as explained
from kontrast.reporting.terms import used

if TYPE_CHECKING:
    from kontrast.reporting.report import Report


def files(made: Report, path: Path) -> dict[Path, str]:
    """One file."""
    first = made.evaluations.systems[0]
    facts = [made.languages, counted(first.items, first.unit), counted(len(made.systems), "system")]
    parts = [_part_of(made, question) for question in QUESTIONS]
    text = page(
        "template.html.j2",
        lstrip_blocks=True,
        title=made.suite,
        subtitle=" · ".join(fact for fact in facts if fact),
        verdict=made.verdict,
        js=_part("script.js"),
        parts=[part for part in parts if part["sections"] or part["figures"] or part["folded"]],
        systems=made.systems,
        terms=used(parts),
        explained=lambda text: list(explained(text)),
    )
    return {path: text}


def page(template: str, *, lstrip_blocks: bool = False, **content: Any) -> str:
    """A page from a template of this folder, with the style sheet of all pages."""
    made = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=lstrip_blocks)
    text: str = made.from_string(_part(template)).render(css=style_sheet(), **content)
    return text


QUESTIONS: dict[Question, str] = {
    "good": "How good?",
    "changed": "What changed?",
    "where": "Where?",
    "items": "Which items?",
    "trust": "Can I trust it?",
}


def _part_of(made: Report, question: Question) -> dict[str, Any]:
    """All that answers one question: sections, figures, and tables to open."""
    from kontrast.reporting.report import figure_caption

    own = [section for section in made.sections if section.question == question]
    return {
        "name": question,
        "title": QUESTIONS[question],
        "sections": [_section(s, made.systems) for s in own if _is_shown(s)],
        "figures": [
            {"name": s.name, "title": s.title, "caption": figure_caption(made, s), "svg": to_svg(s.figure.draw())}
            for s in own
            if s.figure is not None
        ],
        "folded": [_section(s, made.systems) for s in own if s.folded and s.table is not None],
    }


def _is_shown(section: Section) -> bool:
    """Tables for programs alone are not on the page."""
    return not section.folded and not (section.data and not section.items and not section.text)


def _section(section: Section, systems: tuple[str, ...]) -> dict[str, Any]:
    shown: dict[str, Any] = {name: getattr(section, name) for name in ("name", "title", "text", "verbatim")}
    shown["table"] = _table(section.table, systems) if section.table is not None and not section.data else None
    shown["items"] = _items(section, systems) if section.items else None
    return shown


def _table(table: Table, systems: tuple[str, ...]) -> dict[str, Any]:
    """Cells with what the page needs to draw them: text, interval, bar, star, colour."""
    items = [items_of(table, row) for row in table.rows]
    table = for_people(table)
    rows = [
        [_cell(column, cell, n, row, systems) for column, cell in zip(table.columns, row, strict=True)]
        for row, n in zip(table.rows, items, strict=True)
    ]
    columns = [
        {
            "name": column.name,
            "number": column.kind not in ("text", "system") and not any("bar" in r[i] for r in rows),
        }
        for i, column in enumerate(table.columns)
    ]
    return {"columns": columns, "rows": rows, "caption": table.caption}


def _cell(
    column: Column, cell: Cell, items: int | None, row: tuple[Cell, ...], systems: tuple[str, ...]
) -> dict[str, Any]:
    shown: dict[str, Any] = {"number": column.kind not in ("text", "system"), "text": cell_text(column, cell, items)}
    if column.kind == "system" and cell in systems:
        shown["colour"] = PALETTE[systems.index(str(cell)) % len(PALETTE)]
    if isinstance(cell, MarkedText):
        shown["pieces"] = [
            {
                "text": piece.text,
                "kind": ("for" if piece.weight > 0 else "against") if piece.weight else "",
                "strength": round(100 * min(1.0, abs(piece.weight))),
                "bits": f"{piece.bits:+.2f}".replace("-", "−"),
                "marked": piece.marked,
            }
            for piece in cell.pieces
        ]
    if isinstance(cell, Estimate):
        value, _, interval = cell_text(column, msgspec.structs.replace(cell, significant=None), items).partition(" ")
        shown |= {"text": value, "interval": interval, "star": bool(cell.significant)}
        if cell.reference is not None:
            number = systems.index(str(row[0])) if row[0] in systems else 0
            ends = {"low": cell.low, "high": 1 - cell.high, "value": cell.value, "reference": cell.reference}
            bar = {name: f"{100 * share:.3f}" for name, share in ends.items()}
            shown["bar"] = {**bar, "colour": PALETTE[number % len(PALETTE)]}
    return shown


def _items(section: Section, systems: tuple[str, ...]) -> dict[str, Any]:
    data = msgspec.json.encode({"systems": systems, "items": section.items}).decode()
    return {
        "phenomena": list(dict.fromkeys(item.phenomenon for item in section.items if item.phenomenon)),
        # Text could end the script element, or a line where an old parser counts these as ends of lines.
        "json": data.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"),
    }


def style_sheet() -> str:
    """The style sheet that every page of kontrast shares."""
    return resources.files("kontrast").joinpath("data/style.css").read_text(encoding="utf-8")


def _part(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
