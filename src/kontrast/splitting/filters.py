"""What to leave out of the counts: nothing by default; the authors' own choice is a preset."""

from __future__ import annotations

import re

import msgspec
import numpy as np

from kontrast.errors import KontrastError
from kontrast.splitting.tokens import Array, TokenTable

__all__ = ["PRESETS", "Filters", "lemma_mask", "preset_filters", "relation_mask", "subcompound_mask"]


class Filters(msgspec.Struct, frozen=True, omit_defaults=True):
    """Filters on lemmas (frequency, rank, characters, length, part of speech), relations and compounds.

    Ranks count from 0, most frequent first, among lemmas that pass the character filter.
    """

    min_frequency: int = 1
    max_frequency: int | None = None
    min_rank: int = 0
    max_rank: int | None = None
    without_characters: str = ""
    """A regular expression; a lemma in which it is found is left out."""
    min_length: int = 0
    pos: tuple[str, ...] = ()
    """Only tokens of these parts of speech (universal tags)."""
    relations: tuple[str, ...] = ()
    """Only these relations; ``nsubj`` also takes its subtypes, ``nsubj:`` none but the plain one."""
    without_relations: tuple[str, ...] = ("root", "punct*")
    min_compound: int = 1
    max_compound: int | None = None
    weight: float = 0.0
    """Leave out a (relation, dependent) of which one head has more than 1 − weight of the occurrences."""


PRESETS = {
    "none": Filters(),
    # Europarl splits of the authors: the 200 most frequent lemmas and those seen under ten times left out.
    "authors": Filters(
        min_frequency=10, min_rank=200, without_characters=r"[!-,./:-@\[-`{-~0-9 ‘’]", min_length=1, weight=0.5
    ),
}


def lemma_mask(table: TokenTable, filters: Filters) -> Array:
    """Which tokens may take part, by their lemma and part of speech."""
    mask = np.ones(table.tokens, np.bool_)
    if filters.pos:
        if len(table.tags) < 2:
            raise KontrastError("a filter by part of speech needs tags, but this corpus has none")
        mask &= np.array([tag in filters.pos for tag in table.tags], np.bool_)[table.tag]
    plain = msgspec.structs.replace(Filters(), **{
        f: getattr(filters, f)
        for f in ("pos", "relations", "without_relations", "min_compound", "max_compound", "weight")
    })  # fmt: skip
    if plain == filters:
        return mask
    noise = re.compile(filters.without_characters) if filters.without_characters else None
    good = np.array([len(w) >= filters.min_length and not (noise and noise.search(w)) for w in table.words], np.bool_)
    frequency = np.bincount(table.word, minlength=len(table.words))
    ranked = np.flatnonzero(good)
    ranked = ranked[np.argsort(-frequency[ranked], kind="stable")]
    in_range = np.zeros(len(table.words), np.bool_)
    in_range[ranked[filters.min_rank : filters.max_rank]] = True
    in_range &= frequency >= filters.min_frequency
    if filters.max_frequency is not None:
        in_range &= frequency <= filters.max_frequency
    return mask & in_range[table.word]


def relation_mask(table: TokenTable, filters: Filters) -> Array:
    """Which relation labels make a compound."""

    def wanted(label: str) -> bool:
        if any(_matches(label, pattern) for pattern in filters.without_relations):
            return False
        return not filters.relations or any(_takes(label, pattern) for pattern in filters.relations)

    return np.array([wanted(label) for label in table.relations], np.bool_)


def _matches(label: str, pattern: str) -> bool:
    return label.startswith(pattern[:-1]) if pattern.endswith("*") else label == pattern


def _takes(label: str, pattern: str) -> bool:
    if pattern.endswith(":"):
        return label == pattern[:-1]
    return _matches(label, pattern) or label.startswith(pattern + ":")


def subcompound_mask(parts: Array, totals: Array, weight: float) -> Array:
    """Compounds whose (relation, dependent) weighs enough: 1 − the largest share that one head has of it."""
    _, group = np.unique(parts[:, 1].astype(np.int64) << 32 | parts[:, 2], return_inverse=True)
    whole = np.bincount(group, totals)
    largest = np.zeros(len(whole))
    np.maximum.at(largest, group, totals)
    return np.asarray((1 - largest / np.maximum(whole, 1) >= weight)[group])


def preset_filters(name: str, **changes: object) -> Filters:
    """A preset by its name, with changes.

    >>> preset_filters("authors", min_frequency=3).min_rank
    200
    """
    if name not in PRESETS:
        raise KontrastError(f"{name!r} is not a preset of filters; expected one of {', '.join(PRESETS)}")
    return msgspec.structs.replace(PRESETS[name], **changes)
