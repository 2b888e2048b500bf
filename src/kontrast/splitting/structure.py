"""Features of shape: pairs of relations, sentence length, depth of the tree. Their splits are structural ones."""

from __future__ import annotations

import numpy as np

from kontrast.errors import KontrastError
from kontrast.splitting.filters import Filters, lemma_mask, relation_mask
from kontrast.splitting.occurrences import Occurrences
from kontrast.splitting.tokens import Array, TokenTable

__all__ = ["relation_pairs", "sentence_shape"]

_DEEPEST = 1000
"""A tree deeper than this is a circle of heads."""


def relation_pairs(table: TokenTable, filters: Filters) -> Occurrences:
    """Compounds: the relation of a token's head and its own; atoms: the relation of each token in one.

    An unseen compound is a relation in a place where train never has it, such as a relative clause in a subject.
    """
    from kontrast.splitting.scanning import intern_keys

    sentence = table.sentence_of_token()
    place = np.flatnonzero(
        (table.head >= 0) & relation_mask(table, filters)[table.relation] & lemma_mask(table, filters)
    )
    head = table.starts[sentence[place]] + table.head[place]
    labels = len(table.relations)
    number, distinct = intern_keys(table.relation[head].astype(np.int64) * labels + table.relation[place])
    in_compound = np.zeros(table.tokens, np.bool_)
    in_compound[place] = True
    in_compound[head] = True
    return Occurrences(
        atom_sentence=sentence[in_compound],
        atom=table.relation[in_compound],
        atom_names=[f"relation:{r}" for r in table.relations],
        compound_sentence=sentence[place],
        compound=number,
        compound_parts=np.stack([distinct // labels, distinct % labels], axis=1).astype(np.int32),
        part_names=table.relations,
    )


def sentence_shape(table: TokenTable, filters: Filters, measure: str, bin_size: int | None) -> Occurrences:
    """Compounds: how long (``length``) or deep (``depth``) a sentence is, in bins; atoms: its lemmas."""
    size = bin_size or (5 if measure == "length" else 1)
    if size < 1:
        raise KontrastError(f"a bin of {measure} must hold at least 1, not {size}")
    lengths = np.diff(table.starts)
    used = np.flatnonzero(lengths > 0)
    values = lengths if measure == "length" else _depths(table)
    number = values[used] // size
    tokens = np.flatnonzero(lemma_mask(table, filters))
    names = [f"{low}-{low + size - 1}" if size > 1 else f"{low}" for low in range(0, int(values.max()) + size, size)]
    top = len(names)
    return Occurrences(
        atom_sentence=table.sentence_of_token()[tokens],
        atom=table.word[tokens],
        atom_names=[f"lemma:{w}" for w in table.words],
        compound_sentence=used.astype(np.int32),
        compound=number.astype(np.int32),
        compound_parts=np.stack([np.full(top, top), np.arange(top)], axis=1).astype(np.int32),
        part_names=[*names, measure],
    )


def _depths(table: TokenTable) -> Array:
    """Tokens on the longest way from the root of each sentence; 1 where all are roots."""
    sentence = table.sentence_of_token()
    above = np.where(table.head >= 0, table.starts[sentence] + table.head, -1)
    depth = np.zeros(table.sentences, np.int64)
    open_tokens, now = np.arange(table.tokens), np.arange(table.tokens)
    for level in range(1, _DEEPEST):
        depth[sentence[open_tokens]] = level
        now = above[now]
        open_tokens, now = open_tokens[now >= 0], now[now >= 0]
        if not len(open_tokens):
            return depth
    raise KontrastError(f"sentence {int(sentence[open_tokens[0]])} (counted from 0) has heads in a circle")
