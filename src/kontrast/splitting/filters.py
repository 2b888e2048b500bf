"""What to leave out of the counts, lemmas, relations and compounds or whole sentences: nothing by default."""

import re

import msgspec
import numpy as np

from kontrast.errors import InputError, KontrastError
from kontrast.splitting.options import Filters, SentenceFilter
from kontrast.splitting.token_table import Array, TokenTable

PRESETS = {
    "none": Filters(),
    # Europarl splits of the authors: without the 200 most frequent lemmas, then a hundred ranks at a time as long as
    # the first of them occurs ten times.
    "authors": Filters(
        min_frequency=10,
        min_rank=200,
        without_characters=r"[!-,./:-@\[-`{-~0-9 ‘’]",
        min_length=1,
        weight=0.5,
        frequency_block=100,
        heads_depend=True,
        atoms_of_dropped=True,
        shared_names=True,
    ),
}


_OF_LEMMAS = ("min_frequency", "max_frequency", "min_rank", "max_rank", "without_characters", "min_length")


def lemma_mask(table: TokenTable, filters: Filters) -> Array:
    """Which tokens may take part, by their lemma and part of speech."""
    mask = np.ones(table.tokens, np.bool_)
    if filters.pos:
        if len(table.tags) < 2:
            raise KontrastError("a filter by part of speech needs tags, but this corpus has none")
        mask &= np.array([tag in filters.pos for tag in table.tags], np.bool_)[table.tag]
    if all(getattr(filters, name) == getattr(PRESETS["none"], name) for name in _OF_LEMMAS):
        return mask
    noise = re.compile(filters.without_characters) if filters.without_characters else None
    good = np.array([len(w) >= filters.min_length and not (noise and noise.search(w)) for w in table.words], np.bool_)
    frequency = table.frequency
    if frequency is None:
        frequency = np.bincount(table.word, minlength=len(table.words))
    ranked = np.flatnonzero(good)
    ranked = ranked[np.argsort(-frequency[ranked], kind="stable")]
    in_range = np.zeros(len(table.words), np.bool_)
    chosen = ranked[filters.min_rank : filters.max_rank]
    block = max(1, filters.frequency_block)
    first = frequency[chosen[::block]] >= filters.min_frequency
    in_range[chosen[np.repeat(first, block)[: len(chosen)]]] = True
    if filters.max_frequency is not None:
        in_range &= frequency <= filters.max_frequency
    return mask & in_range[table.word]


def bundle_of(morph: str, filters: Filters) -> str:
    """A token's features without those that are not wanted; empty where none is left or the token goes."""
    tags = [] if morph in ("", "_") else morph.split("|")
    if any(tag.partition("=")[0] in filters.without_tagged for tag in tags):
        return ""
    kept = [tag for tag in tags if not filters.tags or tag.startswith(filters.tags)]
    return "|".join(tag for tag in kept if not tag.startswith(filters.without_tags or "\n"))


def relation_mask(table: TokenTable, filters: Filters, *, compounds: bool = True) -> Array:
    """Which relation labels are wanted; those that never make a compound are left out of ``compounds`` only."""

    def wanted(label: str) -> bool:
        if compounds and any(_matches(label, pattern) for pattern in filters.without_relations):
            return False
        return not filters.relations or any(_takes(label, pattern) for pattern in filters.relations)

    return np.array([wanted(label) for label in table.relations], np.bool_)


def _matches(label: str, pattern: str) -> bool:
    return label.startswith(pattern[:-1]) if pattern.endswith("*") else label == pattern


def _takes(label: str, pattern: str) -> bool:
    if pattern.endswith(":"):
        return label == pattern[:-1]
    return _matches(label, pattern) or label.startswith(pattern + ":")


def subcompound_mask(shared: Array, totals: Array, weight: float) -> Array:
    """Compounds whose ``shared`` parts (columns) weigh enough: 1 − the largest share one compound has of them."""
    key = shared[:, 0].astype(np.int64)
    for column in range(1, shared.shape[1]):
        key = key << 32 | shared[:, column]
    _, group = np.unique(key, return_inverse=True)
    whole = np.bincount(group, totals)
    largest = np.zeros(len(whole))
    np.maximum.at(largest, group, totals)
    return np.asarray((1 - largest / np.maximum(whole, 1) >= weight)[group])


def preset_filters(name: str, **changes: object) -> Filters:
    """A preset by its name, with changes."""
    if name not in PRESETS:
        raise KontrastError(f"{name!r} is not a preset of filters; expected one of {', '.join(PRESETS)}")
    return msgspec.structs.replace(PRESETS[name], **changes)


REASONS = ("kept", "length", "duplicate", "ratio")
"""Why a sentence was left out, by its number in ``filtered``."""


def filter_sentences(table: TokenTable, chosen: SentenceFilter) -> tuple[TokenTable, Array]:
    """The table with the sentences left out emptied, so that numbers stay the corpus', and the reason for each."""
    lengths = np.diff(table.starts)
    reason = np.zeros(table.sentences, np.uint8)
    if chosen.parallel and chosen.max_ratio is not None:
        words = np.maximum(1, _words(chosen.parallel, table.sentences))
        own = np.maximum(1, lengths)
        reason[np.maximum(own / words, words / own) > chosen.max_ratio] = REASONS.index("ratio")
    if chosen.no_duplicates:
        _, first = np.unique(table.text, return_index=True)
        again = np.ones(table.sentences, np.bool_)
        again[first] = False
        reason[again] = REASONS.index("duplicate")
    most = int(lengths.max(initial=0)) if chosen.max_tokens is None else chosen.max_tokens
    reason[(lengths < chosen.min_tokens) | (lengths > most)] = REASONS.index("length")
    if not reason.any():
        return table, reason
    keep = np.repeat(reason == 0, lengths)
    starts = np.zeros(table.sentences + 1, np.int64)
    np.cumsum(np.where(reason == 0, lengths, 0), out=starts[1:])
    columns = {
        name: getattr(table, name)[keep]
        for name in ("word", "relation", "head", "tag", "morph")
        if len(getattr(table, name)) == len(keep)
    }
    return msgspec.structs.replace(table, starts=starts, **columns), reason


def _words(path: str, sentences: int) -> Array:
    from kontrast.language.alignment import spans
    from kontrast.splitting.corpus_reader import corpus_texts

    texts = corpus_texts(path)
    if len(texts) != sentences:
        raise InputError(path, f"has {len(texts)} sentences, but the corpus has {sentences}")
    return np.array([len(spans(text)) for text in texts], np.int64)
