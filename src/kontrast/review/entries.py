"""What is reviewed: an entry is one wrong variant of one item, or an item that has none."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from kontrast.suites.model import Item, Suite


def lacks_context(item: Item) -> bool:
    """Does an item about a pronoun hold no sentence before, though its antecedent may stand there?"""
    if "src_pronoun" not in item.tags and "ref_pronoun" not in item.tags:
        return False
    held = item.source_context or item.target_context or any(variant.context for variant in item.variants)
    return not held and item.tags.get("distance") != 0


class ReviewEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One decision for a reader.

    ``key`` is its permanent address; ``variant`` is the place of the candidate among the item's variants (None: the
    item has only its correct one); ``part`` is the file of a folder; ``forms`` are other candidates in its place, and
    ``pair`` are the numbers of the aligned words of source and reference.
    """

    key: str
    item: Item
    variant: int | None
    part: str = ""
    forms: tuple[str, ...] = ()
    pair: tuple[int, int] | None = None

    @property
    def candidate(self) -> str | None:
        return self.item.variants[self.variant].text if self.variant is not None else None

    @property
    def phenomenon(self) -> str:
        """What it is filtered by; empty where the suite does not say."""
        tags = self.item.tags_of(self.item.variants[self.variant] if self.variant is not None else None)
        return str(tags.get("phenomenon") or "")

    @property
    def confidence(self) -> float | None:
        """How sure its maker was, from 0 to 1: the tag of that name; 0 for one that is tagged ``weak``."""
        tags: dict[str, Any] = dict(self.item.tags)
        if self.variant is not None:
            tags |= self.item.variants[self.variant].tags
        value = tags.get("confidence")
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        return 0.0 if tags.get("weak") is True else None

    @property
    def digest(self) -> str:
        """Of all that a reader sees: a decision holds for exactly that."""
        seen = [self.item, self.variant, self.forms]
        return hashlib.sha256(msgspec.json.encode(seen, order="deterministic")).hexdigest()[:16]


def entries_of(suite: Suite, part: str = "") -> Iterator[ReviewEntry]:
    """An entry for every wrong variant, in suite order."""
    for item in suite.items:
        yield from entries_of_item(item, part)


def entries_of_item(item: Item, part: str = "") -> list[ReviewEntry]:
    """The entries of one item; the only candidate of an item has the item's own id for a key."""
    base = f"{part}:{item.id}" if part else item.id
    wrong = [i for i in range(len(item.variants)) if i != item.correct]
    if len(wrong) < 2:
        return [ReviewEntry(base, item, wrong[0] if wrong else None, part)]
    return [ReviewEntry(f"{base}/{number}", item, i, part) for number, i in enumerate(wrong, start=1)]


def unique(entries: Iterable[ReviewEntry]) -> Iterator[ReviewEntry]:
    """The entries with keys that differ: one that comes again gets ``~2``, ``~3`` …"""
    seen: dict[str, int] = {}
    for entry in entries:
        count = seen[entry.key] = seen.get(entry.key, 0) + 1
        yield entry if count == 1 else msgspec.structs.replace(entry, key=f"{entry.key}~{count}")
