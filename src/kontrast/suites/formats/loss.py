"""What a suite holds that another format cannot store: counted, so that nothing is dropped silently.

What a written suite lacks when it is read again: found by reading it, so that no format can forget to name it.
"""

import io
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import redirect_stderr
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

from kontrast.suites.formats.format import Format, Lost
from kontrast.suites.model import Item, Suite, Tags, Variant

_ITEM_FIELDS = ("source_context", "target_context", "source_next", "target_next", "references", "document", "segment")
_SUITE_FIELDS = ("version", "licence", "citation", "description")


def losses(suite: Suite, keeps: Collection[str] = ()) -> list[Lost]:
    """Fields in use that are not among ``keeps``, with the number of items that use them.

    Names: the fields of `Item` and `Suite`; ``id`` (where it is more than the place), ``correct`` (where it is not
    the first), ``tags``, and of variants ``variant.context``, ``variant.tags``, ``correct.tags``, ``error``.
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
    from kontrast.suites.testset import first_segment

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


UNKNOWN_CONTEXT = "context that is not known"
_Found = tuple[str, str]
"""A field, and the loss that names it with others."""


def read_back(suite: Suite, path: Path, fmt: Format, named: Collection[str]) -> list[Lost]:
    """Losses that the format did not name itself; what it names is in ``named``."""
    stream = str(path) == "-" or (path.exists() and not path.is_file() and not path.is_dir())
    if stream and fmt.write is not None:  # what went to standard output or a device is gone: a copy is read
        with TemporaryDirectory() as folder:
            fmt.write(suite, Path(folder) / "copy")
            return read_back(suite, Path(folder) / "copy", fmt, named)
    with redirect_stderr(io.StringIO()):  # warnings are for who reads the file later
        back = fmt.read(path)
    lost = [
        Lost(f"{field} {ours}", 0)
        for field in ("source_language", "target_language")
        if (ours := getattr(suite, field)) not in (None, getattr(back, field))
    ]
    counts: Counter[str] = Counter()
    before, after = iter(suite.items), iter(back.items)
    if "items without a wrong variant" in named:
        before = (item for item in before if len(item.variants) > 1)
    if "order of rows" in named:
        before, after = iter(sorted(before, key=_texts)), iter(sorted(after, key=_texts))
    for item, again in zip_longest(before, after):
        if item is None or again is None:
            lost.append(Lost("grouping of rows into items", 0))
            counts.clear()
            break
        found = {field for field, cover in _differences(item, again, "wrong variants" in named) if cover not in named}
        counts.update(field for field in found if not any(f"{each} ".startswith(f"{field} ") for each in named))
    lost += [Lost(field, count) for field, count in sorted(counts.items())]
    return [each for each in lost if each.field not in named]


def _differences(item: Item, again: Item, alone: bool) -> Iterator[_Found]:
    """What the item has and what was read has not.

    A context that is none at all may be read as one that is not known, not the other way round; an id of digits is a
    place.
    """
    if item.id != again.id and not item.id.isdecimal():
        yield "id", "id"
    for field in ("document", "segment"):
        if getattr(item, field) not in (None, getattr(again, field)):
            yield field, field
    for field in ("source_context", "source_next", "target_next"):
        if (getattr(item, field) or ()) != (getattr(again, field) or ()):
            yield field, "context as several sentences"
    sides = ((item.source_context, again.source_context), (item.target_context, again.target_context))
    if any(ours is None and theirs == () for ours, theirs in sides):
        yield UNKNOWN_CONTEXT, UNKNOWN_CONTEXT
    if [each.text for each in item.references] != [each.text for each in again.references][: len(item.references)]:
        yield "references", "references"
    yield from _lost_tags(item.tags, again.tags, "tags")
    if item.phenomenon is None and again.phenomenon is not None:
        yield "phenomenon left open", "error left open"
    before, after = (item.best, *item.foils), (again.best, *again.foils)
    if alone:
        before = before[:1]
    elif item.correct != again.correct:
        yield "correct", "correct"
    if item.source != again.source or [v.text for v in before] != [v.text for v in after]:
        yield "texts as they are", "texts as they are"
        return
    for place, (one, other) in enumerate(zip(before, after, strict=True)):
        side = "variant" if place else "correct"
        if _context(item, one) != _context(again, other):
            yield ("target_context" if one.context is None else "variant.context"), "context as several sentences"
        if one.error not in (None, other.error):
            yield ("error" if place else "correct.error"), "error left open"
        yield from _lost_tags(one.tags, other.tags, f"{side}.tags")


def _texts(item: Item) -> list[str]:
    return [item.source, item.best.text, *(variant.text for variant in item.foils)]


def _context(item: Item, variant: Variant) -> tuple[str, ...]:
    return (item.target_context if variant.context is None else variant.context) or ()


def _lost_tags(before: Tags, after: Tags, field: str) -> Iterator[_Found]:
    for tag, value in before.items():
        if tag not in after or after[tag] != value or type(after[tag]) is not type(value):
            yield f"tag {tag}", field
