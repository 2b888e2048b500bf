"""The systems compared on the same decisions, pair by pair."""

from collections.abc import Iterator, Sequence

from kontrast.judging.records import Difference
from kontrast.judging.wording import comparison_method, differing_text
from kontrast.reporting.judged import Judged
from kontrast.reporting.section import Cell, Column, Estimate, Section, Table

PLACE = 20


def sections(judged: Judged) -> Iterator[Section]:
    """The whole suite; nothing for a single system."""
    comparison = judged.comparison
    if comparison is None:
        return
    text = [f"The systems differ in {differing_text(comparison.differs)}."] if comparison.differs else []
    table = difference_table(judged, comparison.total)
    yield Section(
        "compared", f"Compared on the same {judged.unit}", (*text, *comparison.notes), table, question="changed"
    )


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
        return (
            *(d.tags[tag] for tag in tags),
            d.a,
            d.b,
            d.items,
            Estimate(d.difference, d.interval.low, d.interval.high, d.significant),
            d.a_better,
            d.b_better,
            None if d.undecided else d.p,
            *([d.undecided] if why else []),
        )

    columns = (
        *(Column(tag) for tag in tags),
        Column("first", "system", "a", aside=not several),
        Column("second", "system", "b", aside=not several),
        Column("n", "count", "items"),
        Column("difference", "points"),
        Column(f"{first} better", "count", "a_better"),
        Column(f"{second} better", "count", "b_better"),
        Column("p", "p"),
        *([Column("not decided because", key="undecided")] if why else []),
    )
    hidden = tuple(row(d) for d in differences if d not in shown)
    return Table(columns, tuple(map(row, shown)), caption, hidden)
