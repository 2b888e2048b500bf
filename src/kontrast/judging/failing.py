"""The items behind a rule that was not passed, each in a line that says what was expected and what came."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec
import numpy as np

from kontrast.judging.check_records import CheckedItem
from kontrast.judging.floats import Floats
from kontrast.judging.records import GateCheck, GateItem
from kontrast.judging.verdicts import Verdicts, larger_is_better
from kontrast.judging.written import Written, by_decision
from kontrast.suites.model import Scores, Suite

MOST = 100
"""Items listed under a threshold at most; the worst come first."""


def with_items(
    suite: Suite, scores: Scores, checks: Sequence[GateCheck], judged: Verdicts, *before: Verdicts
) -> list[GateCheck]:
    """The checks; those that have not passed with their items. ``before`` are the verdicts of the baseline's runs."""
    missed = [check for check in checks if not check.passed]
    behind = {
        against: failing(suite, scores, judged, {c.on for c in missed if (c.rule == "baseline") == against}, had)
        for against, had in (
            (False, np.ones_like(judged.credit)),
            (True, np.mean([own.credit for own in before], axis=0) if before else judged.credit),
        )
    }
    return [
        check
        if check.passed
        else msgspec.structs.replace(check, items=behind[check.rule == "baseline"].get(check.on, ()))
        for check in checks
    ]


def failing(
    suite: Suite, scores: Scores, verdicts: Verdicts, wanted: Collection[str], before: Floats
) -> dict[str, tuple[GateItem, ...]]:
    """Under each of ``wanted`` (``total``, a phenomenon) the decisions with less credit than ``before``.

    The largest loss is first, and among equals the clearest.
    """
    made, values = verdicts.decisions, larger_is_better(scores)
    lost = before - verdicts.credit
    missed = [i for i in np.lexsort((verdicts.margin, -lost)).tolist() if lost[i] > 1e-9]
    checked = by_decision(suite, scores) if isinstance(scores, Written) else {}
    lines: dict[str, list[GateItem]] = {name: [] for name in wanted}
    phenomena = made.tags.column("phenomenon")
    for index in missed:
        phenomenon = str(phenomena.values[phenomena.number[index]] or "")
        names = [name for name in {"total", phenomenon} if name in lines and len(lines[name]) < MOST]
        if not names:
            continue
        item = suite.items[int(made.item[index])]
        rivals = made.rivals[made.offsets[index] : made.offsets[index + 1]]
        row = int(rivals[int(np.argmax(values[rivals]))])
        if isinstance(scores, Written):
            expected, found = told(checked[int(made.item[index]), int(made.variant[index])])
        else:
            expected, found = item.best.text, item.variants[row - int(made.correct[index]) + item.correct].text
        for name in names:
            lines[name].append(GateItem(item.id, phenomenon, item.source, expected, found))
    return {name: tuple(items) for name, items in lines.items()}


def told(checked: CheckedItem) -> tuple[str, str]:
    """What was looked for in a translation, and what it says instead."""
    expected = " or ".join(checked.expected) or f"not {' or '.join(checked.forbidden)}"
    forms = ", ".join(dict.fromkeys(found.form for found in checked.found))
    return expected, f"{checked.text} ({checked.verdict}{': ' + forms if forms else ''})"
