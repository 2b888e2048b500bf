"""Words to search for: what is kept of an item, and what a query asks of it."""

from __future__ import annotations

import hashlib
import re

from kontrast.suites.lint.text import texts
from kontrast.suites.model import Item

# Scripts written without blanks: each character is a word of its own.
_CHARACTER = re.compile("([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])")
_WORD = re.compile(r"[\w'’]+")


def searchable(item: Item) -> str:
    """All texts of an item and its id, as the index of words takes them."""
    return _CHARACTER.sub(r" \1 ", " ".join([*texts(item), item.id]))


def source_hash(source: str) -> int:
    """A number for a source, to find the same one again."""
    return int.from_bytes(hashlib.blake2b(source.encode(), digest_size=8).digest(), "big", signed=True)


def searched(query: str) -> str:
    """A query for SQLite's full-text search: every word must be there, or one that begins so.

    >>> searched('nicht Regier'), searched("猫が")
    ('"nicht"* "Regier"*', '"猫 が"*')
    """
    found = []
    for word in _WORD.findall(query):
        spaced = " ".join(_CHARACTER.sub(r" \1 ", word).split())
        found.append('"' + spaced.replace('"', "") + '"*')
    return " ".join(found)
