"""Labels that people typed: two spellings of one phenomenon, and items without any. Both split a group in silence."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator

from kontrast.suites.lint.finding import LintCheck, Looking, found
from kontrast.suites.model import Item, Suite

_WORD = re.compile(r"[^\W\d_]{5,}")
"""Shorter words differ by a letter and mean different things (case, cause)."""


def _labels(item: Item) -> set[str]:
    return {label for label in (item.phenomenon, *(foil.error for foil in item.foils)) if label and label.strip()}


def _spellings(label: str) -> Iterator[str]:
    """The label without capitals and signs, and each time without one letter, never the first of a word.

    Labels that share one of these differ by one letter, or by two that changed places.
    """
    plain = " ".join(re.findall(r"[^\W_]+", label.casefold())) or label
    yield plain
    for word in _WORD.finditer(plain):
        yield from (plain[:at] + plain[at + 1 :] for at in range(word.start() + 1, word.end()))


def _near_equal(suite: Suite) -> Looking:
    places: dict[str, array[int]] = {}
    while some := (yield None):
        for i, item in some:
            for label in _labels(item):
                places.setdefault(label, array("q")).append(i)
    known: dict[str, str] = {}
    for label in sorted(places, key=lambda name: (-len(places[name]), name)):
        spellings = list(_spellings(label))
        common = next((known[spelling] for spelling in spellings if spelling in known), None)
        if common is not None:
            message = (
                f"{{n}} have the label {label!r}, {len(places[common]):,} have {common!r}: these may be one group"
            )
            yield from found("near-equal-labels", "warning", suite, places[label], message)
        for spelling in spellings:
            known.setdefault(spelling, label)


def _unlabelled(suite: Suite) -> Looking:
    bare: list[int] = []
    while some := (yield None):
        bare += [i for i, item in some if not _labels(item)]
    if len(bare) < len(suite.items):
        message = "{n} have no phenomenon: they count in the total but in no group"
        yield from found("phenomenon-missing", "warning", suite, bare, message)


CHECKS = (
    LintCheck("near-equal-labels", "warning", "two phenomena differ by capitals, signs or one letter", _near_equal),
    LintCheck("phenomenon-missing", "warning", "some items have no phenomenon and others have one", _unlabelled),
)
