"""A part of a suite chosen by tags: ``SUITE?only=phenomenon=negation,distance=1``.

Scores, verdicts and translations of the whole suite are cut to the part when they are read.

A part of a suite for a first trial: so many items, spread over the phenomena as in the whole, drawn by a seed.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

import msgspec

from kontrast.defaults import SEED
from kontrast.errors import KontrastError
from kontrast.io import files
from kontrast.suites.description import is_number, number_in, value_text
from kontrast.suites.model import Item, Scores, Suite, Tags

NONE = "(none)"
"""The value of a tag that an item does not have, as tables print it."""

T = TypeVar("T")


class Cut(msgspec.Struct, frozen=True):
    """Where the part is in the whole: the numbers of its items, rows and decisions, and what the whole is."""

    fingerprint: str
    item_count: int
    row_count: int
    items: tuple[int, ...]
    rows: tuple[int, ...]
    decisions: tuple[int, ...]


class Subset(Suite, frozen=True, omit_defaults=True):
    """Some items of a suite; its name says which."""

    cut: Cut | None = None


def chosen_items(suite: Suite, only: str) -> Suite:
    """The items whose tags have these values; of a suite of pairs, the pairs.

    Several values of one tag are alternatives, several tags must all fit.
    """
    wanted, numbers = _wanted(suite, only)
    items: list[Item] = []
    places: list[int] = []
    rows: list[int] = []
    decisions: list[int] = []
    row = decision = 0
    for i, item in enumerate(suite.items):
        wrong = [j for j in range(len(item.variants)) if j != item.correct]
        by_pair = suite.unit == "pair" and bool(wrong)
        kept = (
            [j for j in wrong if _fits(item, item.tags_of(item.variants[j]), wanted, numbers)] if by_pair else wrong
        )
        if kept if by_pair else _fits(item, item.tags_of(), wanted, numbers):
            variants = sorted([*kept, item.correct])
            changed = {"variants": tuple(item.variants[j] for j in variants), "correct": variants.index(item.correct)}
            items.append(msgspec.structs.replace(item, **changed) if len(variants) < len(item.variants) else item)
            places.append(i)
            rows += [row + j for j in variants]
            decisions += [decision + wrong.index(j) for j in kept] if by_pair else [decision]
        row += len(item.variants)
        decision += len(wrong) if by_pair else 1
    if not items:
        raise KontrastError(f"only={only}: no item of {suite.name} has all of these tags")
    cut = Cut(suite.fingerprint, len(suite.items), row, tuple(places), tuple(rows), tuple(decisions))
    fields = {name: getattr(suite, name) for name in Suite.__struct_fields__}
    return Subset(**fields | {"name": f"{suite.name}?only={only}", "items": tuple(items)}, cut=cut)


def _parsed(only: str) -> dict[str, set[str]]:
    """
    >>> _parsed("phenomenon=negation,tense,distance=1") == {"phenomenon": {"negation", "tense"}, "distance": {"1"}}
    True
    """
    wanted: dict[str, set[str]] = {}
    tag = ""
    for part in only.split(","):
        name, equals, value = part.partition("=")
        tag, value = (name.strip(), value) if equals else (tag, part)
        if not tag or not value:
            raise KontrastError(f"only={only}: expected TAG=VALUE, or several with commas, as in phenomenon=negation")
        wanted.setdefault(tag, set()).add(unquote(value).strip().lower())
    return wanted


def _wanted(suite: Suite, only: str, most: int = 12) -> tuple[dict[str, set[str]], dict[str, set[float]]]:
    """The values of each tag that are chosen, and the numbers among all of its values.

    A text that is one of the numbers ("1.0") counts as it, as in `label_values`. A misspelt tag or value would choose
    too little: it is an error.
    """
    wanted, numbers = _parsed(only), dict[str, set[float]]()
    values: dict[str, list[Any]] = {"id": [item.id for item in suite.items]}
    for item in suite.items:
        for variant in (None, *item.variants):
            for tag, value in item.tags_of(variant).items():
                found = values.setdefault(tag, [])
                if tag in wanted:
                    found.append(value)
    for tag in wanted:
        if tag not in values:
            raise KontrastError(f"only={tag}=…: {suite.name} has no such tag; known: {', '.join(sorted(values))}")
        numbers[tag] = {float(value) for value in values[tag] if is_number(value)}
        wanted[tag] = {_text(value, numbers[tag]) for value in wanted[tag]}
        known = list(dict.fromkeys(_text(value, numbers[tag]) for value in values[tag]))
        if unknown := sorted(wanted[tag] - {*known, NONE}):
            has = ", ".join(known[:most]) + (f" and {len(known) - most} more" if len(known) > most else "")
            raise KontrastError(f"only={tag}={unknown[0]}: no item of {suite.name} has this value; {tag} has {has}")
    return wanted, numbers


def _fits(item: Item, tags: Tags, wanted: dict[str, set[str]], numbers: dict[str, set[float]]) -> bool:
    return all(_text({"id": item.id, **tags}.get(tag), numbers[tag]) in values for tag, values in wanted.items())


def _text(value: Any, numbers: set[float]) -> str:
    if value is None:
        return NONE
    text = str(value) if is_number(value) else value_text(value).lower()
    number = number_in(text)
    return f"{number:.15g}" if number is not None and number in numbers else text


def cut_of(suite: object, count: int, what: str = "row_count") -> Cut | None:
    """How to cut so many rows (items, with ``item_count``) to this suite, where they are those of its whole."""
    cut = suite.cut if isinstance(suite, Subset) else None
    if cut is None or not isinstance(suite, Suite) or len(cut.rows) != suite.row_count:
        return None  # a trial of a part is drawn from the part
    own = suite.row_count if what == "row_count" else len(suite.items)
    return cut if count == getattr(cut, what) != own else None


def item_lines(path: str | Path, suite: Suite) -> Sequence[str]:
    """A line per item of the suite, or of the whole that it is a part of."""
    lines = files.read_lines(path)
    if (cut := cut_of(suite, len(lines), "item_count")) is not None:
        return _picked(lines, cut.items)
    files.refuse_length(path, len(lines), len(suite.items), f", one per item of {suite.name}")
    return lines


def cut_scores(scores: Scores, suite: Suite) -> Scores:
    """Scores of the whole suite as those of its part; others come back as they are."""
    cut = cut_of(suite, len(scores.values))
    if cut is None:
        return scores
    changed = scores_of_rows(scores, cut.rows, cut.fingerprint, suite)
    if "items" in scores.__struct_fields__:  # verdicts of `check`
        changed = msgspec.structs.replace(changed, items=_picked(scores.items, cut.decisions))  # type: ignore[attr-defined]
    return changed


def scores_of_rows(scores: Scores, rows: Sequence[int], whole: str | None, suite: Suite) -> Scores:
    """The scores of these rows, which are those of ``suite``; what was signed for the ``whole`` is signed for it."""
    signature = scores.signature
    if signature is not None and signature.fingerprint == whole:
        signature = msgspec.structs.replace(signature, suite=suite.name, fingerprint=suite.fingerprint)
    tokens = None if scores.tokens is None else _picked(scores.tokens, rows)
    unread = None if scores.unread is None else _picked(scores.unread, rows)
    values = _picked(scores.values, rows)
    return msgspec.structs.replace(scores, values=values, tokens=tokens, unread=unread, signature=signature)


def _picked(values: Sequence[T], places: Sequence[int]) -> tuple[T, ...]:
    return tuple(values[i] for i in places)


def sampled(suite: Suite, size: int, seed: int = SEED) -> Suite:
    """``size`` items in the suite's order; each phenomenon has its share, and at least one where there is room."""
    if size < 1:
        raise KontrastError(f"limit={size}: expected 1 or more")
    if size >= len(suite.items):
        return suite
    import random

    chance = random.Random(seed)
    strata: dict[str, list[int]] = {}
    for i, item in enumerate(suite.items):
        strata.setdefault(item.phenomenon or "", []).append(i)
    for places in strata.values():
        chance.shuffle(places)
    # Each item's place within its phenomenon, as a share: the smallest come first, so that all are spread alike.
    order = sorted((place / len(places), i) for places in strata.values() for place, i in enumerate(places))
    chosen = sorted(i for _, i in order[:size])
    return msgspec.structs.replace(suite, items=tuple(suite.items[i] for i in chosen))
