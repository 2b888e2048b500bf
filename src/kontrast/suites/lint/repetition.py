"""The same thing twice: foil and reference, two foils, two items, source and target."""

from __future__ import annotations

import unicodedata
from array import array
from collections.abc import Callable, Hashable, Iterator

from kontrast.suites.lint.finding import LintCheck, Looking, found, item_check, target_of, words_of
from kontrast.suites.model import Item, Suite
from kontrast.suites.packed import numbered_keys


def _foil_is_reference(item: Item) -> bool:
    right = target_of(item, item.best)
    return any(target_of(item, foil) == right for foil in item.foils)


def _foil_is_nearly_reference(item: Item) -> bool:
    """Nothing differs but spacing or the normal form: not an error anybody would tag."""

    def squeezed(*texts: str) -> str:
        return "".join(unicodedata.normalize("NFC", " ".join(texts)).split())

    before, right = target_of(item, item.best)
    for foil in item.foils:
        context, wrong = target_of(item, foil)
        # Words that are written apart are an error in themselves, and a common one in German.
        if len(wrong.split()) != len(right.split()):
            continue
        if context == before:
            if wrong != right and squeezed(wrong) == squeezed(right):
                return True
        elif squeezed(*(context or ()), wrong) == squeezed(*(before or ()), right):
            return True
    return False


def _foil_twice(item: Item) -> bool:
    wrong = [target_of(item, foil) for foil in item.foils]
    return len(set(wrong)) < len(wrong)


def _source_is_target(item: Item) -> bool:
    return item.source == item.best.text and len(words_of(item.source)) > 2


def _whole(item: Item) -> Hashable:
    return item.source, item.source_context, tuple(target_of(item, v) for v in item.variants), item.correct


def _repeats(keys: Callable[[], Iterator[Hashable]], hashes: array[int]) -> list[tuple[int, int]]:
    """The places whose key stands at an earlier one, and the first of those."""
    import numpy as np

    number = numbered_keys(keys, hashes)
    first = np.unique(number, return_index=True)[1][number]
    again = np.flatnonzero(first != np.arange(len(first)))
    return list(zip(again.tolist(), first[again].tolist(), strict=True))


def _duplicate_items(suite: Suite) -> Looking:
    """Equal source, context and variants: counted twice, it weighs twice.

    Where the context is not known here and the documents differ, it may tell the items apart: that is only a note.
    """
    hashes = array("q")
    while some := (yield None):
        hashes.extend([hash(_whole(item)) for _, item in some])
    same: list[int] = []
    elsewhere: list[int] = []
    for i, before in _repeats(lambda: map(_whole, suite.items), hashes):
        item, earlier = suite.items[i], suite.items[before]
        moved = (item.document, item.segment) != (earlier.document, earlier.segment)
        (elsewhere if moved and item.source_context is None else same).append(i)
    message = "{n} repeat an earlier item word for word; each counts again"
    yield from found("duplicate-item", "warning", suite, same, message)
    message = "{n} repeat the text of another item; they are the same unless context is given"
    yield from found("duplicate-item", "note", suite, elsewhere, message)


def _duplicate_ids(suite: Suite) -> Looking:
    hashes = array("q")
    while some := (yield None):
        hashes.extend([hash(item.id) for _, item in some])
    places = [i for i, _ in _repeats(lambda: (item.id for item in suite.items), hashes)]
    yield from found("duplicate-id", "warning", suite, places, "{n} have the same id as an earlier item")


CHECKS = (
    item_check(
        "contrastive-equals-reference",
        "error",
        "a contrastive variant equals the correct one, context included",
        _foil_is_reference,
        "in {n} a contrastive variant equals the correct one, so no scorer can be right",
    ),
    item_check(
        "contrastive-differs-in-spacing",
        "warning",
        "a contrastive variant differs from the correct one only in white space or Unicode normal form",
        _foil_is_nearly_reference,
        "in {n} a contrastive variant differs from the correct one only in white space or Unicode normal form",
    ),
    item_check(
        "duplicate-row",
        "warning",
        "two contrastive variants of an item are equal",
        _foil_twice,
        "in {n} two contrastive variants are equal",
    ),
    LintCheck("duplicate-item", "warning", "two items have the same source, context and variants", _duplicate_items),
    LintCheck("duplicate-id", "warning", "two items have the same id", _duplicate_ids),
    item_check(
        "source-equals-target",
        "warning",
        "the correct variant repeats the source (three words or more)",
        _source_is_target,
        "in {n} the correct variant repeats the source",
    ),
)
