"""Texts: nothing there, characters that should not be, and the same thing twice."""

import re
import unicodedata
from array import array
from collections.abc import Callable, Hashable, Iterator

from kontrast.suites.lint import (
    Finding,
    LintCheck,
    Looking,
    found,
    item_check,
    lint_check,
    lint_data,
    target_of,
    words_of,
)
from kontrast.suites.model import Item, Suite
from kontrast.suites.packed import numbered_keys, unusual

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_INVISIBLE = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060\ufeff\ufffc]")
# A UTF-8 sequence that was read as Latin-1 or Windows-1252 begins with one of these pairs; U+FFFD is what is left
# of a byte that could not be read.
_BROKEN = re.compile("[ÃÂ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€|\ufffd")


def texts(item: Item) -> Iterator[str]:
    """Every text of an item, contexts included."""
    yield item.source
    for context in (item.source_context, item.target_context, item.source_next, item.target_next):
        yield from context or ()
    for variant in (*item.variants, *item.references):
        yield variant.text
        yield from variant.context or ()


@item_check("empty-text")
def _has_empty(item: Item) -> bool:
    # A foil whose tagged error is that it is empty is what its maker wanted.
    wrong = [v.text for v in item.foils if "empty" not in (v.error or "")]
    best = item.best.text if len(item.variants) > 1 else "-"  # a lone blank decides nothing, which is told elsewhere
    return not all(map(str.strip, (item.source, best, *wrong)))


def _searching(id: str, pattern: re.Pattern[str]) -> LintCheck:
    @lint_check(id)
    def check(suite: Suite) -> Iterator[Finding]:
        places: list[int] = []
        seen: set[str] = set()
        for i, item in unusual(suite.items):
            hits = [hit for text in texts(item) if (hit := pattern.search(text))]
            if hits:
                places.append(i)
                seen.update(hit[0] for hit in hits)
        names = ", ".join(sorted({f"U+{ord(c):04X}" for hit in seen for c in hit})[:6])
        return found(id, check.level, suite, places, f"{lint_data()['checks'][id]['found']} ({names})")

    return check


@lint_check("mixed-normal-forms")
def _normal_forms(suite: Suite) -> Iterator[Finding]:
    """Both composed and decomposed letters: a scorer sees two spellings of one word."""
    composed, decomposed = 0, []
    for i, item in unusual(suite.items):
        for text in texts(item):
            if text.isascii():
                continue
            if not unicodedata.is_normalized("NFC", text):
                decomposed.append(i)
                break
            composed += 1
    if composed:
        message = "{n} are not in Unicode normal form C, but others are; convert all to one form"
        yield from found("mixed-normal-forms", "warning", suite, decomposed, message)


@item_check("contrastive-equals-reference")
def _foil_is_reference(item: Item) -> bool:
    right = target_of(item, item.best)
    return any(target_of(item, foil) == right for foil in item.foils)


@item_check("contrastive-differs-in-spacing")
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


@item_check("duplicate-row")
def _foil_twice(item: Item) -> bool:
    wrong = [target_of(item, foil) for foil in item.foils]
    return len(set(wrong)) < len(wrong)


@item_check("source-equals-target")
def _source_is_target(item: Item) -> bool:
    return item.source == item.best.text and len(words_of(item.source)) > 2


def _whole(item: Item) -> Hashable:
    return item.source, item.source_context, tuple(target_of(item, v) for v in item.variants), item.correct


def _repeats(keys: Callable[[], Iterator[Hashable]], hashes: "array[int]") -> list[tuple[int, int]]:
    """The places whose key stands at an earlier one, and the first of those."""
    import numpy as np

    number = numbered_keys(keys, hashes)
    first = np.unique(number, return_index=True)[1][number]
    again = np.flatnonzero(first != np.arange(len(first)))
    return list(zip(again.tolist(), first[again].tolist(), strict=True))


@lint_check("duplicate-item")
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


@lint_check("duplicate-id")
def _duplicate_ids(suite: Suite) -> Looking:
    hashes = array("q")
    while some := (yield None):
        hashes.extend([hash(item.id) for _, item in some])
    places = [i for i, _ in _repeats(lambda: (item.id for item in suite.items), hashes)]
    yield from found("duplicate-id", "warning", suite, places, "{n} have the same id as an earlier item")


CHECKS = (
    _has_empty,
    _searching("control-characters", _CONTROL),
    _searching("invisible-characters", _INVISIBLE),
    _searching("broken-encoding", _BROKEN),
    _normal_forms,
    _foil_is_reference,
    _foil_is_nearly_reference,
    _foil_twice,
    _duplicate_items,
    _duplicate_ids,
    _source_is_target,
)
