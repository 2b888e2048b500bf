"""Does a system use the context? Where the report has one model's scores without and with context."""

from collections.abc import Iterator

import msgspec

from kontrast.analysis.context_files import is_control, without_control
from kontrast.analysis.context_use import context_use
from kontrast.errors import KontrastError
from kontrast.reporting.context import context_sections
from kontrast.reporting.judged import Judged
from kontrast.reporting.section import Section
from kontrast.suites.model import Scores

PLACE = 60


def sections(judged: Judged) -> Iterator[Section]:
    """For each context of a model that was also scored without; against its control where there is one."""
    models: dict[tuple[str | None, ...], list[Scores]] = {}
    for scores in judged.systems:
        if scores.signature is not None and scores.lower_is_better:
            made = scores.signature
            models.setdefault((made.engine, made.model, made.details.get("weights")), []).append(scores)
    for members in models.values():
        by_context = {s.signature.context: s for s in members if s.signature is not None}
        base = by_context.get("none")
        for context, given in by_context.items():
            if base is None or context == "none" or is_control(context):
                continue
            control = next(
                (s for c, s in by_context.items() if is_control(c) and without_control(c) == context), None
            )
            sentences = any(s.tokens is None for s in (base, given))
            try:
                use = context_use(judged.suite, base, given, control, sentences=sentences, by=())
            except KontrastError:
                continue  # files that do not belong together; `kontrast context` says why
            yield from context_sections(msgspec.structs.replace(use, notes=(*judged.other_ties, *use.notes)))
