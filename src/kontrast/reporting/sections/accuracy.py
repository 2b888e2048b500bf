"""Each system's accuracy with its interval, beside what no skill would reach."""

from collections.abc import Iterator

from kontrast.judging.verdict_text import no_skill
from kontrast.judging.wording import interval_method
from kontrast.reporting.judged import Judged
from kontrast.reporting.section import Column, Columns, Estimate, Section, table
from kontrast.suites.scores import is_loud

PLACE = 10


def sections(judged: Judged) -> Iterator[Section]:
    """One section, the first of every report."""
    first = judged.first
    columns: Columns = [
        *("system:system", "accuracy:percent", "n:count:items", "right:count", "wrong:count"),
        Column("ties", "count", aside=not any(e.ties for e in judged.evaluations.systems)),
        Column("mean by group", "percent", "macro", aside=all(e.macro is None for e in judged.evaluations.systems)),
        Column("chance", "percent", aside=True),
        *(Column(b.name, "percent", f"baseline_{b.name}", aside=True) for b in first.baselines if b.name != "chance"),
    ]
    rows = []
    for e in judged.evaluations.systems:
        accuracy = Estimate(e.accuracy, e.interval.low, e.interval.high, reference=e.chance)
        baselines = (b.accuracy for b in e.baselines if b.name != "chance")
        rows.append((e.system, accuracy, e.items, e.right, e.wrong, e.ties, e.macro, e.chance, *baselines))
    tied = any(e.ties for e in judged.evaluations.systems)
    about = f"Accuracy in percent; {interval_method(first)}" + (f"; ties: {first.tie_policy}." if tied else ".")
    skill = f"Without skill: {'; '.join(no_skill(first.baselines))}. The line in a bar is guessing."
    notes = dict.fromkeys([*judged.notes, *(note for e in judged.evaluations.systems for note in e.notes)])
    loud = [note for note in notes if is_loud(note)]
    text = (*loud, skill, *(f"Note: {note}." for note in notes if note not in loud))
    yield Section("accuracy", "Accuracy", text, table(columns, rows, about), question="good")
