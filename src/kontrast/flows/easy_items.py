"""Foils that give themselves away: every baseline that sees only the variants, but for length, is right."""

from __future__ import annotations

import msgspec
import numpy as np

from kontrast.suites.model import Suite

LENGTHS = ("shorter", "longer")


def with_easy_tags(suite: Suite) -> Suite:
    """The suite with the tag ``easy`` on each foil: true where all baselines but length are right."""
    from kontrast.analysis.artefacts import artefact_credits
    from kontrast.judging.decisions import decisions_of

    decisions = decisions_of(suite, "pair")
    credits = [credit for name, credit in artefact_credits(decisions).items() if name not in LENGTHS]
    solved = iter(np.logical_and.reduce([credit == 1 for credit in credits]).tolist())
    items = []
    for item in suite.items:
        variants = tuple(
            v if j == item.correct else msgspec.structs.replace(v, tags={**v.tags, "easy": next(solved)})
            for j, v in enumerate(item.variants)
        )
        items.append(msgspec.structs.replace(item, variants=variants))
    return msgspec.structs.replace(suite, items=tuple(items))
