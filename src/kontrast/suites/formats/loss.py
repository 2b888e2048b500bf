"""What a suite holds that another format cannot store: counted, so that nothing is dropped silently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from kontrast.suites.formats.format import Format, Lost
from kontrast.suites.model import Item, Suite

_ITEM_FIELDS = ("source_context", "target_context", "source_next", "target_next", "references", "document", "segment")
_SUITE_FIELDS = ("version", "licence", "citation", "description")


def losses(suite: Suite, keeps: Collection[str] = ()) -> list[Lost]:
    """Fields in use that are not among ``keeps``, with the number of items that use them.

    Names: the fields of `Item` and `Suite`; ``id`` (where it is more than the place), ``correct`` (where it is not
    the first), ``tags``, and of variants ``variant.context``, ``variant.tags``, ``correct.tags``, ``error``.

    >>> from kontrast.suites.model import Variant
    >>> suite = Suite("a", (Item("1", "x", (Variant("y"), Variant("z", error="e")), document="d"),))
    >>> [str(lost) for lost in losses(suite, keeps=["error"])]
    ['document (1 item)']
    """
    counts: Counter[str] = Counter()
    for number, item in enumerate(suite.items, start=1):
        counts.update(field for field in set(_used(item, number)) if field not in keeps)
    lost = [Lost(field, count) for field, count in sorted(counts.items())]
    return lost + [
        Lost(field, 0) for field in _SUITE_FIELDS if field not in keeps and getattr(suite, field) is not None
    ]


def suite_losses(suite: Suite, fmt: Format) -> list[Lost]:
    """What the suite says as a whole and the format does not: what a decision is, the languages, extra keys."""
    lost = []
    if fmt.unit not in (None, suite.unit) and any(len(item.variants) > 2 for item in suite.items):
        lost.append(Lost(f"unit {suite.unit}", 0))
    if fmt.languages is not None:
        lost += lost_languages(suite, *fmt.languages)
    if fmt.name != "native" and suite.segment_base not in (None, _assumed_base(suite, fmt)):
        lost.append(Lost(f"segment_base {suite.segment_base}", 0))
    if fmt.extra is not None:
        lost += [Lost(f"extra {key}", 0) for key in sorted(suite.extra.keys() - fmt.extra)]
    return lost


def lost_languages(suite: Suite, source: str | None, target: str | None) -> list[Lost]:
    """The suite's languages that differ from those that its file will be read with."""
    own = {"source_language": (suite.source_language, source), "target_language": (suite.target_language, target)}
    return [Lost(f"{field} {ours}", 0) for field, (ours, read) in own.items() if ours not in (None, read)]


def _assumed_base(suite: Suite, fmt: Format) -> int | None:
    """The number of a document's first line that will be taken for granted when the suite is read again."""
    from kontrast.suites.layouts import first_segment

    if not any(item.segment is not None for item in suite.items):
        return suite.segment_base
    read_again = Suite(suite.name, suite.items, style=fmt.name)
    return first_segment(read_again)


def _used(item: Item, number: int) -> Iterator[str]:
    if item.id != str(number):
        yield "id"
    if item.correct != 0:
        yield "correct"
    for field in _ITEM_FIELDS:
        if getattr(item, field) not in (None, ()):
            yield field
    if item.tags:
        yield "tags"
    for place, variant in enumerate(item.variants):
        if variant.context is not None:
            yield "variant.context"
        if variant.tags:
            yield "correct.tags" if place == item.correct else "variant.tags"
        if variant.error is not None:
            yield "correct.error" if place == item.correct else "error"
