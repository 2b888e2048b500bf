"""Sentences left out before anything is counted: too short, too long, seen before, or unlike their translation."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np

from kontrast.errors import InputError, KontrastError
from kontrast.splitting.tokens import Array, TokenTable

__all__ = ["REASONS", "SentenceFilter", "filter_sentences"]

REASONS = ("kept", "length", "duplicate", "ratio")
"""Why a sentence was left out, by its number in ``filtered``."""


class SentenceFilter(msgspec.Struct, frozen=True, omit_defaults=True):
    """Limits on tokens; ``duplicates`` leaves out all but the first of equal sentences; with ``parallel`` (the other
    side of the corpus) neither side may have more than ``max_ratio`` times the words of the other."""

    min_tokens: int = 0
    max_tokens: int | None = None
    duplicates: bool = False
    parallel: str = ""
    max_ratio: float | None = None

    def __post_init__(self) -> None:
        if bool(self.parallel) != (self.max_ratio is not None):
            raise KontrastError("a filter by length ratio needs the other side of the corpus and the largest ratio")
        if self.max_ratio is not None and self.max_ratio < 1:
            raise KontrastError(f"the largest ratio of lengths is at least 1, not {self.max_ratio:g}")


def filter_sentences(table: TokenTable, chosen: SentenceFilter) -> tuple[TokenTable, Array]:
    """The table with the sentences left out emptied, so that numbers stay the corpus', and the reason for each."""
    lengths = np.diff(table.starts)
    reason = np.zeros(table.sentences, np.uint8)
    if chosen.parallel and chosen.max_ratio is not None:
        words = np.maximum(1, _words(chosen.parallel, table.sentences))
        own = np.maximum(1, lengths)
        reason[np.maximum(own / words, words / own) > chosen.max_ratio] = REASONS.index("ratio")
    if chosen.duplicates:
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
    from kontrast.splitting.exporting import read_corpus

    texts = read_corpus(Path(path))
    if len(texts) != sentences:
        raise InputError(path, f"has {len(texts)} sentences, but the corpus has {sentences}")
    return np.array([len(spans(text)) for text in texts], np.int64)
