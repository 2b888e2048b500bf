"""Errors that people marked beside those that were made: one system's accuracy on both, by kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from kontrast.errors import KontrastError
from kontrast.judging.intervals import wilson
from kontrast.judging.records import Evaluation, TagGroup
from kontrast.reporting.section import Cell, Section, measured, table
from kontrast.suites.error_shares import kind_of_error

_BY = "phenomenon"


def natural_sections(natural: Evaluation, made: Sequence[Evaluation]) -> Iterator[Section]:
    """A row for each kind that ``natural``, an evaluation on a suite of `build marked`, or the made errors have."""
    own = next((each for each in made if each.system == natural.system), made[0] if len(made) == 1 else None)
    if own is None:
        raise KontrastError(
            f"{natural.system} is not among the systems of the report, {', '.join(e.system for e in made)}"
        )
    if natural.suite == own.suite:
        raise KontrastError(f"{natural.suite} is the suite of the report; give an evaluation of marked errors")
    marked, errors = _by_kind(natural), _by_kind(own)
    rows = [
        (kind, *_cells(marked.get(kind, [])), *_cells(errors.get(kind, [])), ", ".join(g.label for g in errors[kind]))
        for kind in sorted({*marked, *errors}, key=lambda kind: -sum(g.items for g in marked.get(kind, [])))
    ]
    columns = ("kind", "marked:count:marked_items", "right:percent:marked_accuracy", "made:count:made_items",
               "right of made:percent:made_accuracy", "made as")  # fmt: skip
    note = (
        f"Marked: errors that people marked in translations ({natural.suite}). Made: those of {own.suite}. "
        "Wilson intervals, assuming independent decisions."
    )
    title = f"Marked and made errors: {own.system}"
    yield Section("natural-made", title, (note,), table(columns, rows), question="where")


def _by_kind(found: Evaluation) -> dict[str, list[TagGroup]]:
    groups = next((b.groups for b in found.by if b.by == _BY), None)
    if groups is None:
        raise KontrastError(
            f"the evaluation of {found.suite} is not by phenomenon: kontrast evaluate --by phenomenon"
        )
    kinds: dict[str, list[TagGroup]] = defaultdict(list)
    for group in groups:
        kinds[kind_of_error(group.label) or group.label].append(group)
    return kinds


def _cells(groups: list[TagGroup]) -> tuple[Cell, ...]:
    items = sum(group.items for group in groups)
    if not items:
        return 0, None
    right = sum(group.accuracy * group.items for group in groups)
    return items, measured(right / items, wilson(right, items))
