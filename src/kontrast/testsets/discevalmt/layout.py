"""DiscEvalMT's layout: ``NAME.current.LANG`` with a row a line, ``NAME.prev.LANG`` with the sentence before each.

NAME is the kind of set, whatever the JSON file is called.
"""

from __future__ import annotations

from kontrast.suites.layouts import Columns, Request
from kontrast.suites.model import Suite


def columns(suite: Suite, request: Request) -> Columns:
    name = "lexical_choice" if suite.extra.get("set") == "lexical-choice" else "anaphora"
    rows = list(suite.rows())
    sources = [_pair(row.item.source_context, row.item.source) for row in rows]
    targets = [_pair(row.target_context, row.variant.text) for row in rows]
    return {
        f"{name}.{part}.{language}": [pair[i] for pair in texts]
        for i, part in ((1, "current"), (0, "prev"))
        for language, texts in ((request.source, sources), (request.target, targets))
    }


def _pair(context: tuple[str, ...] | None, text: str) -> tuple[str, str]:
    """The first two sentences, as the original takes them; a blank where none is before."""
    first, second, *_ = (*(context or ("",)), text)
    return first, second
