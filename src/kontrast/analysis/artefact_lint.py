"""``lint --deep``: where the variants alone solve a suite, or a phenomenon of it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kontrast.analysis.artefacts import SUMMARIES, artefact_credits, solved
from kontrast.judging.decisions import decisions_of
from kontrast.judging.grouping import group_by
from kontrast.judging.intervals import share_interval
from kontrast.suites.lint.finding import Finding, Level, LintCheck
from kontrast.suites.model import Suite

_SOLVED, _SEEN = 0.5, 0.1


def _artefacts(suite: Suite) -> Iterator[Finding]:
    if sum(len(item.variants) > 1 for item in suite.items) < 50:
        return
    decisions = decisions_of(suite)
    grouping = group_by(decisions.tags, "phenomenon") if "phenomenon" in decisions.tags.names else None
    for name, credit in artefact_credits(decisions).items():
        parts = [("the suite", np.ones(len(decisions), dtype=bool))]
        if grouping is not None and len(grouping.labels) > 1:
            parts += [(grouping.label(i), grouping.number == i) for i in range(len(grouping.labels))]
        for label, chosen in parts:
            if chosen.sum() < 50:
                continue
            chance = float(decisions.chance[chosen].mean())
            interval = share_interval(credit[chosen], decisions.clusters.on(chosen))
            sure = solved(interval.low, chance)
            if sure < _SEEN:
                continue
            level: Level = "warning" if sure >= _SOLVED else "note"
            message = (
                f"{SUMMARIES[name]} is right in {100 * float(credit[chosen].mean()):.1f}% of {label} (chance "
                f"{100 * chance:.1f}%), without the source: see kontrast artefacts"
            )
            yield Finding("artefact", level, int(chosen.sum()), (), message)
            if label == "the suite":
                break


ARTEFACTS = (
    LintCheck(
        "artefact",
        "warning",
        "the variants alone solve half of the way from chance to 100% (a note from a tenth on)",
        _artefacts,
    ),
)
