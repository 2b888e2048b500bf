"""Twins: an item with its names and numbers changed, the same everywhere in it.

A name is a capitalised word that stands alike in the source and in every variant; it is replaced by another such name
of the suite with the same last letter (which mostly keeps its gender). A number keeps its number of digits. A model
that never saw the suite likes items and twins alike; one that learnt it by heart does not.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence

import msgspec

from kontrast.suites.model import Item, Suite

__all__ = ["twin_of", "twins"]

_NAME = re.compile(r"(?<!\w)[^\W\d_][^\W\d_]{2,}(?!\w)")
_NUMBER = re.compile(r"(?<![\w.,])\d+(?![\w]|[.,]\d)")


def twins(suite: Suite, *, seed: int = 1) -> dict[int, Item]:
    """The twins of all items that have a name or a number to change, by place in the suite.

    >>> from kontrast import Item, Suite, Variant
    >>> one = Item("1", "Anna has 3 cats.", (Variant("Anna hat 3 Katzen."), Variant("Anna haben 3 Katzen.")))
    >>> two = Item("2", "Maria sleeps.", (Variant("Maria schläft."), Variant("Maria schlafen.")))
    >>> twins(Suite("s", (one, two)))[1].source
    'Anna sleeps.'
    """
    pool = sorted({name for item in suite.items for name in _names(item)})
    chance = random.Random(seed)
    found = ((i, twin_of(item, pool, chance)) for i, item in enumerate(suite.items))
    return {i: twin for i, twin in found if twin is not None}


def twin_of(item: Item, pool: Sequence[str], chance: random.Random) -> Item | None:
    """One twin, or None where nothing can be changed."""
    changes: dict[str, str] = {}
    for name in _names(item):
        others = [o for o in pool if o[-1] == name[-1] and o != name and o not in _all_words(item)]
        others = [o for o in others if o not in changes.values()]
        if others:
            changes[name] = chance.choice(others)
    for number in _numbers(item):
        low, high = (10 ** (len(number) - 1) if len(number) > 1 else 2), 10 ** len(number) - 1
        choices = [str(n) for n in chance.sample(range(low, high + 1), min(12, high - low + 1))]
        other = next((n for n in choices if n not in (number, *changes.values())), None)
        # 1 and other numbers want other forms of the noun.
        if other is not None and number not in ("0", "1"):
            changes[number] = other
    if not changes:
        return None
    pattern = re.compile(
        r"(?<!\w)(?:" + "|".join(map(re.escape, sorted(changes, key=len, reverse=True))) + r")(?!\w)"
    )
    return _mapped(item, lambda text: pattern.sub(lambda found: changes[found[0]], text))


def _names(item: Item) -> list[str]:
    """Words with a capital that are alike in the source and in all variants."""
    shared = _shared(_NAME, item)
    lower = set(re.findall(r"\w+", " ".join(_texts(item))))
    return [word for word in shared if word[0].isupper() and word.lower() not in lower and word.upper() != word]


def _numbers(item: Item) -> list[str]:
    return [number for number in _shared(_NUMBER, item) if len(number) <= 6]


def _shared(pattern: re.Pattern[str], item: Item) -> list[str]:
    sides = [set(pattern.findall(text)) for text in (item.source, *(v.text for v in item.variants))]
    return [word for word in dict.fromkeys(pattern.findall(item.source)) if all(word in side for side in sides)]


def _texts(item: Item) -> Iterable[str]:
    yield item.source
    yield from (variant.text for variant in item.variants)


def _all_words(item: Item) -> set[str]:
    return set(re.findall(r"\w+", " ".join(_texts(item))))


def _mapped(item: Item, change: Callable[[str], str]) -> Item:
    def each(sentences: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return None if sentences is None else tuple(map(change, sentences))

    variants = tuple(msgspec.structs.replace(v, text=change(v.text), context=each(v.context)) for v in item.variants)
    return msgspec.structs.replace(
        item,
        source=change(item.source),
        variants=variants,
        source_context=each(item.source_context),
        target_context=each(item.target_context),
    )
