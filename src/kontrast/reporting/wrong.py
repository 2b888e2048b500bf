"""The decisions that systems get wrong, ready to be shown: texts, differing words, who preferred what."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

import msgspec
import numpy as np

from kontrast.judging.verdicts import Verdicts
from kontrast.suites.model import Item, Scores, Suite, Variant

__all__ = ["Pieces", "WrongItem", "differing_words", "wrong_items"]

Pieces = list[tuple[bool, str]]
"""Runs of words; True where both sides have them."""


class WrongItem(msgspec.Struct, frozen=True, omit_defaults=True):
    """One decision that at least one system misses. ``preferred`` pairs the systems' names with what they chose."""

    id: str
    source: str
    correct: Pieces
    preferred: list[tuple[str, Pieces]]
    margins: list[float]
    phenomenon: str = ""
    tags: list[str] = []
    context: str = ""
    target_context: str = ""


def wrong_items(
    suite: Suite, systems: Sequence[Scores], verdicts: Sequence[Verdicts], limit: int = 2000
) -> tuple[list[WrongItem], int]:
    """What any system gets wrong in suite order, at most ``limit`` (the clearest); and how many there are."""
    decisions = verdicts[0].decisions
    credits = np.array([v.credit for v in verdicts])
    missed = np.flatnonzero((credits < 1).any(axis=0))
    if len(missed) > limit:
        clearest = np.argsort(credits[:, missed].mean(axis=0), kind="stable")[:limit]
        shown = np.sort(missed[clearest])
    else:
        shown = missed
    names = [scores.system for scores in systems]
    values = [-np.array(s.values) if s.lower_is_better else np.array(s.values) for s in systems]
    starts = _row_starts(suite)
    items = []
    for index in shown.tolist():
        item = suite.items[int(decisions.item[index])]
        first_row = starts[int(decisions.item[index])]
        rivals = decisions.rivals[decisions.offsets[index] : decisions.offsets[index + 1]]
        chosen: dict[int, list[str]] = {}
        for name, value, credit in zip(names, values, credits[:, index], strict=True):
            if credit < 1:
                best = int(rivals[int(np.argmax(value[rivals]))]) - first_row
                chosen.setdefault(best, []).append(name)
        items.append(_shown(item, chosen, [round(float(v.margin[index]), 3) for v in verdicts], names))
    return items, len(missed)


def _shown(item: Item, chosen: dict[int, list[str]], margins: list[float], names: list[str]) -> WrongItem:
    correct = _text(item.best)
    pieces = {index: differing_words(correct, _text(item.variants[index])) for index in chosen}
    first = next(iter(chosen))
    variant = item.variants[first] if len(chosen) == 1 else None
    tags = item.tags_of(variant)
    phenomenon = str(tags.pop("phenomenon", ""))
    keys = ("distance", "frequency", "src_pronoun", "ref_pronoun", "rule", "severity")
    return WrongItem(
        id=item.id,
        source=item.source,
        correct=pieces[first][0],
        preferred=[
            (", ".join(who) if len(names) > 1 else "preferred", pieces[index][1]) for index, who in chosen.items()
        ],
        margins=margins,
        phenomenon=phenomenon,
        tags=[phenomenon] * bool(phenomenon) + [f"{key} {tags[key]}" for key in keys if tags.get(key) is not None],
        context=" ".join(item.source_context or ()),
        target_context="" if item.best.context is not None else " ".join(item.target_context or ()),
    )


def _text(variant: Variant) -> str:
    """The variant with its own context, which is where some suites put the difference."""
    return " ".join([*(variant.context or ()), variant.text])


def differing_words(a: str, b: str) -> tuple[Pieces, Pieces]:
    """Both texts in runs of words, each run marked as common to both or not.

    >>> differing_words("Die Frau lacht", "Der Frau lacht")
    ([(False, 'Die'), (True, 'Frau lacht')], [(False, 'Der'), (True, 'Frau lacht')])
    """
    words = a.split(), b.split()
    sides: tuple[Pieces, Pieces] = ([], [])
    for tag, i, j, k, m in SequenceMatcher(None, *words, autojunk=False).get_opcodes():
        for side, start, end, source in ((sides[0], i, j, words[0]), (sides[1], k, m, words[1])):
            if end > start:
                side.append((tag == "equal", " ".join(source[start:end])))
    return sides


def _row_starts(suite: Suite) -> list[int]:
    starts = [0]
    for item in suite.items:
        starts.append(starts[-1] + len(item.variants))
    return starts
