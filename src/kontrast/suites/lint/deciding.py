"""Items that decide nothing, or not what they should: one variant, a key turned round, words that do not tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kontrast.suites.lint.finding import Finding, LintCheck, found
from kontrast.suites.looking import decisions, seek
from kontrast.suites.model import Suite
from kontrast.suites.testset import testsets


def _one_variant(suite: Suite) -> Iterator[Finding]:
    alone = [i for i, item in enumerate(suite.items) if len(item.variants) < 2]
    home = testsets().get(suite.style or "")
    own_check = home is not None and bool(home.check)
    nothing = [i for i in alone if suite.items[i].tags.get("expected") is None and not own_check]
    message = "{n} have one variant and no expected form: nothing is decided, and they are left out of every count"
    yield from found("one-variant", "error", suite, nothing, message)
    message = "{n} have one variant: `kontrast check` decides what a system writes there, scores decide nothing"
    yield from found("one-variant", "note", suite, set(alone) - set(nothing), message)


def _turned_round(suite: Suite) -> Iterator[Finding]:
    places = [
        i
        for i, item in enumerate(suite.items)
        if item.best.error is not None and any(variant.error is None for variant in item.variants)
    ]
    message = "in {n} the variant that counts as correct is named an error, and another is not: is `correct` right?"
    yield from found("correct-has-error", "error", suite, places, message)


def _undecidable(suite: Suite) -> Iterator[Finding]:
    reasons: dict[int, str] = {}
    for decision in decisions(suite):
        if why := seek(decision.item, suite.target_language).why:
            reasons[decision.item_index] = why
    places = [i for i in reasons if len(suite.items[i].variants) > 1 or "expected" in suite.items[i].tags]
    said = ", ".join(f"{why}: {n}" for why, n in Counter(reasons[i] for i in places).most_common())
    message = (
        f"in {{n}} words do not tell the variants apart ({said}): `kontrast check` counts them apart, or takes the "
        "nearer variant (--by-distance)"
    )
    yield from found("undecidable-by-words", "note", suite, places, message)


CHECKS = (
    LintCheck(
        "one-variant",
        "error",
        "an item has one variant, so that nothing is decided (a note where it names the form that `check` expects)",
        _one_variant,
    ),
    LintCheck(
        "correct-has-error",
        "error",
        "the correct variant is named an error, and another variant is not",
        _turned_round,
    ),
    LintCheck(
        "undecidable-by-words",
        "note",
        "the words of a translation cannot tell the variants apart: order, case or punctuation alone differs",
        _undecidable,
    ),
)
