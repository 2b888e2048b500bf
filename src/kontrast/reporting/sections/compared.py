"""The systems compared on the same decisions, pair by pair."""

from collections.abc import Iterator, Sequence

import msgspec

from kontrast.judging.records import Difference
from kontrast.judging.wording import comparison_method, differing_text
from kontrast.reporting.judged import Judged
from kontrast.reporting.section import Cell, Column, Columns, Section, Table, measured, table

PLACE = 20


def sections(judged: Judged) -> Iterator[Section]:
    """The whole suite; nothing for a single system."""
    comparison = judged.comparison
    if comparison is None:
        return
    text = [f"The systems differ in {differing_text(comparison.differs)}."] if comparison.differs else []
    made, title = difference_table(judged, comparison.total), f"Compared on the same {judged.unit}"
    yield Section("compared", title, (*text, *comparison.notes), made, question="changed")


def difference_table(judged: Judged, differences: Sequence[Difference], tags: Sequence[str] = ()) -> Table:
    """Pairs of systems on some groups of decisions, tested together."""
    comparison = judged.comparison
    assert comparison is not None
    several = len(comparison.systems) > 2
    first, second = ("first", "second") if several else comparison.systems
    sign = "Second minus first" if several else f"{second} minus {first}"
    caption = f"{sign} in points of accuracy. {comparison_method(comparison)}."
    shown = differences
    if tags and several:
        shown = [d for d in differences if d.significant]
        caption += (
            f" {len(differences) - len(shown):,} of {len(differences):,} rows are not significant and not shown."
        )
    why = any(d.undecided for d in differences)

    def row(d: Difference) -> tuple[Cell, ...]:
        difference = measured(d.difference, d.interval, d.significant)
        tested = (None if d.undecided else d.p, *([d.undecided] if why else []))
        return (*(d.tags[tag] for tag in tags), d.a, d.b, d.items, difference, d.a_better, d.b_better, *tested)

    columns: Columns = [
        *map(Column, tags),
        Column("first", "system", "a", aside=not several),
        Column("second", "system", "b", aside=not several),
        *("n:count:items", "difference:points"),
        Column(f"{first} better", "count", "a_better"),
        Column(f"{second} better", "count", "b_better"),
        *("p:p", *(["not decided because:text:undecided"] if why else [])),
    ]
    hidden = tuple(row(d) for d in differences if d not in shown)
    return msgspec.structs.replace(table(columns, map(row, shown), caption), hidden=hidden)
