"""Contrastives with an unintended second error, found by making them anew: ``lint --deep`` and ``convert --repair``.

A set whose foils are *Elle est rigolo* or *Wir sollten er behalten* can be solved without knowing what the pronoun
stands for: the agreement gives the foil away. Our own perturbations know the plain way in which such foils are made,
and the text without the second error.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from kontrast.building.errors.registry import get, languages, names_of
from kontrast.errors import KontrastError
from kontrast.language import annotators
from kontrast.progress import progress
from kontrast.record import Record
from kontrast.suites.lint import Finding, LintCheck
from kontrast.suites.model import Suite


class Repair(Record, frozen=True):
    """One variant to mend: where it is, what it says and what it should say."""

    item: str
    item_index: int
    variant_index: int
    before: str
    after: str


def find_repairs(suite: Suite) -> list[Repair]:
    """The contrastives that were made plainly, with the text that carries the intended error alone."""
    language = suite.target_language or ""
    if "pronoun_gender" not in names_of(language):
        known = ", ".join(code for code in languages() if "pronoun_gender" in names_of(code))
        raise KontrastError(
            f"second errors can be found only in suites with the target language {known}; {suite.name} has "
            f"{language or 'none'}"
        )
    function = get(language, "pronoun_gender").function
    texts = list(dict.fromkeys(item.best.text for item in suite.items))
    repaired: dict[str, dict[str, str]] = {}
    with progress("annotating", len(texts), "sentences") as advance:
        for text, sentence in zip(texts, annotators.get(language).annotate(texts), strict=True):
            candidates = list(function(sentence))
            good = {c.text for c in candidates if not c.plain}
            repaired[text] = {c.text: c.repaired for c in candidates if c.repaired and c.text not in good}
            advance(1)
    return [
        Repair(item.id, i, j, variant.text, repaired[item.best.text][variant.text])
        for i, item in enumerate(suite.items)
        for j, variant in enumerate(item.variants)
        if j != item.correct and variant.text in repaired[item.best.text]
    ]


def repair(suite: Suite) -> tuple[Suite, list[Repair]]:
    """The suite with all second errors in wrong variants repaired, and a list of the changes.

    >>> from kontrast.suites.model import Item, Variant
    >>> pair = Variant("Wenn sie alt ist."), Variant("Wenn ihn alt ist.", error="pronoun")
    >>> item = Item("1", "If it is old", pair)
    >>> repaired, changes = repair(Suite("tiny", (item,), target_language="de"))
    >>> repaired.items[0].variants[1].text
    'Wenn er alt ist.'
    """
    changes = find_repairs(suite)
    items = list(suite.items)
    for change in changes:
        item = items[change.item_index]
        variants = list(item.variants)
        variants[change.variant_index] = msgspec.structs.replace(variants[change.variant_index], text=change.after)
        items[change.item_index] = msgspec.structs.replace(item, variants=tuple(variants))
    return msgspec.structs.replace(suite, items=tuple(items)), changes


def _second_errors(suite: Suite) -> Iterator[Finding]:
    changes = find_repairs(suite)
    if not changes:
        return
    concerned = tuple(dict.fromkeys(change.item for change in changes))
    first = changes[0]
    yield Finding(
        "second-error",
        "warning",
        len(changes),
        concerned,
        f"in {len(changes)} of {suite.row_count - len(suite.items)} wrong variants a second error reveals the "
        f"intended one, such as {first.before!r} for {first.after!r}; `kontrast convert --repair` repairs them",
    )


DEEP = (
    LintCheck(
        "second-error",
        "warning",
        "a wrong variant has an unintended second error (agreement, elision, case)",
        _second_errors,
    ),
)
"""Checks that need the language layer, for `lint`'s ``also``."""
