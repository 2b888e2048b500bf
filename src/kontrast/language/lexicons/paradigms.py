"""Paradigms in a line: how a word's forms are packed into a value of a table (`store`), relative to its lemma.

``Nm ns,as=0 gs=0es|0s`` is a group (N, masculine) in which nominative and accusative are the lemma itself, and the
genitive has two forms, the usual one first: a rule takes so many characters off the end and puts others there.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache


def shared_length(one: str | bytes, other: str | bytes) -> int:
    """How many characters two words begin with in common, or how many bytes."""
    for i, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return i
    return min(len(one), len(other))


def rule(model: str, form: str) -> str:
    """What makes the form of the model."""
    shared = shared_length(form, model)
    return f"{len(model) - shared}{form[shared:]}"


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
