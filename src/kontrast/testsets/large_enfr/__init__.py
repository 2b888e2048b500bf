"""The large EN-FR pronoun set (Lopes et al. 2020): ContraPro's JSON, its own layout of text, segments from 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kontrast.suites.testset import TestSet, TextLayout

if TYPE_CHECKING:
    from kontrast.suites.model import Suite


def is_french(suite: Suite, target: str | None) -> bool:
    """By the language that was asked for or the endings of the documents' ids, nothing else."""
    return target == "fr" or any(item.document and item.document.endswith(".fr") for item in suite.items)


TESTSET = TestSet(
    "large-enfr",
    layout=TextLayout(first_segment=0, cut=True),
    original="contrapro",
    of="contrapro",
    mine=is_french,
)
