"""Which words of the context a system uses: each sentence, then each word, left out; the change of the margin is its
weight.

Nothing here scores. `sentence_probes` and `word_probes` make items with a piece of context missing, the caller scores
them as any suite, and `weigh` turns margins into weights and their share on the words that should matter.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
import numpy as np

from kontrast.analysis.means import Mean, mean_of
from kontrast.io.words import position, spans, words
from kontrast.judging.clusters import clusters_of
from kontrast.record import Record, flat
from kontrast.suites.model import Item, Suite

Side = Literal["source", "target"]
_NOTHING = 1e-3
"""Bits: an item whose weights sum to less has no weight to share."""

Nouns = Mapping[str, Mapping[str, Collection[int]]]
"""By side and sentence, where its nouns begin; a side that is missing is not known."""


class ContextWord(msgspec.Struct, frozen=True):
    """A word of the context: side, sentence (0 is the oldest), and characters in it."""

    side: Side
    sentence: int
    start: int
    end: int


class Probe(msgspec.Struct, frozen=True):
    """An item of the suite with one piece of context missing: a sentence (``place`` is None) or a word."""

    item_index: int
    sentence: int
    place: ContextWord | None
    item: Item


class WordWeight(ContextWord, frozen=True):
    """A word and its weight in bits: how much of the margin goes when it is left out."""

    text: str
    weight: float
    marked: bool


class ItemCues(Record, frozen=True):
    """One item: weights of its context's sentences (oldest first) and words, and the share on the marked words.

    ``share`` is None where no word is marked or nothing has weight; the three others are the share of marked words
    among all words, by their place before the sentence, and among nouns (None where nouns are not known).
    """

    item: str
    margin: float
    sentences: tuple[float, ...]
    words: tuple[WordWeight, ...]
    share: float | None
    by_length: float | None
    by_recency: float | None
    by_nouns: float | None
    source_context: tuple[str, ...]
    target_context: tuple[str, ...]


class CueGroup(msgspec.Struct, frozen=True):
    """Items of one distance (or all): the share of weight on marked words beside three shares by chance."""

    label: str
    items: int
    share: Mean
    by_length: float
    by_recency: float
    by_nouns: float | None
    """Over the items whose contexts have nouns; None where nouns are not known."""
    over_length: Mean
    """The share minus that by length; so the others."""
    over_recency: Mean
    over_nouns: Mean | None


class Cues(Record, frozen=True):
    """Which words a system uses. ``rows`` were needed; ``calls`` is the number after removing duplicates."""

    suite: str
    system: str
    context: str
    neutral: str | None
    items: int
    total: CueGroup | None
    by_distance: tuple[CueGroup, ...]
    by_place: tuple[tuple[int, float], ...]
    """Share of all weight by sentence: (1, …) is the one before the current sentence."""
    rows: int
    calls: int
    sources: int
    cues: tuple[ItemCues, ...]
    notes: tuple[str, ...] = ()

    def _rows(self) -> list[dict[str, Any]]:
        return [{"item": each.item, **flat(word)} for each in self.cues for word in each.words]


def sentence_probes(items: Mapping[int, Item]) -> Iterator[Probe]:
    """Every item without each sentence of its context in turn, on both sides at once."""
    for index, item in items.items():
        size = _size(item)
        for j in range(size):
            yield Probe(index, j, None, _without_sentence(item, size - j))


def word_probes(
    items: Mapping[int, Item], languages: tuple[str | None, str | None], neutral: str | None = None
) -> Iterator[Probe]:
    """Every item without each word of its context in turn, or with a neutral word in its place."""
    for index, item in items.items():
        for place in _places(item, languages):
            yield Probe(index, place.sentence, place, _without_word(item, place, neutral))


def _size(item: Item) -> int:
    return max(len(item.source_context or ()), len(item.target_context or ()))


def _without_sentence(item: Item, back: int) -> Item:
    """Without the sentence so many before the current one."""

    def cut(sentences: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if sentences is None or len(sentences) < back:
            return sentences
        place = len(sentences) - back
        return sentences[:place] + sentences[place + 1 :]

    variants = tuple(msgspec.structs.replace(v, context=cut(v.context)) for v in item.variants)
    return msgspec.structs.replace(
        item, source_context=cut(item.source_context), target_context=cut(item.target_context), variants=variants
    )


def _sentences(item: Item) -> Iterator[tuple[Side, int, str]]:
    """Sentences with words to leave out; numbered from the oldest of the longer side."""
    size = _size(item)
    own = any(variant.context is not None for variant in item.variants)
    for side, sentences in (("source", item.source_context), ("target", () if own else item.target_context)):
        for k, text in enumerate(sentences or ()):
            yield ("source" if side == "source" else "target"), size - len(sentences or ()) + k, text


def _places(item: Item, languages: tuple[str | None, str | None]) -> Iterator[ContextWord]:
    for side, sentence, text in _sentences(item):
        for word in spans(text, languages[side == "target"]):
            yield ContextWord(side, sentence, word.start, word.end)


def _without_word(item: Item, place: ContextWord, neutral: str | None) -> Item:
    sentences = (item.source_context if place.side == "source" else item.target_context) or ()
    number = place.sentence - (_size(item) - len(sentences))
    text = sentences[number]
    changed = text[: place.start] + (neutral or "") + text[place.end :]
    if neutral is None:
        changed = re.sub(" {2,}", " ", changed).strip()
    new = (*sentences[:number], changed, *sentences[number + 1 :])
    if place.side == "source":
        return msgspec.structs.replace(item, source_context=new)
    return msgspec.structs.replace(item, target_context=new)


def marked_words(item: Item, languages: tuple[str | None, str | None]) -> set[ContextWord]:
    """The words that should matter: the annotated antecedent, or those that people marked (SCAT)."""
    found: set[ContextWord] = set()
    distance = item.tags.get("distance")
    size = _size(item)
    for side, sentence, text in _sentences(item):
        short = "src" if side == "source" else "ref"
        here = spans(text, languages[side == "target"])
        for start, end in item.tags.get(f"{short}_context_needed") or ():
            found |= {ContextWord(side, sentence, w.start, w.end) for w in here if w.start < end and w.end > start}
        if not isinstance(distance, int) or size - sentence != distance:
            continue
        for tag in (f"{short}_ante_phrase", f"{short}_ante_head"):
            named = item.tags.get(tag)
            run = words(named, languages[side == "target"]) if isinstance(named, str) else []
            at = position(run, [w.text for w in here])
            if at is not None:
                found |= {ContextWord(side, sentence, w.start, w.end) for w in here[at : at + len(run)]}
                break
    return found


def weigh(
    suite: Suite,
    items: Mapping[int, Item],
    margins: Mapping[int, float],
    probed: Sequence[tuple[Probe, float]],
    nouns: Nouns | None = None,
) -> tuple[list[ItemCues], CueGroup | None, tuple[CueGroup, ...], tuple[tuple[int, float], ...]]:
    """Weights from the margins of whole items and of their probes, all in bits.

    ``nouns`` has, for each side whose nouns are known, the nouns of a sentence by where they begin.
    """
    languages = (suite.source_language, suite.target_language)
    sentences: dict[int, dict[int, float]] = defaultdict(dict)
    by_word: dict[int, dict[ContextWord, float]] = defaultdict(dict)
    for probe, margin in probed:
        weight = margins[probe.item_index] - margin
        if probe.place is None:
            sentences[probe.item_index][probe.sentence] = weight
        else:
            by_word[probe.item_index][probe.place] = weight
    profile = _profile(items, by_word, languages)
    cues = []
    for index, item in items.items():
        marked = marked_words(item, languages)
        texts = {(side, number): text for side, number, text in _sentences(item)}
        found = [
            WordWeight(p.side, p.sentence, p.start, p.end, texts[p.side, p.sentence][p.start : p.end], w, p in marked)
            for p, w in by_word[index].items()
        ]
        share, expected = _shares(found, profile, texts, nouns or {})
        cues.append(
            ItemCues(
                item.id,
                margins[index],
                tuple(sentences[index].get(j, 0.0) for j in range(_size(item))),
                tuple(found),
                share,
                *expected,
                item.source_context or (),
                item.target_context or (),
            )
        )
    return cues, *_groups(suite, list(items), cues), _by_place(cues)


def _places_back(order: Sequence[ContextWord | WordWeight]) -> list[int]:
    """For each word, how far before the end of its side's context: 0, 1, 2 words, then 3–4, 5–8, 9–16 …"""
    found = []
    for word in order:
        back = sum(o.side == word.side and (o.sentence, o.start) > (word.sentence, word.start) for o in order)
        found.append(back if back < 3 else 1 + (back - 1).bit_length())
    return found


def _profile(
    items: Mapping[int, Item],
    by_word: Mapping[int, Mapping[ContextWord, float]],
    languages: tuple[str | None, str | None],
) -> Callable[[str, int], float]:
    """The mean share of weight of a word by its place, over the words of all items that are not marked.

    A place at which only marked words stand counts as any other.
    """
    sums: dict[tuple[str, int], list[float]] = defaultdict(list)
    for index, weights in by_word.items():
        marked = marked_words(items[index], languages)
        order = list(weights)
        total = sum(abs(weight) for place, weight in weights.items() if place not in marked)
        if total <= _NOTHING:
            continue
        for place, back in zip(order, _places_back(order), strict=True):
            if place not in marked:
                sums[place.side, back].append(abs(weights[place]) / total)
    means = {key: sum(shares) / len(shares) for key, shares in sums.items()}
    every = [share for shares in sums.values() for share in shares]
    usual = sum(every) / len(every) if every else 1.0
    return lambda side, back: means.get((side, back), usual)


def _shares(
    found: Sequence[WordWeight],
    profile: Callable[[str, int], float],
    texts: Mapping[tuple[Side, int], str],
    nouns: Nouns,
) -> tuple[float | None, tuple[float | None, float | None, float | None]]:
    total = sum(abs(word.weight) for word in found)
    if total <= _NOTHING or not any(word.marked for word in found):
        return None, (None, None, None)
    recent = [profile(word.side, back) for word, back in zip(found, _places_back(found), strict=True)]
    known = {word.side for word in found} <= set(nouns)
    named = [w for w in found if known and w.start in nouns[w.side].get(texts[w.side, w.sentence], ())]
    return (
        sum(abs(word.weight) for word in found if word.marked) / total,
        (
            sum(word.marked for word in found) / len(found),
            sum(r for r, word in zip(recent, found, strict=True) if word.marked) / sum(recent),
            sum(word.marked for word in named) / len(named) if named else None,
        ),
    )


def _groups(
    suite: Suite, order: Sequence[int], cues: Sequence[ItemCues]
) -> tuple[CueGroup | None, tuple[CueGroup, ...]]:
    """All items with a share, and those of each distance."""
    some = [(index, each) for index, each in zip(order, cues, strict=True) if each.share is not None]
    if not some:
        return None, ()
    distances = [suite.items[index].tags.get("distance") for index, _ in some]
    groups = []
    for distance in sorted({d for d in distances if isinstance(d, int)}):
        chosen = [each for each, d in zip(some, distances, strict=True) if d == distance]
        groups.append(_group(suite, str(distance), chosen))
    return _group(suite, "all", some), tuple(groups)


def _group(suite: Suite, label: str, some: Sequence[tuple[int, ItemCues]]) -> CueGroup:
    clusters = clusters_of(suite, np.array([index for index, _ in some], dtype=np.int64))
    table = np.array([[e.share, e.by_length, e.by_recency, e.by_nouns] for _, e in some], dtype=np.float64)

    def over(column: int) -> Mean | None:
        known = ~np.isnan(table[:, column])
        return mean_of(np.where(known, table[:, 0] - table[:, column], 0.0), clusters, chosen=known)

    share, length, recency = mean_of(table[:, 0], clusters), over(1), over(2)
    assert share is not None and length is not None and recency is not None
    nouns = None if np.isnan(table[:, 3]).all() else float(np.nanmean(table[:, 3]))
    means = [float(table[:, k].mean()) for k in (1, 2)]
    return CueGroup(label, len(some), share, means[0], means[1], nouns, length, recency, over(3))


def _by_place(cues: Sequence[ItemCues]) -> tuple[tuple[int, float], ...]:
    sums: Counter[int] = Counter()
    for each in cues:
        for j, weight in enumerate(each.sentences):
            sums[len(each.sentences) - j] += abs(weight)  # type: ignore[assignment]
    total = sum(sums.values())
    return tuple((back, sums[back] / total) for back in sorted(sums)) if total > 0 else ()
