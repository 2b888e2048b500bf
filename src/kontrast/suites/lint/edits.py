"""Foils that differ from the reference in more than their error, or in a pronoun that refers to nothing.

Items that ask what a pronoun refers to have no use for "il faut" and "es gibt".
"""

import re
from array import array
from collections.abc import Callable
from difflib import SequenceMatcher
from statistics import median

from kontrast.io.words import differing
from kontrast.suites.lint import Looking, found, lint_check, words_of
from kontrast.suites.model import Item, Suite

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


@lint_check("foil-differs-too-much")
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
    from kontrast.language.lexicons.german_words import DETERMINERS

    left = []
    for a, b in regions:
        for old, new in zip([*a, *[""] * (len(b) - len(a))], [*b, *[""] * (len(a) - len(b))], strict=True):
            if max(len(old), len(new)) < 5 or old[:2] == new[:2] != "":
                continue
            # A French pronoun, or a German possessive or other determiner in any case, points at something.
            if not all(w in DETERMINERS or _POINTING.fullmatch(w) for w in (old, new) if len(w) >= 5):
                left.append((old, new))
    return left


@lint_check("foil-changes-another-word")
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


def _french(text: str, place: int) -> bool:
    from kontrast.language.annotation import Sentence
    from kontrast.language.french_impersonal import is_impersonal
    from kontrast.language.french_words import words_of

    words = words_of(Sentence(text, ()))
    return any(w.start <= place < w.end and is_impersonal(words, i) for i, w in enumerate(words))


def _german(text: str, place: int) -> bool:
    from kontrast.language.german.plain import is_empty, split

    words = split(text)
    return any(w.start <= place < w.end and w.low == "es" and is_empty(words, i) for i, w in enumerate(words))


_JUDGES: dict[str, Callable[[str, int], bool]] = {"fr": _french, "de": _german}
_PRONOUNS = {"fr": "il", "de": "es"}


@lint_check("impersonal-pronoun")
def _impersonal(suite: Suite) -> Looking:
    language = (suite.target_language or "").lower()[:2]
    judge = _JUDGES.get(language)
    if judge is None:
        return
    places, examples = [], []
    while some := (yield None):
        for i, item in some:
            if str(item.tags.get("ref_pronoun", "")).lower() != _PRONOUNS[language]:
                continue
            hits = [place for place in _changed(item) if judge(item.best.text, place)]
            if hits:
                places.append(i)
                examples.append(" ".join(item.best.text[hits[0] :].split()[:3]))
    seen = ", ".join(dict.fromkeys(example.lower() for example in examples[:200]))[:60]
    message = f"in {{n}} the annotated pronoun may be impersonal, so its gender cannot be tested ({seen} …)"
    yield from found("impersonal-pronoun", "warning", suite, places, message)


def _changed(item: Item) -> set[int]:
    """Where the foils begin to differ from the reference: at the pronoun, or at what is elided before it."""
    right = item.best.text
    found = set()
    for variant in item.foils:
        same = next((n for n, (a, b) in enumerate(zip(right, variant.text, strict=False)) if a != b), None)
        if same is not None:
            while same < len(right) and not right[same].isalpha():
                same += 1  # s'il, si elle
            found.add(same)
    return found


CHECKS = (_impersonal, _too_long, _second_change)
