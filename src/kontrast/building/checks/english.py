"""What an English source says, by its words: persons, address, negations. Other sources are not asked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from kontrast.language.words import lists_of

SOURCE = "en"
_WORDS = re.compile(r"\w+")
_LONG = 4
"""Letters that follow a negative prefix at least."""


@lru_cache(maxsize=64)
def said_words(name: str) -> frozenset[str]:
    """A list of English words (``data/words/en.toml``).

    >>> sorted(said_words("she"))
    ['her', 'hers', 'herself', 'she']
    """
    return frozenset(lists_of(SOURCE)[name])


@lru_cache(maxsize=1000)
def said_in(source: str) -> frozenset[str]:
    """The words of a source in small letters."""
    return frozenset(re.findall(r"\w+", re.sub("ma['’]am", "madam", source.lower())))


def has(source: str, *names: str) -> bool:
    """Has the source a word of one of these lists?

    >>> has("It fell.", "he", "she"), has("He saw her.", "he", "she")
    (False, True)
    """
    said = said_in(source)
    return any(said & said_words(name) for name in names)


def names_woman(source: str) -> bool:
    """Has the source a noun or title for a woman, not only she?

    >>> names_woman("She met a friend."), names_woman("She met Mrs Hill.")
    (False, True)
    """
    return bool(said_in(source) & (said_words("women") - said_words("she") - {"her", "hers", "herself"}))


def modalities(source: str) -> frozenset[str]:
    """Which of can, must and want a source has, by their words.

    >>> sorted(modalities("They have to go, but they cannot.")), modalities("I have it.")
    (['can', 'must'], frozenset())
    """
    return frozenset(kind for kind in ("can", "must", "want") if times_said(source, said_words(kind)))


@lru_cache(maxsize=5000)
def _plain(source: str) -> str:
    return f" {' '.join(_WORDS.findall(source.lower()))} "


def times_said(source: str, words: Iterable[str]) -> int:
    """How often a source has one of these words or runs of words.

    >>> times_said("Of course, not now.", ["of course", "now"])
    2
    """
    return sum(_plain(source).count(f" {word} ") for word in words)


def is_negative(word: str) -> bool:
    """
    >>> is_negative("isn't"), is_negative("unhappy"), is_negative("until"), is_negative("careless")
    (True, True, False, True)
    """
    if word in said_words("not") or word.endswith(("n't", "n’t")):
        return True
    if word.endswith(("less", "lessly", "lessness")) and len(word) > _LONG + 2:
        return True
    prefixed = word.startswith(tuple(said_words("negated"))) and len(word) >= _LONG + 2
    return prefixed and not word.startswith(tuple(said_words("unprefixed")))
