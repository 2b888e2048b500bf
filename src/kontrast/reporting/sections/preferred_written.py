"""What a system prefers against what it writes: the two verdicts on the same items, by phenomenon."""

import re
from collections import Counter
from collections.abc import Iterator

from kontrast.judging.check_records import CheckedItem
from kontrast.judging.verdicts import Verdicts
from kontrast.judging.written import Written, by_decision
from kontrast.reporting.judged import Judged
from kontrast.reporting.section import Cell, Section, Table, table
from kontrast.suites.model import Scores, Verdict

PLACE = 45
_NUMBER = re.compile(r"#\d+$| \([^)]*\)$")

Pair = tuple[Verdict, CheckedItem, str]


def sections(judged: Judged) -> Iterator[Section]:
    """For each system with scores and translations: a table, and the items on which the two disagree."""
    for scores, verdicts, written in _partners(judged):
        pairs = list(_pairs(judged, verdicts, written))
        if not pairs:
            continue
        title = f"Preferred and written: {scores.system}"
        if _bare(scores.system) != _bare(written.system):
            title += f" and {written.system}"
        note = (
            "Preferred: the correct variant has the best score. Written: the system's translation has the "
            "correct form and no wrong one. Ties, and translations with both or neither form, count as not right."
        )
        yield Section("preferred-written", title, (note,), _table(pairs), question="items")
        title, made = f"Where they disagree: {scores.system}", _items(judged, pairs)
        yield Section("preferred-written-items", title, table=made, data=True, question="items")


def _partners(judged: Judged) -> Iterator[tuple[Scores, Verdicts, Written]]:
    """Translations with the scores of the same name, or, where there is one of each, with these."""
    every = list(zip(judged.systems, judged.verdicts, strict=True))
    scored = [(scores, found) for scores, found in every if not isinstance(scores, Written)]
    written = [scores for scores, _ in every if isinstance(scores, Written)]
    for one in written:
        same = [pair for pair in scored if _bare(pair[0].system) == _bare(one.system)]
        for scores, found in same or (scored if len(scored) == len(written) == 1 else ()):
            yield scores, found, one


def _pairs(judged: Judged, verdicts: Verdicts, written: Written) -> Iterator[Pair]:
    """Both verdicts on each decision that words can judge, with its phenomenon."""
    checked = by_decision(judged.suite, written)
    for verdict in verdicts:
        variant = -1 if verdict.variant_index is None else verdict.variant_index
        found = checked.get((verdict.item_index, variant))
        if found is not None and found.verdict != "undecidable":
            item = judged.suite.items[verdict.item_index]
            wrong = None if variant < 0 else item.variants[variant]
            yield verdict, found, str(item.tags_of(wrong).get("phenomenon", "all"))


def _table(pairs: list[Pair]) -> Table:
    counts: dict[str, Counter[tuple[bool, bool]]] = {}
    for verdict, found, phenomenon in pairs:
        cell = verdict.outcome == "right", found.verdict == "right"
        counts.setdefault(phenomenon, Counter())[cell] += 1
    rows = [_row(name, found) for name, found in sorted(counts.items(), key=lambda pair: -pair[1].total())]
    if len(rows) > 1:
        rows.append(_row("all", sum(counts.values(), Counter())))
    shares = ("phenomenon", "n:count:items", "preferred:percent", "written:percent")
    counted = ("both right:count:both", "preferred only:count:preferred_only", "written only:count:written_only")
    return table((*shares, *counted, "neither:count:neither"), rows)


def _row(name: str, found: Counter[tuple[bool, bool]]) -> tuple[Cell, ...]:
    total = found.total()
    preferred = found[True, True] + found[True, False]
    written = found[True, True] + found[False, True]
    cells = (found[True, True], found[True, False], found[False, True], found[False, False])
    return (name, total, preferred / total, written / total, *cells)


def _items(judged: Judged, pairs: list[Pair]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for verdict, found, phenomenon in pairs:
        if (verdict.outcome == "right") != (found.verdict == "right") and len(rows) < judged.most:
            forms = ", ".join(found.expected)
            rows.append((found.item, phenomenon, verdict.outcome, found.verdict, found.source, found.text, forms))
    return table(("item", "phenomenon", "preferred", "written", "source", "translation", "expected"), rows)


def _bare(system: str) -> str:
    """A system's name without what tells it apart from others of that name."""
    return _NUMBER.sub("", system)
