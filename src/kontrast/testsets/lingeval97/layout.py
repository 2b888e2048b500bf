"""LingEval97's layout: ``NAME.en`` and ``NAME.de``, a row a line, the source repeated."""

from __future__ import annotations

from kontrast.suites.layouts import Columns, Request
from kontrast.suites.model import Suite


def columns(suite: Suite, request: Request) -> Columns:
    rows = list(suite.rows())
    return {
        f"{request.name}.{request.source}": [row.item.source for row in rows],
        f"{request.name}.{request.target}": [row.variant.text for row in rows],
    }
