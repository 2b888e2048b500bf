"""Every decision on a line of its own: what each system's verdict, margin and scores are.

The items behind a rule that was not passed, each in a line that says what was expected and what came.
"""

from collections.abc import Collection, Iterator, Sequence

import msgspec
import numpy as np

from kontrast.judging.check_records import CheckedItem
from kontrast.judging.decisions import decisions_of
from kontrast.judging.floats import Floats
from kontrast.judging.records import GateCheck, GateItem, TiePolicy
from kontrast.judging.systems import System, names_of
from kontrast.judging.verdicts import Verdicts, check_count, larger_is_better, verdicts_of
from kontrast.judging.written import Written, by_decision
from kontrast.suites.model import Scores, Suite, Unit


class SystemVerdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one system made of a decision.

    ``scores`` are as in its file, the right variant's first; ``margin`` is above 0 where it is ahead. Of a
    translation there are instead what it ``wrote`` and the verdict of `check`.
    """

    verdict: str
    credit: float
    margin: float | None = None
    scores: tuple[float, ...] = ()
    wrote: str | None = None
    unread: int = 0
    """Of votes: how many answers about a variant could not be read, at most."""


class JudgedItem(msgspec.Struct, frozen=True, omit_defaults=True):
    """A decision, its texts, and every system's verdict by name. ``wrong`` are in the order of the scores."""

    item: str
    phenomenon: str
    source: str
    right: str
    wrong: tuple[str, ...]
    systems: dict[str, SystemVerdict]
    document: str | None = None


def judged_items(
    suite: Suite,
    systems: Sequence[System],
    *,
    ties: TiePolicy = "report",
    epsilon: float = 0.0,
    unit: Unit | None = None,
) -> Iterator[JudgedItem]:
    """A record per decision, in suite order; the runs of a system stand one by one."""
    made = decisions_of(suite, unit)
    single = dict(_single(systems))
    for scores in single.values():
        check_count(suite, scores)
    judged = [verdicts_of(made, larger_is_better(s), ties=ties, epsilon=epsilon) for s in single.values()]
    checked = [by_decision(suite, s) if isinstance(s, Written) else {} for s in single.values()]
    places = zip(made.item.tolist(), made.variant.tolist(), made.tags.of_each("phenomenon"), strict=True)
    for index, ((place, variant, phenomenon), *verdicts) in enumerate(zip(places, *judged, strict=True)):
        item = suite.items[place]
        rows = [int(made.correct[index]), *made.rivals[made.offsets[index] : made.offsets[index + 1]].tolist()]
        found: dict[str, SystemVerdict] = {}
        for (name, scores), one, wrote in zip(single.items(), verdicts, checked, strict=True):
            if wrote:
                looked = wrote[place, variant]
                found[name] = SystemVerdict(looked.verdict, one.credit, wrote=looked.text)
            else:
                values = tuple(scores.values[row] for row in rows)
                lost = max(scores.unread[row] for row in rows) if scores.unread else 0
                found[name] = SystemVerdict(one.outcome, one.credit, one.margin, values, unread=lost)
        right, *wrong = (item.variants[row - rows[0] + item.correct].whole for row in rows)
        yield JudgedItem(item.id, str(phenomenon or ""), item.source, right, tuple(wrong), found, item.document)


def _single(systems: Sequence[System]) -> Iterator[tuple[str, Scores]]:
    """Every score file under a name of its own."""
    for name, system in zip(names_of(systems), systems, strict=True):
        if isinstance(system, Scores):
            yield name, system
        else:
            runs = system[1]
            yield from ((f"{name}/{run}", scores) for run, scores in zip(names_of(runs), runs, strict=True))


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
