"""Atoms and compounds that are built in, without what filters leave out, and the filter of whole sentences.

They are of dependencies, morphology, word n-grams, relations and sentence shape.
"""

import re
from typing import Any, Literal

import msgspec
import numpy as np

from kontrast.errors import InputError, KontrastError
from kontrast.splitting.corpus_counts import REASONS, Lines
from kontrast.splitting.corpus_reader import corpus_texts
from kontrast.splitting.options import Filters, SentenceFilter
from kontrast.splitting.token_table import Array, TokenTable, Vocabulary

Features = Literal["dependency", "morphology", "ngram", "relations", "length", "depth"]
FEATURES: tuple[Features, ...] = ("dependency", "morphology", "ngram", "relations", "length", "depth")


_DEEPEST = 1000
"""A tree deeper than this is a circle of heads."""


class Occurrences(msgspec.Struct, frozen=True):
    """Occurrences: the sentence and the number of each; and the strings that name a number, by parts."""

    atom_sentence: Array
    atom: Array
    atom_names: list[str]
    compound_sentence: Array
    compound: Array
    compound_parts: Array
    part_names: list[str]


def about_features(features: str, filters: Filters, order: int, bin_size: int | None = None) -> dict[str, Any]:
    """What is written of how a corpus was counted."""
    return {
        "features": features,
        **({"order": order} if features == "ngram" else {}),
        **({"bin": bin_size} if bin_size is not None else {}),
        "filters": filters,
    }


def occurrences(
    table: TokenTable, features: str, filters: Filters, *, order: int = 2, bin_size: int | None = None
) -> Occurrences:
    """Where atoms and compounds of that kind occur."""
    if features == "dependency":
        return _dependency(table, filters)
    if features == "morphology":
        return _morphology(table, filters)
    if features == "ngram":
        return _ngram(table, filters, order)
    if features == "relations":
        return _relation_pairs(table, filters)
    if features in ("length", "depth"):
        return _sentence_shape(table, filters, features, bin_size)
    raise KontrastError(f"{features!r} is not a kind of feature; expected one of {', '.join(FEATURES)}")


def compound_names(found: Occurrences, numbers: Array) -> Lines:
    """The names of some compounds: their parts with tabs between them."""
    from kontrast.splitting.compiled_loops import join_parts

    names = Lines.of(found.part_names)
    lengths = np.diff(names.ends, prepend=0)
    blob = np.frombuffer(names.blob, np.uint8)
    joined, ends = join_parts(
        found.compound_parts[numbers].astype(np.int32), blob, names.ends - lengths, names.ends - 1
    )
    return Lines(joined.tobytes(), ends)


def _dependency(table: TokenTable, filters: Filters) -> Occurrences:
    """Compounds: head lemma, relation, dependent lemma; atoms: their relations, and each token in one's lemma."""
    from kontrast.splitting.compiled_loops import intern_keys

    sentence = table.sentence_of_token()
    good = _lemma_mask(table, filters)
    in_one = (table.head >= 0) & _relation_mask(table, filters)[table.relation] & good
    head = (table.starts[sentence] + table.head)[in_one]
    in_one[in_one] = good[head]
    place = np.flatnonzero(in_one)
    head = (table.starts[sentence[place]] + table.head[place]).astype(np.int64)
    relations, words = len(table.relations), len(table.words)
    key = (table.word[head].astype(np.int64) * relations + table.relation[place]) * words + table.word[place]
    number, distinct = intern_keys(key)
    columns = distinct // words // relations, words + distinct // words % relations, distinct % words
    parts = np.stack(columns, axis=1, dtype=np.int32, casting="unsafe")
    keep = np.ones(len(distinct), np.bool_)
    if filters.weight:
        keep = _subcompound_mask(parts[:, 1:], np.bincount(number, minlength=len(distinct)), filters.weight)
    with_atoms = np.ones(len(distinct), np.bool_) if filters.atoms_of_dropped else keep
    labels, atom_of_label = np.ones(relations, np.bool_), np.arange(words, words + relations)
    known = {word: i for i, word in enumerate(table.words)} if filters.shared_names else {}
    twins = [(r, known[name]) for r, name in enumerate(table.relations) if name in known]
    for label, word in twins:
        atom_of_label[label] = word
    if filters.heads_depend:
        depends, labels = np.zeros(words, np.bool_), np.zeros(relations, np.bool_)
        depends[parts[keep, 2]] = True
        labels[parts[keep, 1] - words] = True
        for label, word in twins:
            labels[label] = depends[word] = labels[label] or depends[word]
        with_atoms = with_atoms & depends[parts[:, 0]] & depends[parts[:, 2]]
        keep = keep & with_atoms
    counted, atomic = keep[number], with_atoms[number]
    in_compound, lemmas, names = _tokens_at("lemma", table.word, table.words, sentence, place[atomic], head[atomic])
    labelled = place[atomic & labels[table.relation[place]]]
    atom_sentence = np.concatenate([in_compound, sentence[labelled]])
    atom = np.concatenate([lemmas, atom_of_label[table.relation[labelled]]])
    names += [f"relation:{r}" for r in table.relations]
    compounds = sentence[place[counted]], number[counted], parts, table.words + table.relations
    return Occurrences(atom_sentence, atom, names, *compounds)


def _tokens_at(
    kind: str, column: Array, names: list[str], sentence: Array, *places: Array
) -> tuple[Array, Array, list[str]]:
    """Atoms: what stands in the column at these places, each token once."""
    chosen = np.zeros(len(column), np.bool_)
    for place in places:
        chosen[place] = True
    return sentence[chosen], column[chosen], [f"{kind}:{name}" for name in names]


def _morphology(table: TokenTable, filters: Filters) -> Occurrences:
    """Compounds: a lemma with its bundle of features; atoms: the lemma and each single feature."""
    from kontrast.splitting.compiled_loops import intern_keys

    sentence = table.sentence_of_token()
    bundles = Vocabulary({"": 0})
    of_morph = np.array([bundles[bundle_of(morph, filters)] for morph in table.morphs], np.int64)
    if len(bundles) < 2:
        raise KontrastError(
            "no token has one of the requested morphological features; the corpus may have no features"
        )
    bundle_of_token = of_morph[table.morph]
    place = np.flatnonzero(
        (bundle_of_token > 0)
        & _lemma_mask(table, filters)
        & _relation_mask(table, filters, compounds=False)[table.relation]
    )
    words, count = len(table.words), len(bundles)
    number, distinct = intern_keys(table.word[place].astype(np.int64) * count + bundle_of_token[place])
    parts = np.stack([distinct // count, words + distinct % count], axis=1, dtype=np.int32, casting="unsafe")
    keep = np.ones(len(distinct), np.bool_)
    if filters.weight:
        keep = _subcompound_mask(parts[:, 1:], np.bincount(number, minlength=len(distinct)), filters.weight)
    singles = Vocabulary()
    of_bundle = [[singles[tag] for tag in bundle.split("|") if tag] for bundle in bundles]
    lemmas, tags = np.ones(words, np.bool_), np.ones(len(singles), np.bool_)
    if filters.atoms_of_dropped:  # atoms are those of compounds that are kept, wherever they occur
        lemmas, tags = np.zeros(words, np.bool_), np.zeros(len(singles), np.bool_)
        lemmas[parts[keep, 0]] = True
        for bundle in np.unique(parts[keep, 1] - words).tolist():
            tags[of_bundle[bundle]] = True
    with_atoms = lemmas[table.word[place]] & (keep[number] | filters.atoms_of_dropped)
    counted, place = place[keep[number]], place[with_atoms]
    sizes = np.array([len(b) for b in of_bundle])
    flat = np.array([tag for b in of_bundle for tag in b], np.int32)
    starts = np.cumsum(sizes) - sizes
    bundle = bundle_of_token[place]
    times = sizes[bundle]
    within = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
    single = flat[np.repeat(starts[bundle], times) + within]
    tag_sentence = np.repeat(sentence[place], times)[tags[single]]
    atom = np.concatenate([table.word[place], words + single[tags[single]]]).astype(np.int32)
    names = [f"lemma:{w}" for w in table.words] + [f"feature:{tag}" for tag in singles]
    compounds = sentence[counted], number[keep[number]], parts, table.words + list(bundles)
    return Occurrences(np.concatenate([sentence[place], tag_sentence]), atom, names, *compounds)


def _ngram(table: TokenTable, filters: Filters, order: int) -> Occurrences:
    """Compounds: runs of ``order`` words; atoms: the words in one."""
    from kontrast.splitting.compiled_loops import intern_keys

    if order < 2:
        raise KontrastError(f"an n-gram compound has at least 2 words, not {order}")
    sentence = table.sentence_of_token()
    good = _lemma_mask(table, filters)
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
    atoms = _tokens_at("word", table.word, table.words, sentence, *(place + offset for offset in range(order)))
    return Occurrences(*atoms, sentence[place], number, parts, table.words)


def _relation_pairs(table: TokenTable, filters: Filters) -> Occurrences:
    """Compounds: the relation of a token's head and its own; atoms: the relation of each token in one.

    An unseen compound is a relation in a place where train never has it, such as a relative clause in a subject.
    """
    from kontrast.splitting.compiled_loops import intern_keys

    sentence = table.sentence_of_token()
    place = np.flatnonzero(
        (table.head >= 0) & _relation_mask(table, filters)[table.relation] & _lemma_mask(table, filters)
    )
    head = table.starts[sentence[place]] + table.head[place]
    labels = len(table.relations)
    number, distinct = intern_keys(table.relation[head].astype(np.int64) * labels + table.relation[place])
    atoms = _tokens_at("relation", table.relation, table.relations, sentence, place, head)
    parts = np.stack([distinct // labels, distinct % labels], axis=1)
    return Occurrences(*atoms, sentence[place], number, parts, table.relations)


def _sentence_shape(table: TokenTable, filters: Filters, measure: str, bin_size: int | None) -> Occurrences:
    """Compounds: how long (``length``) or deep (``depth``) a sentence is, in bins; atoms: its lemmas."""
    size = (5 if measure == "length" else 1) if bin_size is None else bin_size
    if size < 1:
        raise KontrastError(f"a bin of {measure} must hold at least 1, not {size}")
    lengths = np.diff(table.starts)
    used = np.flatnonzero(lengths > 0)
    values = lengths if measure == "length" else _depths(table)
    number = values[used] // size
    tokens = np.flatnonzero(_lemma_mask(table, filters))
    names = [f"{low}-{low + size - 1}" if size > 1 else f"{low}" for low in range(0, int(values.max()) + size, size)]
    atoms = _tokens_at("lemma", table.word, table.words, table.sentence_of_token(), tokens)
    top = len(names)
    parts = np.stack([np.full(top, top), np.arange(top)], axis=1)
    return Occurrences(*atoms, used.astype(np.int32), number.astype(np.int32), parts, [*names, measure])


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
    raise KontrastError(f"sentence {int(sentence[open_tokens[0]])} (counted from 0) has heads in a cycle")


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

    texts = corpus_texts(path)
    if len(texts) != sentences:
        raise InputError(path, f"has {len(texts)} sentences, but the corpus has {sentences}")
    return np.array([len(spans(text)) for text in texts], np.int64)


_OF_LEMMAS = ("min_frequency", "max_frequency", "min_rank", "max_rank", "without_characters", "min_length")


def _lemma_mask(table: TokenTable, filters: Filters) -> Array:
    """Which tokens may take part, by their lemma and part of speech."""
    mask = np.ones(table.tokens, np.bool_)
    if filters.pos:
        if len(table.tags) < 2:
            raise KontrastError("a filter by part of speech needs tags, but this corpus has none")
        mask &= np.array([tag in filters.pos for tag in table.tags], np.bool_)[table.tag]
    if all(getattr(filters, name) == getattr(Filters(), name) for name in _OF_LEMMAS):
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


def _relation_mask(table: TokenTable, filters: Filters, *, compounds: bool = True) -> Array:
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


def _subcompound_mask(shared: Array, totals: Array, weight: float) -> Array:
    """Compounds whose ``shared`` parts (columns) weigh enough: 1 − the largest share one compound has of them."""
    key = shared[:, 0].astype(np.int64)
    for column in range(1, shared.shape[1]):
        key = key << 32 | shared[:, column]
    _, group = np.unique(key, return_inverse=True)
    whole = np.bincount(group, totals)
    largest = np.zeros(len(whole))
    np.maximum.at(largest, group, totals)
    return np.asarray((1 - largest / np.maximum(whole, 1) >= weight)[group])
