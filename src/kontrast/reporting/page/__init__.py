"""The HTML page: one file, no request to anywhere, light and dark, for screens, phones and paper."""

from __future__ import annotations

from importlib import resources
from typing import Any

import msgspec

from kontrast.errors import MissingExtraError
from kontrast.judging.records import Evaluation
from kontrast.reporting.figures import PALETTE, to_svg
from kontrast.reporting.report import Report, percent

__all__ = ["page", "style_sheet"]


def page(made: Report) -> str:
    """The whole page as text."""
    try:
        from jinja2 import Environment
    except ImportError as error:
        raise MissingExtraError("report", "writing an HTML report") from error
    template = Environment(autoescape=True, trim_blocks=True).from_string(_part("template.html.j2"))
    suite = made.suite
    languages = "→".join(code for code in (suite.source_language, suite.target_language) if code)
    unit = "pairs" if made.evaluations.systems[0].unit == "pair" else "items"
    first = made.evaluations.systems[0]
    facts = [languages, f"{first.items:,} {unit}", f"{len(made.systems)} system{'s' * (len(made.systems) > 1)}"]
    text: str = template.render(
        title=suite.name,
        subtitle=" · ".join(fact for fact in facts if fact),
        css=style_sheet(),
        js=_part("script.js"),
        summary=_summary(made.evaluations.systems),
        figures=[
            {"name": f.name, "title": f.title, "caption": f.caption, "svg": to_svg(f.chart)} for f in made.figures
        ],
        lead=[table for table in made.tables if made.comparison is not None][:1],
        tables=made.tables[made.comparison is not None :],
        items=_items(made, unit),
        signatures=[e.signature or f"{e.system}: no signature" for e in made.evaluations.systems],
        citation=suite.citation,
        licence=suite.licence,
    )
    return text


def _summary(systems: tuple[Evaluation, ...]) -> dict[str, Any]:
    rows = []
    for i, e in enumerate(systems):
        rows.append(
            {
                "system": e.system,
                "colour": PALETTE[i % len(PALETTE)],
                "accuracy": percent(e.accuracy),
                "interval": f"[{percent(e.interval.low)}, {percent(e.interval.high)}]",
                "value": 100 * e.accuracy,
                "low": 100 * e.interval.low,
                "high": 100 * e.interval.high,
                "chance": percent(e.chance),
                "chance_at": 100 * e.chance,
                "cells": [f"{e.right:,}", f"{e.wrong:,}", f"{e.ties:,}"]
                + [percent(e.macro) if e.macro is not None else "–"]
                + [percent(b.accuracy) for b in e.baselines],
            }
        )
    first = systems[0]
    notes = [
        f"Accuracy in percent with its 95% interval ({first.interval.method}). The grey mark on the bar is chance; a "
        "system is worth something only beyond the baselines beside it: "
        + "; ".join(f"{b.name}: {b.summary}" for b in first.baselines)
        + "."
    ]
    columns = ["right", "wrong", "ties", "mean by group", *(b.name for b in first.baselines)]
    return {"columns": columns, "rows": rows, "notes": [*notes, *first.notes]}


def _items(made: Report, unit: str) -> dict[str, Any] | None:
    if not made.wrong:
        return None
    systems = [scores.system for scores in made.systems]
    data = msgspec.json.encode({"systems": systems, "items": made.wrong}).decode()
    note = f"{made.missed:,} {unit} that at least one system gets wrong or ties"
    if len(made.wrong) < made.missed:
        note += f"; the {len(made.wrong):,} clearest are here"
    return {
        "note": note + ". The number behind a system is its margin: below zero it prefers the error.",
        "systems": systems,
        "phenomena": list(dict.fromkeys(item.phenomenon for item in made.wrong if item.phenomenon)),
        # A tag inside a text could end the script element.
        "json": data.replace("<", "\\u003c"),
    }


def style_sheet() -> str:
    """The style sheet that every page of kontrast shares."""
    return resources.files("kontrast").joinpath("data/style.css").read_text(encoding="utf-8")


def _part(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
