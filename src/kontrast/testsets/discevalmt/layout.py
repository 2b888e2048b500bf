"""DiscEvalMT's layout: ``NAME.current.LANG`` with a row a line, ``NAME.prev.LANG`` with the sentence before each."""

from __future__ import annotations

from kontrast.suites.layouts import Columns, Request
from kontrast.suites.model import Suite


def columns(suite: Suite, request: Request) -> Columns:
    name = "lexical_choice" if suite.extra.get("set") == "lexical-choice" else request.name
    rows = list(suite.rows())
    return {
        f"{name}.current.{request.source}": [row.item.source for row in rows],
        f"{name}.current.{request.target}": [row.variant.text for row in rows],
        f"{name}.prev.{request.source}": [_last(row.item.source_context) for row in rows],
        f"{name}.prev.{request.target}": [_last(row.target_context) for row in rows],
    }


def _last(context: tuple[str, ...] | None) -> str:
    return context[-1] if context else ""
