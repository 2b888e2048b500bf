"""What tells an item's variants apart: the words in which they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from operator import ne

from kontrast.io.words import spans, words
from kontrast.suites.model import Item

Needed = dict[str, int]
"""Words, and how often a text must contain each."""


def needed(item: Item, language: str | None = None) -> list[Needed]:
    """For each variant the words that give it away: those it has more of than every other variant.

    Where two share theirs, those it has more of than some other. A variant that only lacks words needs none.
    The suite's own annotation of the form (``ref_pronoun`` and ``replacement``) wins where it is among them.
    """
    return needed_of(item, [Counter(words(variant.text, language)) for variant in item.variants], language)


def needed_of(item: Item, counts: list[Counter[str]], language: str | None = None) -> list[Needed]:
    """`needed`, where the words of each variant are counted already."""
    result = []
    for j, own in enumerate(counts):
        others = [count for i, count in enumerate(counts) if i != j]
        some = {word: n for other in others for word, n in own.items() if n > other.get(word, 0)}
        telling = {word: n for word, n in some.items() if all(n > other.get(word, 0) for other in others)} or some
        named = item.tags.get("ref_pronoun") if j == item.correct else item.variants[j].tags.get("replacement")
        if isinstance(named, str) and (marked := [word for word in words(named, language) if word in telling]):
            telling = {word: telling[word] for word in marked}
        result.append(telling)
    return result


def forms(item: Item, language: str | None = None) -> list[str]:
    """What tells each variant from the others, in lower case: ``er``, ``sie``, ``es``."""
    if isinstance(right := item.tags.get("ref_pronoun"), str):
        wrong = [variant.tags.get("replacement") for variant in item.variants]
        named = [right if j == item.correct else name for j, name in enumerate(wrong)]
        if all(isinstance(name, str) for name in named):
            return [str(name).lower() for name in named]
    texts = [v.whole for v in item.variants]
    # In Italian what an apostrophe is depends on the quotation around it: there no part is looked at alone.
    if not (language or "").lower().startswith("it"):
        found = [_words_of_part(text, language) for text in _differing(texts)]
        if len(found) == 2 and len(found[0]) == 1 == len(found[1]) and found[0] != found[1]:
            return [found[0][0], found[1][0]]
        before, after = shared_ends(found)
        if before < min(map(len, found)):  # else what comes behind the part might count
            return [" ".join(words[before : len(words) - after]) for words in found]
    found = [_words_of(text, language) for text in texts]
    before, after = shared_ends(found)
    return [" ".join(words[before : len(words) - after]) for words in found]


def _words_of(text: str, language: str | None) -> list[str]:
    return words(text, language) if text.isalpha() else [word.text for word in spans(text, language, signs=True)]


_words_of_part = lru_cache(maxsize=1 << 16)(_words_of)
"""The parts in which variants differ are few: *er*, *sie*, *es*."""


def _differing(texts: list[str]) -> list[str]:
    """The texts without what all of them begin and end with, cut at blanks: no word reaches over a blank."""
    pieces = [text.split(" ") for text in texts]
    if len(pieces) == 2 and len(pieces[0]) == len(pieces[1]):
        differ = list(map(ne, *pieces))
        if sum(differ) == 1:
            at = differ.index(True)
            return [pieces[0][at], pieces[1][at]]
    before, after = shared_ends(pieces)
    return [" ".join(piece[before : len(piece) - after]) for piece in pieces]


def shared_ends(sequences: Sequence[Sequence[str]]) -> tuple[int, int]:
    """How many words all sequences share at the beginning, and then at the end."""
    first, *others = sequences
    before = shortest = min(map(len, sequences))
    for other in others:
        alike = 0
        while alike < before and first[alike] == other[alike]:
            alike += 1
        before = alike
    after = shortest - before
    for other in others:
        alike = 0
        while alike < after and first[-1 - alike] == other[-1 - alike]:
            alike += 1
        after = alike
    return before, after
