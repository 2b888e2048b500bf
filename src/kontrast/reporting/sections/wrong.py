"""What went wrong: the decisions that at least one system misses, with texts, differing words, who preferred what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

import msgspec
import numpy as np

from kontrast.io.words import shared_ends
from kontrast.judging.check_records import CheckedItem
from kontrast.judging.per_item import told
from kontrast.judging.verdicts import Verdicts
from kontrast.judging.written import Written, by_decision
from kontrast.reporting.judged import Judged
from kontrast.reporting.section import Column, Columns, Section, table
from kontrast.suites.model import Item, Scores, Suite
from kontrast.suites.packed import row_starts

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


LONGEST = 400
"""Longer differences, in words, are marked as a whole."""

Pieces = list[tuple[bool, str]]
"""Runs of words; True where both sides have them."""


class WrongItem(msgspec.Struct, frozen=True, omit_defaults=True):
    """One decision that at least one system misses; systems are numbers, as they stand in the report.

    ``preferred`` pairs systems with what they chose, or wrote; ``wrote`` says of those what was looked for in it.
    ``missed`` are all that do not get it right. Translations have no margin.
    """

    id: str
    source: str
    correct: Pieces
    preferred: list[tuple[list[int], Pieces]]
    margins: list[float | None]
    missed: list[int]
    phenomenon: str = ""
    tags: list[str] = []
    context: str = ""
    target_context: str = ""
    wrote: list[tuple[int, str]] = []


def wrong_items(
    suite: Suite, systems: Sequence[Scores], verdicts: Sequence[Verdicts], limit: int = 2000
) -> tuple[list[WrongItem], int]:
    """What any system gets wrong in suite order, at most ``limit`` (the clearest); and how many there are."""
    decisions = verdicts[0].decisions
    credits = np.array([v.credit for v in verdicts])
    missed = np.flatnonzero((credits < 1).any(axis=0))
    clearest = np.argsort(credits[:, missed].mean(axis=0), kind="stable")[:limit]
    shown = np.sort(missed[clearest])
    values = [-np.array(s.values) if s.lower_is_better else np.array(s.values) for s in systems]
    verdicts_of = [by_decision(suite, s) if isinstance(s, Written) else {} for s in systems]
    starts = row_starts(suite.items)
    items = []
    for index in shown.tolist():
        item = suite.items[int(decisions.item[index])]
        first_row = starts[int(decisions.item[index])]
        rivals = decisions.rivals[decisions.offsets[index] : decisions.offsets[index + 1]]
        chosen: dict[int, list[int]] = {}
        written: dict[int, CheckedItem] = {}
        for number, (value, credit) in enumerate(zip(values, credits[:, index], strict=True)):
            if credit < 1 and verdicts_of[number]:
                written[number] = verdicts_of[number][int(decisions.item[index]), int(decisions.variant[index])]
            elif credit < 1:
                best = int(rivals[int(np.argmax(value[rivals]))]) - first_row
                chosen.setdefault(best, []).append(number)
        margins = [
            None if isinstance(s, Written) else round(float(np.nan_to_num(v.margin[index])), 3)
            for s, v in zip(systems, verdicts, strict=True)
        ]
        items.append(_shown(item, chosen, margins, written))
    return items, len(missed)


def _found(checked: CheckedItem) -> Pieces:
    """What a system wrote, the forms that were found in it marked."""
    pieces: Pieces = []
    at = 0
    for found in sorted(checked.found, key=lambda each: each.start):
        if found.start >= at:
            pieces += [(True, checked.text[at : found.start].strip()), (False, checked.text[found.start : found.end])]
            at = found.end
    return [piece for piece in (*pieces, (True, checked.text[at:].strip())) if piece[1]]


def _shown(
    item: Item, chosen: dict[int, list[int]], margins: list[float | None], written: dict[int, CheckedItem]
) -> WrongItem:
    correct = item.best.whole
    pieces = {index: differing_words(correct, item.variants[index].whole) for index in chosen}
    first = next(iter(chosen), None)
    variant = item.variants[first] if first is not None and len(chosen) == 1 else None
    tags = item.tags_of(variant)
    phenomenon = str(tags.pop("phenomenon", ""))
    keys = ("distance", "frequency", "src_pronoun", "ref_pronoun", "rule", "severity")
    return WrongItem(
        id=item.id,
        source=item.source,
        correct=[(True, correct)] if first is None else pieces[first][0],
        preferred=[
            *((who, pieces[index][1]) for index, who in chosen.items()),
            *(([number], _found(checked)) for number, checked in written.items()),
        ],
        margins=margins,
        missed=sorted([*(number for who in chosen.values() for number in who), *written]),
        wrote=[
            (number, f"wrote ({found.verdict}; searched for {told(found)[0]})") for number, found in written.items()
        ],
        phenomenon=phenomenon,
        tags=[phenomenon] * bool(phenomenon)
        + [f"{key} {tags[key]}" for key in keys if isinstance(tags.get(key), str | int | float)],
        context=" ".join(item.source_context or ()),
        target_context="" if item.best.context is not None else " ".join(item.target_context or ()),
    )


def differing_words(a: str, b: str) -> tuple[Pieces, Pieces]:
    """Both texts in runs of words, each run marked as common to both or not."""
    words = a.split(), b.split()
    sides: tuple[Pieces, Pieces] = ([], [])
    for same, i, j, k, m in _runs(*words):
        for side, start, end, source in ((sides[0], i, j, words[0]), (sides[1], k, m, words[1])):
            if end > start:
                side.append((same, " ".join(source[start:end])))
    return sides


def _runs(a: list[str], b: list[str]) -> list[tuple[bool, int, int, int, int]]:
    """Common and differing runs. What begins and ends both is set aside first, so that long texts cost little."""
    head, tail = shared_ends((a, b))
    ends = len(a) - tail, len(b) - tail
    if (ends[0] - head) * (ends[1] - head) > LONGEST**2:
        middle = [(False, head, ends[0], head, ends[1])]
    else:
        matcher = SequenceMatcher(None, a[head : ends[0]], b[head : ends[1]], autojunk=False)
        middle = [
            (tag == "equal", head + i, head + j, head + k, head + m) for tag, i, j, k, m in matcher.get_opcodes()
        ]
    runs = [(True, 0, head, 0, head), *middle, (True, ends[0], len(a), ends[1], len(b))]
    return [run for run in runs if run[2] > run[1] or run[4] > run[3]]
