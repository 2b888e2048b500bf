"""Scores and written translations side by side: on the decisions that every system can be judged by.

What words cannot decide is left out for all, so that tests stay paired. An item with one variant and an expected form
is decided by what systems write and not by scores: it takes part where all systems are written.
"""

from collections.abc import Sequence

import msgspec

from kontrast.errors import KontrastError
from kontrast.judging.systems import System, runs_of
from kontrast.judging.written import Written
from kontrast.suites.form_search import decisions
from kontrast.suites.model import Item, Scores, Suite, Variant
from kontrast.suites.packed import fields_of, row_starts
from kontrast.suites.scores import vote_notes
from kontrast.suites.subset import scores_of_rows


def _same(suite: Suite) -> tuple[str, ...]:
    """A note where a wrong variant is the correct one: whatever its scores say, nothing was decided."""
    same = sum(map(_holds_twice, fields_of(suite.items, _Texts)))
    told = "in {} of {} items a wrong variant equals the correct one, so no scorer can be right (see kontrast lint)"
    return (told.format(same, len(suite.items)),) if same else ()


class _Text(msgspec.Struct, gc=False):
    text: str
    context: tuple[str, ...] | None = None


class _Texts(msgspec.Struct, gc=False):
    variants: tuple[_Text, ...]
    correct: int = 0


def _holds_twice(item: _Texts) -> bool:
    right = item.variants[item.correct]
    return any(
        v.text == right.text and v.context == right.context for i, v in enumerate(item.variants) if i != item.correct
    )


def on_common_items(suite: Suite, systems: Sequence[System]) -> tuple[Suite, list[System], tuple[str, ...]]:
    """The suite and systems cut to what all of them decide, and notes on what was left out or cannot be decided.

    Systems that were all scored come back as they are.
    """
    single = [scores for system in systems for scores in runs_of(system)]
    written = [scores for scores in single if isinstance(scores, Written)]
    unread = tuple(f"{scores.system}: {told}" for scores in single for told in vote_notes(scores))
    if not written:
        return suite, list(systems), (*_same(suite), *unread)
    only_written = len(written) == len(single)
    keys = [(d.item_index, d.variant) for d in decisions(suite)]
    open_ = {key for w in written for key, item in zip(keys, w.items, strict=True) if item.verdict == "undecidable"}
    kept: dict[int, list[int]] = {}
    for i, item in enumerate(suite.items):
        rows = [j for j in range(len(item.variants)) if (i, j) not in open_]
        if (i, None) not in open_ and (len(rows) > 1 or (only_written and len(item.variants) == 1)):
            kept[i] = rows
    left_out = [key for key in keys if key[0] not in kept or (key[1] is not None and key[1] not in kept[key[0]])]
    alone = [i for i in kept if len(suite.items[i].variants) == 1]
    if not kept:
        raise KontrastError(f"{suite.name}: no item is decided by all of these systems")
    note = f"{len(left_out)} of {len(keys)} decisions are left out, because words or scores do not decide them"
    chance = "chance is the accuracy of choosing a variant at random; it does not apply to translations"
    notes = (note, chance, *unread) if left_out else (chance, *unread)
    if not left_out and not alone:
        return suite, list(systems), notes
    cut = msgspec.structs.replace(suite, items=tuple(_cut(suite.items[i], rows) for i, rows in kept.items()))
    places = [n for n, key in enumerate(keys) if key not in set(left_out)]
    found: list[System] = []
    for system in systems:
        parts = [_of_cut(scores, suite, cut, kept, places) for scores in runs_of(system)]
        found.append(parts[0] if isinstance(system, Scores) else (system[0], parts))
    return cut, found, notes


def _cut(item: Item, rows: list[int]) -> Item:
    """The item with these variants; one that stands alone gets a rival: a text without the expected form."""
    variants = tuple(item.variants[j] for j in rows)
    if len(variants) == 1:
        rule = item.tags.get("rule")
        variants = (*variants, Variant("", error=None if rule is None else str(rule)))
    return msgspec.structs.replace(item, variants=variants, correct=rows.index(item.correct))


def _of_cut(scores: Scores, suite: Suite, cut: Suite, kept: dict[int, list[int]], places: list[int]) -> Scores:
    """Scores cut as the suite was; behind an item's only row stands what its rival gets by what was written."""
    starts = row_starts(suite.items)
    rows = [starts[i] + j for i, variants in kept.items() for j in variants]
    changed = scores_of_rows(scores, rows, suite.fingerprint, cut)
    if not isinstance(scores, Written):
        return changed
    every = zip(decisions(suite), scores.items, strict=True)
    right = {d.item_index for d, item in every if d.variant is None and item.verdict == "right"}
    values: list[float] = []
    for i, variants in kept.items():
        values += [scores.values[starts[i] + j] for j in variants]
        values += [1.0 if i in right else -1.0] if len(suite.items[i].variants) == 1 else []
    items = tuple(scores.items[n] for n in places)
    return msgspec.structs.replace(changed, values=tuple(values), items=items)
