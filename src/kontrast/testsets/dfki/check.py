"""The DFKI test suite's own check: its expressions are searched in the output; the rest is left to a person.

An output that people have judged is decided by their judgement. Expressions come from data: each search has a limit
of time.
"""

from __future__ import annotations

import importlib
import unicodedata
from collections.abc import Sequence
from typing import Any, Literal

from kontrast.errors import KontrastError, MissingExtraError
from kontrast.suites.model import Item, Suite

Outcome = Literal["right", "wrong", "both", "neither"]

SECONDS = 1.0
"""How long a search may take."""


def outcomes(suite: Suite, translations: Sequence[str]) -> list[Outcome]:
    """One answer per item; ``neither`` is for a person to decide."""
    return [judged(item, text) or searched(item, text) for item, text in zip(suite.items, translations, strict=True)]


def judged(item: Item, text: str) -> Outcome | None:
    """What people said of this very output."""
    text = _normal(text)
    if not text:
        return None
    if text in map(_normal, item.tags.get("judged_wrong", ())):
        return "wrong"
    if text in map(_normal, (item.best.text, *(reference.text for reference in item.references))):
        return "both" if text in map(_normal, item.tags.get("judged_both_ways", ())) else "right"
    return "wrong" if text in (_normal(variant.text) for variant in item.variants) else None


def searched(item: Item, text: str) -> Outcome:
    """What the expressions say.

    >>> from kontrast.suites.model import Variant
    >>> tags = {"positive_regex": "Keule", "negative_regex": "Fleder(maus|tier)"}
    >>> item = Item("1", "bats", (Variant("x"),), tags=tags)
    >>> [searched(item, text) for text in ("Eine Keule.", "Die Fledermaus", "Ein Ball")]
    ['right', 'wrong', 'neither']
    """
    right, wrong = (_found(item, key, text) for key in ("positive_regex", "negative_regex"))
    if right and wrong:
        return "both"
    return "right" if right else "wrong" if wrong else "neither"


def _found(item: Item, key: str, text: str) -> bool:
    expression = item.tags.get(key)
    if not expression:
        return False
    regex = _regex()
    try:
        return regex.search(str(expression), _normal(text), timeout=SECONDS) is not None
    except TimeoutError:
        raise KontrastError(f"item {item.id}: {key} took more than {SECONDS} s on {text[:60]!r}") from None
    except regex.error as error:
        raise KontrastError(f"item {item.id}: {key} is no regular expression ({error})") from None


def _normal(text: str) -> str:
    """Letters with their marks as one character, as the set has them."""
    return unicodedata.normalize("NFC", text.strip())


def _regex() -> Any:
    try:
        return importlib.import_module("regex")
    except ImportError as error:
        raise MissingExtraError("check", "the DFKI test suite's expressions") from error
