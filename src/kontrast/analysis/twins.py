"""Twins: an item with its names, numbers, months and days changed, the same everywhere in it.

A name is a run of capitalised words that stands alike in the source and in every variant. Two names joined by *and*
change places; any other becomes a name of the same kind from the suite or from `data/swaps.toml`. Number words,
months and days change together with their translations. A model that never saw the suite likes items and twins alike;
one that learnt it by heart does not.
"""

import random
import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from kontrast.language.words import ordered
from kontrast.suites.model import Item, Suite

_NAME = re.compile(r"(?<!\w)[^\W\d_][^\W\d_]{2,}(?: [^\W\d_][^\W\d_]{2,})*(?!\w)")
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"(?<![\w.,])\d+(?![\w]|[.,]\d)")
_PARALLEL: tuple[Literal["numbers", "months", "days"], ...] = ("numbers", "months", "days")
_ELIDING = ("ca", "fr", "it")
_NEAR = 2
_LIMITS = (12, 31, 59)
"""A number up to one of these may be an hour, a day or a minute, and its twin then is one too."""

Change = dict[str, str]
"""What becomes what, in every text of an item."""
Pool = Mapping[tuple[str, int, str], list[str]]
"""Names by kind, number of words and last letter."""


@lru_cache(1)
def _swaps() -> dict[str, Any]:
    path = Path(__file__).resolve().parents[1] / "data" / "swaps.toml"
    return tomllib.loads(path.read_text("utf-8"))


def twins(suite: Suite, *, seed: int = 1) -> dict[int, Item]:
    """The twins of all items that have something to change, by place in the suite."""
    names = [_names(item) for item in suite.items]
    pool = _pool(suite, names)
    languages = (suite.source_language, suite.target_language)
    chance = random.Random(seed)
    found = {}
    for i, item in enumerate(suite.items):
        changes = _changes(item, names[i], pool, languages, chance)
        if changes is not None:
            found[i] = _mapped(item, changes[0], changes[1])
    return found


def _changes(
    item: Item, names: list[str], pool: Pool, languages: tuple[str | None, str | None], chance: random.Random
) -> tuple[Change, Change] | None:
    """What to change in the source and in the target, or None where nothing can be."""
    present = {word for text in _texts(item) for word in _WORD.findall(text)}
    changes = _names_changed(item, names, pool, languages, present, chance)
    for number in _shared(_NUMBER, item):
        other = _number(number, {*present, *changes.values()}, chance)
        if other is not None:
            changes[number] = other
    source, target = dict(changes), dict(changes)
    for kind in _PARALLEL:
        own, other_row = (_row(kind, (language or "")[:2]) for language in languages)
        for a, b in _translated(own, other_row, item, present, chance):
            source[own[a]], target[other_row[a]] = own[b], other_row[b]
            # At the beginning of a sentence.
            source[own[a].capitalize()] = own[b].capitalize()
            target[other_row[a].capitalize()] = other_row[b].capitalize()
    return (source, target) if source else None


def _row(kind: Literal["numbers", "months", "days"], language: str) -> tuple[str, ...]:
    """Rows run in parallel: the third word of one language translates the third of another."""
    if language not in _swaps()["and"]:
        return ()
    return ordered(language, kind)[: _swaps()["fewer"].get(kind, {}).get(language)]


def _names_changed(
    item: Item,
    names: list[str],
    pool: Pool,
    languages: tuple[str | None, str | None],
    present: set[str],
    chance: random.Random,
) -> Change:
    changes: Change = {}
    elides = (languages[1] or "")[:2] in _ELIDING
    first, second = (_swaps()["and"].get((language or "")[:2]) for language in languages)
    for one in names:
        for other in names:
            if one == other or {one, other} & set(changes) or first is None or second is None:
                continue
            joined = f"{one} {first} {other}" in item.source
            if joined and all(f"{one} {second} {other}" in variant.text for variant in item.variants):
                changes |= {one: other, other: one}
    for name in names:
        if name in changes:
            continue
        others = [
            other
            for other in pool.get(_key(name, item.source), ())
            if other != name
            and other not in changes.values()
            and not present & set(other.split())
            and (not elides or _opens(other) == _opens(name))
        ]
        if others:
            changes[name] = chance.choice(others)
    return changes


def _pool(suite: Suite, names_of: list[list[str]]) -> Pool:
    found: dict[tuple[str, int, str], set[str]] = {}
    for item, own in zip(suite.items, names_of, strict=True):
        for name in own:
            found.setdefault(_key(name, item.source), set()).add(name)
    for kind, names in _swaps()["names"].items():
        found.setdefault((kind, 1, ""), set()).update(names)
        for name in names:
            # Someone whose name is in no list: by the last letter, which mostly keeps the gender.
            if kind != "place":
                found.setdefault(("other", 1, name[-1]), set()).add(name)
    return {key: sorted(names) for key, names in found.items()}


def _key(name: str, source: str) -> tuple[str, int, str]:
    """The kind of a name, its number of words, and its last letter where that may matter."""
    count = name.count(" ") + 1
    for kind, listed in _swaps()["names"].items():
        if name in listed:
            return kind, 1, ""
    before = _WORD.findall(source[: source.find(name)])[-1:]
    if before and before[0].lower() in _swaps()["titles"]["words"]:
        return "surname", count, ""
    if before and before[0].lower() in _swaps()["places"]["words"]:
        return "place", count, ""
    return "other", count, name[-1]


def _names(item: Item) -> list[str]:
    """Runs of words with a capital that are alike in the source and in all variants."""
    texts = list(_texts(item))
    every = {word for text in texts for word in _WORD.findall(text)}

    def proper(word: str) -> bool:
        if not word[0].isupper() or word.upper() == word or word.lower() in every:
            return False
        return not any(other != word and other.startswith(word) for other in every)  # Peters would stay as it is

    runs: dict[str, None] = {}
    for found in _NAME.findall(item.source):
        run: list[str] = []
        for word in [*found.split(" "), ""]:
            if word and proper(word) and all(_stands(" ".join((*run, word)), v.text) for v in item.variants):
                run.append(word)
            elif run:
                runs[" ".join(run)] = None
                run = []
    parts = [word for run in runs for word in run.split()]
    return [run for run in runs if all(parts.count(word) == 1 for word in run.split())]


def _stands(words: str, text: str) -> bool:
    at = text.find(words)
    while at >= 0:
        end = at + len(words)
        if not (text[:at][-1:].isalnum() or text[end : end + 1].isalnum()):
            return True
        at = text.find(words, at + 1)
    return False


def _opens(name: str) -> bool:
    """Whether it opens with a vowel (or an h, which may count as one)."""
    return unicodedata.normalize("NFD", name)[0].lower() in "aeiouyh"


def _number(number: str, taken: set[str], chance: random.Random) -> str | None:
    """Another number that looks alike: as many digits, as many zeros at its end; years stay in their century."""
    value = int(number)
    if value < 2 or len(number) > 6 or number[0] == "0":
        return None  # 1 and other numbers want other forms of the noun
    step = 10 ** (len(number) - len(number.rstrip("0")))
    limit = next((limit for limit in _LIMITS if value <= limit), None)
    if 1500 <= value <= 2099 and step < 1000:
        low, high = value // 100 * 100, value // 100 * 100 + 99
    else:
        low, high = max(2, 10 ** (len(number) - 1)), min(10 ** len(number) - 1, limit or 10**6)
    others = [n for n in range(-(-low // step) * step, high + 1, step) if n // step % 10 and str(n) not in taken]
    return str(chance.choice(others)) if others else None


def _translated(
    own: Sequence[str], other: Sequence[str], item: Item, present: set[str], chance: random.Random
) -> Iterable[tuple[int, int]]:
    """Places in two parallel rows: of words that the source and all variants have, and of those that replace them."""
    size = min(len(own), len(other))
    used: set[int] = set()
    there = {word.lower() for word in present}

    def has(word: str, text: str) -> bool:
        return _stands(word, text) or _stands(word.capitalize(), text)

    for a in range(size):
        if has(own[a], item.source) and all(has(other[a], variant.text) for variant in item.variants):
            near = range(max(0, a - _NEAR), min(size, a + _NEAR + 1))  # "two" is far more frequent than "eleven"
            free = [b for b in near if b not in used and not {own[b].lower(), other[b].lower()} & there]
            if free:
                b = chance.choice(free)
                used.add(b)
                yield a, b


def _shared(pattern: re.Pattern[str], item: Item) -> list[str]:
    sides = [set(pattern.findall(variant.text)) for variant in item.variants]
    return [word for word in dict.fromkeys(pattern.findall(item.source)) if all(word in side for side in sides)]


def _texts(item: Item) -> Iterable[str]:
    yield item.source
    yield from (variant.text for variant in item.variants)


def _replacing(changes: Change) -> Callable[[str], str]:
    ordered = sorted(changes, key=len, reverse=True)
    pattern = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, ordered)) + r")(?!\w)")
    return lambda text: pattern.sub(lambda found: changes[found[0]], text)


def _mapped(item: Item, in_source: Change, in_target: Change) -> Item:
    source, target = _replacing(in_source), _replacing(in_target)

    def each(sentences: tuple[str, ...] | None, change: Callable[[str], str]) -> tuple[str, ...] | None:
        return None if sentences is None else tuple(map(change, sentences))

    variants = tuple(
        msgspec.structs.replace(v, text=target(v.text), context=each(v.context, target)) for v in item.variants
    )
    return msgspec.structs.replace(
        item,
        source=source(item.source),
        variants=variants,
        source_context=each(item.source_context, source),
        target_context=each(item.target_context, target),
    )
