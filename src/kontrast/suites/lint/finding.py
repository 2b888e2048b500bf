"""What a check is and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from kontrast.record import Record
from kontrast.suites.model import Item, Suite, Variant

Level = Literal["error", "warning", "note"]


class Finding(Record, frozen=True):
    """One thing to know about a suite: which check, how bad, how many items it concerns, which, and in words."""

    id: str
    level: Level
    count: int
    items: tuple[str, ...]
    message: str


class Findings(list[Finding]):
    """All findings about one suite, the worst first, with the suite's name and size."""

    def __init__(self, findings: Iterable[Finding], suite: Suite) -> None:
        super().__init__(findings)
        self.suite, self.items, self.rows = suite.name, len(suite.items), suite.row_count


@dataclass(frozen=True)
class LintCheck:
    """One check: the id and usual level of its findings, a line for the documentation, and what does the work."""

    id: str
    level: Level
    summary: str
    run: Callable[[Suite], Iterator[Finding]]


def found(id: str, level: Level, suite: Suite, places: Collection[int], message: str) -> Iterator[Finding]:
    """A finding about the items at these places, or none where there are none; ``{n}`` says "3 of 20 items"."""
    if places:
        ordered = sorted(set(places))
        total = len(suite.items)
        text = message.replace("{n}", f"{len(ordered)} of {total} item{'s' if total != 1 else ''}")
        yield Finding(id, level, len(ordered), tuple(suite.items[i].id for i in ordered), text)


def foils(item: Item) -> Iterator[Variant]:
    """The wrong variants."""
    return (variant for i, variant in enumerate(item.variants) if i != item.correct)


def target_of(item: Item, variant: Variant) -> tuple[tuple[str, ...] | None, str]:
    """What is scored for a variant: its text in its context."""
    return variant.context if variant.context is not None else item.target_context, variant.text
