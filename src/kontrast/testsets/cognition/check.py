"""CoGnition's own check: all words of the compound are translated, and what modifies the noun stands before it.

A word whose entry in the lexicon has no translation may be left out. Where the compound has a verb, a modifier of
several words may stand anywhere. Five sentences in a row share a compound: it is right if it is so in all five.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from kontrast.errors import KontrastError
from kontrast.suites.model import Item, Suite
from kontrast.testsets.cognition.format import words_of

CLASSES = {
    "preposition": "about around before behind except for from inside like near on to toward towards under with "
    "without",
    "verb": "asked visited heard lost hated stopped woke found watched took saw told caught liked left gave invited "
    "met chose",
    "determiner": "the every any another each",
    "adjective": "small red dirty lazy smart large special silly quiet empty fake",
    "noun": "dog doctor sandwich hat waiter lawyer peanut farmer car girl boyfriend child chair building clown bee "
    "apartment farm airplane",
    "modifier": "mod0 mod1 mod2",
}
CONTEXTS = 5


def outcomes(suite: Suite, translations: Sequence[str]) -> list[Literal["right", "wrong"]]:
    """One answer per item."""
    pairs = zip(suite.items, translations, strict=True)
    return ["right" if _right(item, text) else "wrong" for item, text in pairs]


def _right(item: Item, text: str) -> bool:
    known = item.tags.get("words")
    if known is None:
        raise KontrastError("CoGnition's own check needs its lexicon: name the suite as NP.en?lexicon=eval/lexicon")
    text = text.replace("@@ ", "").replace(" ", "")
    places: dict[str, list[int]] = {}
    for word in words_of(str(item.tags["compound"])):
        found = [m.start() for each in known[word] for m in re.finditer(re.escape(each), text)]
        if known[word] and not found:
            return False
        for kind, words in CLASSES.items():
            if word in words.split():
                places[kind] = found
    before = ["determiner", "adjective", *([] if places.get("verb") else ["modifier"])]
    return all(_ahead(places.get(kind, []), places.get("noun", [])) for kind in before)


def _ahead(first: list[int], second: list[int]) -> bool:
    return not first or not second or min(first) < max(second)


def printed(suite: Suite, answers: Sequence[str]) -> Iterator[str]:
    """The totals of its script; compounds are counted five sentences at a time."""
    right = [answer == "right" for answer in answers]
    whole = [all(right[i : i + CONTEXTS]) for i in range(0, len(right) - CONTEXTS + 1, CONTEXTS)]
    yield f"# of test samples: {len(right)}"
    yield f"Instance-level error rate:{_error_rate(right):.3%}"
    yield f"Aggregate-level error rate:{_error_rate(whole):.3%}"


def _error_rate(right: Sequence[bool]) -> float:
    if not right:
        raise KontrastError("CoGnition's own check counts compounds in five sentences; there are fewer")
    return (len(right) - sum(right)) / len(right)
