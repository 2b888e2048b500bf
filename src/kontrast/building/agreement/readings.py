"""Readings of words side by side: what contradicts, what agrees, what one tells that a tree does not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import product

from kontrast.language.lexicon import Analysis

FIXED = frozenset(
    "Tense Mood VerbForm PartForm InfForm Connegative Polarity Degree Definite Voice Aspect Case Person Poss Variant "
    "PronType Number[psor]".split()
)
"""What must not change beside the one feature."""

KEPT = FIXED | {"Number", "Gender"}

SHARED = ("Number", "Gender", "Case", "Person")
"""What a word and its controller have to share to be read as agreeing."""

STRICT = frozenset(("Tense", "Mood", "Aspect", "Case"))
"""Features of which no value is not the same as any value."""

Features = Mapping[str, str]
Told = tuple[str, ...]
"""Values of features that a tree does not say."""
Shared = tuple[str, ...]
"""Values of the features `SHARED`."""


def compatible(reading: Features, features: Features, names: frozenset[str] = KEPT) -> bool:
    """No feature that both have contradicts; a word without degree is no superlative."""
    if "Degree" in names and (reading.get("Degree", "Pos") == "Pos") != (features.get("Degree", "Pos") == "Pos"):
        return False
    for name, ours in reading.items():
        theirs = features.get(name)
        if not theirs or ours == theirs or not ours or name not in names:
            continue
        if ("," not in ours and "," not in theirs) or not set(ours.split(",")) & set(theirs.split(",")):
            return False
    return True


def has_person(readings: Iterable[Analysis]) -> bool:
    return any("Person" in reading.features for reading in readings)


def values_told(readings: Iterable[Analysis], names: Iterable[str]) -> set[Told]:
    """The values of these features, a tuple for each combination; a value may list several."""
    names = tuple(names)
    found = {tuple([r.features.get(name, "") for name in names]) for r in readings}
    if not any("," in value for values in found for value in values):
        return found
    return {told for values in found for told in product(*(value.split(",") for value in values))}


def same_values(one: Told, other: Told, names: Iterable[str]) -> bool:
    """Whether the values are the same; a lexicon that tells some tenses only does not tell whether these are."""
    return all(a == b or (name not in STRICT and not (a and b)) for a, b, name in zip(one, other, names, strict=True))


def shared_values(readings: Iterable[Features]) -> frozenset[Shared]:
    """The values that agreement looks at: many readings have the same."""
    number, gender, case, person = SHARED
    return frozenset([(r.get(number, ""), r.get(gender, ""), r.get(case, ""), r.get(person, "")) for r in readings])


@lru_cache(maxsize=10_000)
def some_agree(words: frozenset[Shared], controllers: frozenset[Shared]) -> bool:
    """Whether some reading of a word can agree with one of its controller."""
    return any(can_agree(a, b) for a in words for b in controllers)


def can_agree(a: Shared, b: Shared) -> bool:
    """Whether no value that both have contradicts; a value may list several."""
    for x, y in zip(a, b, strict=True):
        if x == y or not x or not y:
            continue
        if ("," not in x and "," not in y) or not set(x.split(",")) & set(y.split(",")):
            return False
    return True
