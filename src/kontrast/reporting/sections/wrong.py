"""What went wrong: the decisions that at least one system misses."""

from collections.abc import Iterator

from kontrast.reporting.judged import Judged
from kontrast.reporting.section import Column, Columns, Section, table
from kontrast.reporting.wrong import WrongItem, wrong_items

PLACE = 50


def sections(judged: Judged) -> Iterator[Section]:
    """One section, with the items themselves; nothing where no system is ever wrong."""
    items, missed = wrong_items(judged.suite, judged.systems, judged.verdicts, judged.most)
    if not items:
        return
    note = f"{missed:,} {judged.unit} that at least one system gets wrong or ties"
    note += f"; the {len(items):,} clearest are shown. " if len(items) < missed else ". "
    note += "The number after a system is its margin; below zero the system prefers the error."
    names = [scores.system for scores in judged.systems]
    columns: Columns = [
        *("item", "phenomenon", "context", "source", "correct"),
        *(Column(f"margin of {name}", "number", f"margin_{name}") for name in names),
        *(Column(f"{name} prefers", key=f"preferred_{name}") for name in names),
    ]
    made = table(columns, (_row(item, len(names)) for item in items))
    yield Section("wrong", "What went wrong", (note,), made, items=tuple(items), data=True, question="items")


def _row(item: WrongItem, systems: int) -> tuple[str | float | None, ...]:
    chosen: dict[int, str] = {who: _words(pieces) for members, pieces in item.preferred for who in members}
    texts = (item.id, item.phenomenon, item.context, item.source, _words(item.correct))
    return (*texts, *item.margins, *(chosen.get(i) for i in range(systems)))


def _words(pieces: list[tuple[bool, str]]) -> str:
    return " ".join(words for _, words in pieces)
