"""Where the DFKI test suite's expressions and the people who judged outputs disagree."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.suites.lint.finding import Finding, LintCheck, foils, found
from kontrast.suites.model import Item, Suite
from kontrast.testsets.dfki.check import searched

ID = "expression-against-label"


def disagreements(suite: Suite) -> Iterator[Finding]:
    """Items in which an expression decides an output otherwise than people did."""
    right, wrong = [], []
    for place, item in enumerate(suite.items):
        if any(searched(item, text.text) == "wrong" for text in (item.best, *item.references) if text.text):
            right.append(place)
        if any(searched(item, text) == "right" for text in _wrong(item)):
            wrong.append(place)
    yield from found(
        ID, "warning", suite, right, "in {n} an expression calls an output wrong that people called right"
    )
    yield from found(
        ID, "warning", suite, wrong, "in {n} an expression calls an output right that people called wrong"
    )


def _wrong(item: Item) -> list[str]:
    return [*(foil.text for foil in foils(item)), *item.tags.get("judged_wrong", ())]


CHECKS = (LintCheck(ID, "warning", "an expression decides an output otherwise than people did", disagreements),)
