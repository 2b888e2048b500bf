"""Items that decide nothing, or not what they should: one variant, a key turned round, words that do not tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kontrast.io.words import unparted
from kontrast.suites.lint.finding import Finding, LintCheck, Looking, found, item_check, words_of
from kontrast.suites.looking import decisions, seek
from kontrast.suites.model import Item, Suite
from kontrast.suites.packed import shape_of
from kontrast.suites.testset import testsets


def _one_variant(suite: Suite) -> Iterator[Finding]:
    alone = (shape_of(suite.items)[0] < 2).nonzero()[0].tolist()
    home = testsets().get(suite.style or "")
    own_check = home is not None and bool(home.check)
    nothing = [i for i in alone if suite.items[i].tags.get("expected") is None and not own_check]
    message = "{n} have one variant and no expected form, so they decide nothing and are not counted"
    yield from found("one-variant", "error", suite, nothing, message)
    message = "{n} have one variant: `kontrast check` decides translations of these items; scores decide nothing"
    yield from found("one-variant", "note", suite, set(alone) - set(nothing), message)


def _turned_round(item: Item) -> bool:
    return item.best.error is not None and any(variant.error is None for variant in item.variants)


def told_apart(item: Item, language: str | None) -> bool:
    """Two variants with different words are told apart by them: `seek` would say so too, after more work."""
    if len(item.variants) != 2:
        return False
    right, wrong = (words_of(item.variants[j].text, language) for j in (item.correct, 1 - item.correct))
    return bool(right) and sorted(right) != sorted(wrong) and not any(unparted(v.text) for v in item.variants)


def _undecidable(suite: Suite) -> Looking:
    reasons: dict[int, str] = {}
    language = suite.target_language
    while some := (yield None):
        for decision in decisions(suite, some):
            if told_apart(item := decision.item, language) or not (why := seek(item, language).why):
                continue
            if len(item.variants) > 1 or "expected" in item.tags:
                reasons[decision.item_index] = why
    places = list(reasons)
    said = ", ".join(f"{why}: {n}" for why, n in Counter(reasons.values()).most_common())
    message = (
        f"in {{n}} words do not distinguish the variants ({said}): `kontrast check` counts them separately, or "
        f"uses the nearer variant (--by-distance)"
    )
    yield from found("undecidable-by-words", "note", suite, places, message)


CHECKS = (
    LintCheck(
        "one-variant",
        "error",
        "an item has one variant, so it decides nothing (a note if it names the form that `check` expects)",
        _one_variant,
    ),
    item_check(
        "correct-has-error",
        "error",
        "the correct variant has an error, and another variant has none",
        _turned_round,
        "in {n} the correct variant has an error and another variant has none: check `correct`",
    ),
    LintCheck(
        "undecidable-by-words",
        "note",
        "the words of a translation cannot distinguish the variants: only order, case or punctuation differs",
        _undecidable,
    ),
)
