"""CoCoA-MT's matched accuracy: of the outputs that have marked words of one formality only, how many have the one
asked for.

A marked phrase is found if all its words are words of the output, divided at blanks; in Japanese and other languages
without blanks, if the output contains it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from kontrast.suites.model import Suite
from kontrast.testsets.cocoa_mt.format import SIDES

WITHOUT_BLANKS = ("ja", "zh", "th", "lo", "km", "my")


def outcomes(suite: Suite, translations: Sequence[str]) -> list[Literal["right", "wrong", "both", "neither"]]:
    """One answer per item; only right and wrong are counted."""
    whole = suite.target_language in WITHOUT_BLANKS
    answers: list[Literal["right", "wrong", "both", "neither"]] = []
    for item, text in zip(suite.items, translations, strict=True):
        asked = item.tags["formality"]
        has = {side: _matched(item.tags[f"{side}_phrases"], text.strip(), whole) for side in SIDES}
        if has["formal"] == has["informal"]:
            answers.append("both" if has["formal"] else "neither")
        else:
            answers.append("right" if has[asked] else "wrong")
    return answers


def _matched(phrases: Sequence[str], text: str, whole: bool) -> bool:
    """
    >>> _matched(["halten Sie"], "Was Sie davon halten", False), _matched(["Sie"], "Sie, bitte", False)
    (True, False)
    """
    if whole:
        return any(phrase in text for phrase in phrases)
    words = set(text.split(" "))
    return any(set(phrase.split(" ")) <= words for phrase in phrases)


def printed(suite: Suite, answers: Sequence[str]) -> Iterator[str]:
    """What its script prints."""
    right, wrong = answers.count("right"), answers.count("wrong")
    share = right / (right + wrong) if right + wrong else 0.0
    other = wrong / (right + wrong) if right + wrong else 0.0
    formal, informal = (share, other) if suite.extra.get("formality") == "formal" else (other, share)
    yield f"Formal Acc: {formal:.3f}, Informal Acc: {informal:.3f}"
