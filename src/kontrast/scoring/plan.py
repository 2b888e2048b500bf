"""What there is to score: rows rendered, grouped by source, equal targets of a group only once."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

import msgspec

from kontrast.errors import KontrastError
from kontrast.scoring.context import Context, Contexts
from kontrast.scoring.engine import Group, Target
from kontrast.suites.model import Suite


class Plan(msgspec.Struct, frozen=True):
    """The groups, and for each row of the suite its (group, target) and its name for messages.

    ``amounts`` says how many items have how many sentences of context.
    """

    groups: list[Group]
    places: list[tuple[int, int]]
    names: list[str] = []
    amounts: dict[int, int] = {}

    @property
    def target_count(self) -> int:
        return sum(len(group.targets) for group in self.groups)

    def name(self, place: tuple[int, int]) -> str:
        """The first row that a target stands for, as a person would look it up."""
        row = self.places.index(place)
        return self.names[row] if self.names else f"row {row + 1}"

    def part(self, rows: Sequence[int]) -> Plan:
        """The plan of these rows alone."""
        kept = {group: i for i, group in enumerate(dict.fromkeys(self.places[row][0] for row in rows))}
        places = [(kept[self.places[row][0]], self.places[row][1]) for row in rows]
        return Plan([self.groups[group] for group in kept], places, [self.names[row] for row in rows], self.amounts)

    @property
    def digest(self) -> bytes:
        """Tells plans apart: their groups with their targets, in order."""
        return hashlib.blake2b(msgspec.msgpack.encode(self.groups), digest_size=8).digest()


def make_plan(suite: Suite, context: Context | None = None, *, apart: bool = False) -> Plan:
    """Render every row. Rows with the same rendered source are one group, wherever they are in the suite.

    With ``apart`` every item is a group of its own: a vote between variants must not hear of another item's.

    >>> from kontrast.suites.model import Item, Variant
    >>> one, two = Variant("ein Hund"), Variant("eine Hund")
    >>> items = [Item("1", "a dog", (one, two)), Item("2", "a dog", (one,))]
    >>> plan = make_plan(Suite("s", tuple(items)))
    >>> len(plan.groups), [target.text for target in plan.groups[0].targets], plan.places
    (1, ['ein Hund', 'eine Hund'], [(0, 0), (0, 1), (0, 0)])
    >>> make_plan(Suite("s", tuple(items)), apart=True).places
    [(0, 0), (0, 1), (1, 0)]
    """
    context = context or Context()
    contexts = Contexts(suite, context)
    keys: dict[tuple[str, str, tuple[str, ...], int], int] = {}
    targets: list[dict[Target, int]] = []
    places: list[tuple[int, int]] = []
    names: list[str] = []
    for row in suite.rows():
        before, after, target_before = contexts.of(row)
        head, sentence, tail = context.scheme.render(before, row.item.source, after)
        key = (head + sentence + tail, row.item.source, (*before, *after), row.item_index if apart else 0)
        group = keys.setdefault(key, len(keys))
        if group == len(targets):
            targets.append({})
        names.append(f"item {row.item.id}, variant {row.variant_index + 1} ({row.variant.text[:40]!r})")
        prefix, text, end = "", row.variant.text, ""
        if context.span is not None and context.side != "source":
            prefix, text, end = context.scheme.render(target_before, row.variant.text)
        target = Target(prefix + text + end) if context.scored else Target(text + end, prefix)
        places.append((group, targets[group].setdefault(target, len(targets[group]))))
    groups = [
        Group(source, tuple(found), sentence, sentences)
        for (source, sentence, sentences, _), found in zip(keys, targets, strict=True)
    ]
    return Plan(groups, places, names, contexts.amounts())


def refuse_not_finite(suite: Suite, name: str, values: Sequence[float]) -> None:
    """Of scores of a suite's rows, what is not a finite number is an error that names its item."""
    for row, value in zip(suite.rows(), values, strict=True):
        if not math.isfinite(value):
            where = f"item {row.item.id}, variant {row.variant_index + 1}"
            raise KontrastError(f"{where}: {name} gave {value}; expected a finite number")
