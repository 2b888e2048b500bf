"""Built-in features: atoms and compounds of dependencies, of morphology, of word n-grams."""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np

from kontrast.errors import KontrastError
from kontrast.splitting.filters import Filters, lemma_mask, relation_mask, subcompound_mask
from kontrast.splitting.matrix import CorpusCounts, Lines, Matrix
from kontrast.splitting.tokens import Array, TokenTable

__all__ = ["FEATURES", "count_table"]

Features = Literal["dependency", "morphology", "ngram"]
FEATURES: tuple[Features, ...] = ("dependency", "morphology", "ngram")


class _Found(msgspec.Struct, frozen=True):
    """Occurrences: the sentence and the number of each; and the strings that name a number, by parts."""

    atom_sentence: Array
    atom: Array
    atom_names: list[str]
    compound_sentence: Array
    compound: Array
    compound_parts: Array
    part_names: list[str]


def count_table(
    table: TokenTable, features: str = "dependency", filters: Filters | None = None, *, order: int = 2
) -> CorpusCounts:
    """Count a parsed corpus. ``order`` is the n of word n-grams."""
    filters = filters or Filters()
    if features == "dependency":
        found = _dependency(table, filters)
    elif features == "morphology":
        found = _morphology(table, filters)
    elif features == "ngram":
        found = _ngram(table, filters, order)
    else:
        raise KontrastError(f"{features!r} is not a kind of feature; expected one of {', '.join(FEATURES)}")
    return CorpusCounts(
        atoms=_atom_matrix(found, table.sentences),
        compounds=_compound_matrix(found, table.sentences, filters),
        lengths=np.diff(table.starts).astype(np.int32),
        documents=table.document,
        texts=table.text,
        about={"features": features, **({"order": order} if features == "ngram" else {}), "filters": filters},
    )


def _dependency(table: TokenTable, filters: Filters) -> _Found:
    """Compounds: head lemma, relation, dependent lemma; atoms: their relations, and each token in one's lemma."""
    from kontrast.splitting.scanning import intern_keys

    sentence = table.sentence_of_token()
    good = lemma_mask(table, filters)
    in_one = (table.head >= 0) & relation_mask(table, filters)[table.relation] & good
    head = (table.starts[sentence] + table.head)[in_one]
    in_one[in_one] = good[head]
    place = np.flatnonzero(in_one)
    head = (table.starts[sentence[place]] + table.head[place]).astype(np.int64)
    relations, words = len(table.relations), len(table.words)
    key = (table.word[head].astype(np.int64) * relations + table.relation[place]) * words + table.word[place]
    number, distinct = intern_keys(key)
    parts = np.stack(
        [distinct // words // relations, words + distinct // words % relations, distinct % words], axis=1
    )
    if filters.weight:
        keep = subcompound_mask(parts, np.bincount(number, minlength=len(distinct)), filters.weight)[number]
        place, head, number = place[keep], head[keep], number[keep]
    in_compound = np.zeros(table.tokens, np.bool_)
    in_compound[place] = True
    in_compound[head] = True
    return _Found(
        atom_sentence=np.concatenate([sentence[in_compound], sentence[place]]),
        atom=np.concatenate([table.word[in_compound], words + table.relation[place]]),
        atom_names=[f"lemma:{w}" for w in table.words] + [f"relation:{r}" for r in table.relations],
        compound_sentence=sentence[place],
        compound=number,
        compound_parts=parts.astype(np.int32),
        part_names=table.words + table.relations,
    )


def _morphology(table: TokenTable, filters: Filters) -> _Found:
    """Compounds: a lemma with its bundle of features; atoms: the lemma and each single feature."""
    from kontrast.splitting.scanning import intern_keys

    sentence = table.sentence_of_token()
    bare = np.array([morph in ("", "_") for morph in table.morphs], np.bool_)
    place = np.flatnonzero(
        ~bare[table.morph] & lemma_mask(table, filters) & relation_mask(table, filters)[table.relation]
    )
    words, bundles = len(table.words), len(table.morphs)
    number, distinct = intern_keys(table.word[place].astype(np.int64) * bundles + table.morph[place])
    singles: dict[str, int] = {}
    of_bundle = [[singles.setdefault(f, len(singles)) for f in morph.split("|")] for morph in table.morphs]
    sizes = np.array([len(b) for b in of_bundle])
    flat = np.array([f for b in of_bundle for f in b], np.int32)
    starts = np.cumsum(sizes) - sizes
    bundle = table.morph[place]
    times = sizes[bundle]
    within = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
    single = flat[np.repeat(starts[bundle], times) + within]
    return _Found(
        atom_sentence=np.concatenate([sentence[place], np.repeat(sentence[place], times)]),
        atom=np.concatenate([table.word[place], words + single]).astype(np.int32),
        atom_names=[f"lemma:{w}" for w in table.words] + [f"feature:{f}" for f in singles],
        compound_sentence=sentence[place],
        compound=number,
        compound_parts=np.stack([distinct // bundles, words + distinct % bundles], axis=1).astype(np.int32),
        part_names=table.words + table.morphs,
    )


def _ngram(table: TokenTable, filters: Filters, order: int) -> _Found:
    """Compounds: runs of ``order`` words; atoms: the words in one."""
    from kontrast.splitting.scanning import intern_keys

    if order < 2:
        raise KontrastError(f"an n-gram compound has at least 2 words, not {order}")
    sentence = table.sentence_of_token()
    good = lemma_mask(table, filters)
    first = np.arange(max(0, table.tokens - order + 1))
    usable = sentence[first] == sentence[first + order - 1]
    for offset in range(order):
        usable &= good[first + offset]
    place = first[usable]
    number = table.word[place]
    parts = np.arange(len(table.words))[:, None]
    for offset in range(1, order):
        number, distinct = intern_keys(number.astype(np.int64) * len(table.words) + table.word[place + offset])
        parts = np.hstack([parts[distinct // len(table.words)], (distinct % len(table.words))[:, None]])
    in_compound = np.zeros(table.tokens, np.bool_)
    for offset in range(order):
        in_compound[place + offset] = True
    return _Found(
        atom_sentence=sentence[in_compound],
        atom=table.word[in_compound],
        atom_names=[f"word:{w}" for w in table.words],
        compound_sentence=sentence[place],
        compound=number,
        compound_parts=parts.astype(np.int32),
        part_names=table.words,
    )


def _atom_matrix(found: _Found, sentences: int) -> Matrix:
    kept, number = _renumbered(found.atom, np.bincount(found.atom, minlength=len(found.atom_names)) > 0)
    names = [found.atom_names[i] for i in kept.tolist()]
    return build_matrix(found.atom_sentence, number, sentences, Lines.of(names))


def _compound_matrix(found: _Found, sentences: int, filters: Filters) -> Matrix:
    from kontrast.splitting.scanning import join_parts

    totals = np.bincount(found.compound, minlength=len(found.compound_parts))
    keep = totals >= max(1, filters.min_compound)
    if filters.max_compound is not None:
        keep &= totals <= filters.max_compound
    kept, number = _renumbered(found.compound, keep)
    names = Lines.of(found.part_names)
    lengths = np.diff(names.ends, prepend=0)
    blob = np.frombuffer(names.blob, np.uint8)
    joined, ends = join_parts(found.compound_parts[kept], blob, names.ends - lengths, names.ends - 1)
    mask = keep[found.compound]
    return build_matrix(found.compound_sentence[mask], number[mask], sentences, Lines(joined.tobytes(), ends))


def _renumbered(numbers: Array, keep: Array) -> tuple[Array, Array]:
    """Close the gaps that features left out have left: (the kept old numbers, new number of each occurrence)."""
    new = np.cumsum(keep, dtype=np.int32) - 1
    return np.flatnonzero(keep), new[numbers]


def build_matrix(sentence: Array, feature: Array, sentences: int, names: Lines) -> Matrix:
    """A matrix from occurrences; counts take one byte each where they fit."""
    from kontrast.splitting.scanning import csr_rows

    indptr, indices, data = csr_rows(sentence.astype(np.int32), feature.astype(np.int32), sentences)
    small = not data.size or data.max() <= 255
    return Matrix(indptr, indices, data.astype(np.uint8) if small else data, names)
