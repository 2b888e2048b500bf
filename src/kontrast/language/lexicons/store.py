"""Words on disk: a sorted table, memory-mapped, so that nothing is loaded; a word's forms packed into its value.

A table is text: words in the order of their bytes, a line each with a tab and the number of its value; an empty line;
the distinct values, one per line.

A packed value is relative to its lemma: ``Nm ns,as=0 gs=0es|0s`` is a group (N, masculine) in which nominative and
accusative are the lemma itself, and the genitive has two forms, the usual one first: a rule takes so many characters
off the end and puts others there.
"""

from __future__ import annotations

import mmap
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "data" / "lexicons"


def write_table(path: str | Path, entries: Iterable[tuple[str, str]]) -> None:
    """Write (word, value) pairs; words are unique, frequent values get small numbers."""
    ordered = sorted((word.encode(), value) for word, value in entries)
    values = [value for value, _ in Counter(sorted(value for _, value in ordered)).most_common()]
    number = {value: b"%d" % i for i, value in enumerate(values)}
    lines = (b"%b\t%b\n" % (word, number[value]) for word, value in ordered)
    Path(path).write_bytes(b"".join(lines) + b"\n" + "\n".join(values).encode())


@cache
def table(name: str) -> LexiconTable:
    """A table of the package, opened once."""
    return LexiconTable(FOLDER / name)


class LexiconTable:
    """Look words up in a file of `write_table`."""

    def __init__(self, path: str | Path) -> None:
        with open(path, "rb") as stream:
            self._map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        self._end = self._map.find(b"\n\n") + 1
        self._values = self._map[self._end + 1 :].decode().split("\n")
        self._find = lru_cache(maxsize=200_000)(self._search)

    def get(self, word: str) -> str | None:
        """The value of a word, None where it is not there."""
        return self._find(word)

    def items(self) -> Iterator[tuple[str, str]]:
        """All (word, value) pairs in byte order."""
        for line in self._map[: self._end].decode().splitlines():
            word, _, number = line.partition("\t")
            yield word, self._values[int(number)]

    def _search(self, word: str) -> str | None:
        text, wanted = self._map, word.encode() + b"\t"
        low, high = 0, self._end
        while low < high:  # both are beginnings of lines
            start = text.rfind(b"\n", 0, (low + high) // 2) + 1
            if text[start : start + len(wanted)] < wanted:
                low = text.find(b"\n", (low + high) // 2) + 1
            else:
                high = start
        found = text[low : low + len(wanted)] == wanted
        return self._values[int(text[low + len(wanted) : text.find(b"\n", low)])] if found else None


def rule(model: str, form: str) -> str:
    """What makes the form of the model."""
    shared = shared_length(form, model)
    return f"{len(model) - shared}{form[shared:]}"


def shared_length(one: str, other: str) -> int:
    """How many characters two words begin with in common."""
    for i, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return i
    return min(len(one), len(other))


def applied(rule: str, model: str) -> str:
    """The form that a rule makes."""
    gone, ending = _parts(rule)
    return model[: len(model) - gone] + ending


def _parts(rule: str) -> tuple[int, str]:
    digits = re.match(r"\d+", rule)
    return (int(digits[0]), rule[digits.end() :]) if digits else (0, rule)


def packed(lemma: str, facts: Iterable[tuple[str, str, str]]) -> str:
    """A lemma's (group, code, form) facts as one value; of several forms with one code the first stays first."""
    groups: dict[str, dict[str, dict[str, None]]] = {}
    for group, code, form in facts:
        groups.setdefault(group, {}).setdefault(code, {})[rule(lemma, form)] = None
    parts = []
    for group, cells in sorted(groups.items()):
        codes_of: dict[str, list[str]] = {}
        for code, rules in cells.items():
            codes_of.setdefault("|".join(rules), []).append(code)
        parts.append(" ".join([group, *(f"{','.join(codes)}={rules}" for rules, codes in codes_of.items())]))
    return ";".join(parts)


def unpacked(lemma: str, value: str | None) -> Iterator[tuple[str, str, str]]:
    """The (group, code, form) facts of a lemma's value; none of None."""
    for group, code, gone, ending in _cells(value) if value else ():
        yield group, code, lemma[: len(lemma) - gone] + ending


@lru_cache(maxsize=5_000)
def _cells(value: str) -> tuple[tuple[str, str, int, str], ...]:
    """A value taken apart; many lemmas have the same."""
    found = []
    for part in value.split(";"):
        group, *cells = part.split(" ")
        for cell in cells:
            codes, _, rules = cell.partition("=")
            found += [(group, code, *_parts(one)) for code in codes.split(",") for one in rules.split("|")]
    return tuple(found)
