"""The items behind a threshold that was missed, each in a line that says what was expected and what came."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from kontrast.judging.check_records import CheckedItem
from kontrast.judging.records import GateItem
from kontrast.judging.verdicts import Verdicts, larger_is_better
from kontrast.judging.written import Written, by_decision
from kontrast.suites.model import Scores, Suite

__all__ = ["MOST", "failing", "told"]

MOST = 100
"""Items listed under a threshold at most; the worst come first."""


def failing(
    suite: Suite, scores: Scores, verdicts: Verdicts, wanted: Collection[str]
) -> dict[str, tuple[GateItem, ...]]:
    """Under ``total`` and each wanted phenomenon, the decisions that are not right, the clearest first."""
    made, values = verdicts.decisions, larger_is_better(scores)
    missed = [i for i in np.argsort(verdicts.margin, kind="stable").tolist() if verdicts.credit[i] < 1]
    checked = by_decision(suite, scores) if isinstance(scores, Written) else {}
    lines: dict[str, list[GateItem]] = {name: [] for name in ("total", *wanted)}
    for index in missed:
        phenomenon = str(made.tags[index].get("phenomenon", ""))
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
