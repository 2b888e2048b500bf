"""The layout of the large EN-FR set: ``NAME.{current,context}.{src,trg}``, reference and first contrastive.

Documents come in sorted order, lines are stripped, and where fewer than n lines precede all n are blank.
"""

from __future__ import annotations

from kontrast.errors import KontrastError
from kontrast.suites.layouts import Columns, Request
from kontrast.suites.model import Suite


def columns(suite: Suite, request: Request) -> Columns:
    current: tuple[list[str], list[str]] = ([], [])
    context: tuple[list[str], list[str]] = ([], [])
    for item in sorted(suite.items, key=lambda item: item.document or ""):
        source, target, place = request.located(item)
        wrong = next((v.text for i, v in enumerate(item.variants) if i != item.correct), None)
        if wrong is None:
            raise KontrastError(f"item {item.id} has no contrastive variant")
        for text in (target[place], wrong):
            current[0].append(source[place].strip())
            current[1].append(text.strip())
            for side, lines in enumerate((source, target)):
                before = (
                    lines[place - request.context : place] if place >= request.context else [""] * request.context
                )
                context[side].extend(line.strip() for line in before)
    return {
        f"{request.name}.{kind}.{ending}": lines
        for kind, sides in (("context", context), ("current", current))
        for ending, lines in zip(("src", "trg"), sides, strict=True)
    }
