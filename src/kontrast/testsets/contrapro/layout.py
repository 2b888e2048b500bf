"""ContraPro's layout: ``NAME.text.LANG`` with a row a line, ``NAME.context.LANG`` with n lines per row.

Sources and references are the documents' own lines; a blank line stands for context that is not there. As JSON,
the context is a list of objects with the keys "1" (the oldest) to "n", each object n times.
"""

from __future__ import annotations

import json

from kontrast.suites.layouts import Columns, Request
from kontrast.suites.model import Suite


def columns(suite: Suite, request: Request) -> Columns:
    texts: tuple[list[str], list[str]] = ([], [])
    contexts: tuple[list[list[str]], list[list[str]]] = ([], [])
    for item in suite.items:
        source, target, place = request.located(item)
        variants = [v.text for i, v in enumerate(item.variants) if i != item.correct] if request.contrastives else []
        for text in (target[place], *variants):
            texts[0].append(source[place])
            texts[1].append(text)
            for side, lines in enumerate((source, target)):
                before = lines[max(0, place - request.context) : place]
                contexts[side].append([""] * (request.context - len(before)) + before)
    found: Columns = {}
    for side, language in enumerate((request.source, request.target)):
        found[f"{request.name}.text.{language}"] = texts[side]
        flat = [line for context in contexts[side] for line in context]
        found[f"{request.name}.context.{language}"] = _as_json(contexts[side]) if request.context_json else flat
    return found


def _as_json(contexts: list[list[str]]) -> list[str]:
    """Lines of indented JSON, written as the original's Perl writes it."""
    objects = []
    for context in contexts:
        entry = {str(n): line for n, line in enumerate(context, start=1)}
        body = ",\n".join(f'      "{key}":{_quoted(entry[key])}' for key in sorted(entry))
        objects += ["   {\n" + body + "\n   }"] * len(context)
    return ("[\n" + ",\n".join(objects) + "\n]").split("\n") if objects else ["[]"]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
