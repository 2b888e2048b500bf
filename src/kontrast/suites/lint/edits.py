"""Foils that differ from the reference in more than the error they are tagged with."""

from __future__ import annotations

import re
from array import array
from difflib import SequenceMatcher
from statistics import median

from kontrast.io.words import differing
from kontrast.suites.lint.finding import LintCheck, Looking, found, words_of
from kontrast.suites.model import Suite

_FEWEST = 20
"""Below this many foils of a phenomenon nothing can be called usual."""

_POINTING = re.compile(
    r"celui|celles?|ceux|elles?|eux|leurs?|miens?|miennes?|siens?|siennes?|aucune?|toute?s?|tous|lequel|laquelle"
)


def changes(right: str, wrong: str, language: str | None = None) -> list[tuple[list[str], list[str]]]:
    """The word regions in which two texts differ.

    >>> changes("Sie ist neu und rot.", "Er ist alt und rot.")
    [(['sie'], ['er']), (['neu'], ['alt'])]
    """
    a, b = map(list, differing(words_of(right, language), words_of(wrong, language)))
    if len(a) <= 1 or len(b) <= 1:
        return [(a, b)] if a or b else []
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    return [(a[i:j], b[k:m]) for kind, i, j, k, m in matcher.get_opcodes() if kind != "equal"]


def _too_long(suite: Suite) -> Looking:
    """More words changed than is usual for the phenomenon, by a wide margin."""
    by_phenomenon: dict[str, tuple[array[int], array[int]]] = {}
    while some := (yield None):
        for i, item in some:
            for foil in item.foils:
                changed = changes(item.best.text, foil.text, suite.target_language)
                sizes, items = by_phenomenon.setdefault(foil.error or item.phenomenon or "", (array("q"), array("q")))
                sizes.append(sum(max(len(a), len(b)) for a, b in changed))
                items.append(i)
    places, limits = set(), []
    for phenomenon, (sizes, items) in by_phenomenon.items():
        if len(sizes) < _FEWEST:
            continue
        usual = median(sizes)
        spread = median(abs(size - usual) for size in sizes)
        limit = usual + max(5, 8 * spread)
        outliers = {i for size, i in zip(sizes, items, strict=True) if size > limit}
        if outliers:
            places |= outliers
            limits.append(f"{phenomenon or 'untagged'} over {limit:.0f} words, usually {usual:.0f}")
    message = f"in {{n}} a foil changes far more words than others of its phenomenon ({'; '.join(limits[:4])})"
    yield from found("foil-differs-too-much", "warning", suite, places, message)


def unexplained(regions: list[tuple[list[str], list[str]]]) -> list[tuple[str, str]]:
    """Words that a change of pronoun with its agreement does not explain.

    A short word may be a pronoun, an article or an auxiliary; a longer one must keep its first two letters.
    """
    left = []
    for a, b in regions:
        for old, new in zip([*a, *[""] * (len(b) - len(a))], [*b, *[""] * (len(a) - len(b))], strict=True):
            if max(len(old), len(new)) < 5 or old[:2] == new[:2] != "":
                continue
            if not all(_points(word) for word in (old, new) if len(word) >= 5):
                left.append((old, new))
    return left


def _points(word: str) -> bool:
    """A French pronoun, or a German possessive or other determiner in any case."""
    from kontrast.language.lexicons.german_words import DETERMINERS

    return word in DETERMINERS or _POINTING.fullmatch(word) is not None


def _second_change(suite: Suite) -> Looking:
    places = []
    examples: list[str] = []
    while some := (yield None):
        for i, item in some:
            for foil in item.foils:
                annotated = "replacement" in foil.tags
                regions = changes(item.best.text, foil.text, suite.target_language) if annotated else []
                if more := unexplained(regions):
                    places.append(i)
                    examples += [f"{old or '–'} → {new or '–'}" for old, new in more[: 3 - len(examples)]]
                    break
    message = f"in {{n}} the foil of a pronoun changes a word that does not agree with it ({'; '.join(examples)})"
    yield from found("foil-changes-another-word", "warning", suite, places, message)


CHECKS = (
    LintCheck(
        "foil-differs-too-much",
        "warning",
        "a foil changes far more words than others of its phenomenon",
        _too_long,
    ),
    LintCheck(
        "foil-changes-another-word",
        "warning",
        "the foil of a pronoun (tag replacement) changes a word that does not agree with it",
        _second_change,
    ),
)
