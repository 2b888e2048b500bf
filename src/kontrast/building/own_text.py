"""What a system wrote as the text that foils are made on: only lines that nothing speaks against."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kontrast.building.checks.english import has
from kontrast.building.checks.source import is_another
from kontrast.building.errors.run import usable
from kontrast.language.words import declared
from kontrast.suites.lint import lint
from kontrast.suites.model import Suite

NEAR = 80.0
"""The chrF against the reference from which a translation is taken for right; docs/errors.md has what this leaves."""
_MOST_OTHER = 1
"""Words that a line may have otherwise than the reference; it may have none less."""
_FIGURES = re.compile(r"\d+")
_TWICE = re.compile(r"(?i)\b(\w{2,}) \1\b")
_LINT = ("error", "warning")
_OF_THE_SUITE = (
    "correct-always-at-one-index",
    "duplicate-id",
    "duplicate-item",
    "mixed-normal-forms",
    "near-equal-labels",
    "phenomenon-missing",
)
"""Findings that are no fault of an item."""


class ScreenedLines(NamedTuple):
    """The lines, empty where something speaks against one, and how many were left out by reason."""

    lines: list[str]
    left_out: Counter[str]


def screened(sources: Sequence[str], references: Sequence[str], own: Sequence[str], language: str) -> ScreenedLines:
    """The lines of a system's translations that neither source nor reference speaks against, nor the text itself."""
    kept: list[str] = []
    left_out: Counter[str] = Counter()
    for source, reference, line in zip(sources, references, own, strict=True):
        why = next(_faults(source, reference, line, language), None)
        if why is not None:
            left_out[why] += 1
        kept.append("" if why else line)
    return ScreenedLines(kept, left_out)


def _faults(source: str, reference: str, own: str, language: str) -> Iterator[str]:
    """What speaks against a line, the plainest first."""
    if not (source.strip() and reference.strip()):
        yield "no source or reference"
    if not own.strip():
        yield "empty"
    if not usable(own, language):
        yield "the line is not in the language"
    if own.strip() == source.strip():
        yield "not translated"
    if sorted(_FIGURES.findall(own)) != sorted(_FIGURES.findall(reference)):
        yield "the numbers differ from those of the reference"
    if is_another(source, own):
        yield "the line is not a translation of the source"
    if _TWICE.search(own) and not _TWICE.search(reference):
        yield "a word twice"
    if has(source, "it") and _genders(own, language) != _genders(reference, language):
        yield "pronouns have another gender than in the reference"
    if _chrf(own, reference) < NEAR:
        yield "far from the reference"
    more, less = _other_words(own, reference)
    if more > _MOST_OTHER or less > more:
        yield "several words are not in the reference"


def _genders(text: str, language: str) -> set[str]:
    """Those of the pronouns that the language declares."""
    forms: dict[str, list[str]] = declared(language).get("reference", {}).get("genders", {})
    said = set(re.findall(r"\w+", text.lower()))
    return {gender for gender, words in forms.items() if said & set(words)}


def _other_words(own: str, reference: str) -> tuple[int, int]:
    """How many words only the one has, and only the other.

    >>> _other_words("Jeder hat seine eigene Art.", "Jeder hat seine eigene besondere Art.")
    (0, 1)
    """
    one, other = (Counter(re.findall(r"\w+", text.lower())) for text in (own, reference))
    return (one - other).total(), (other - one).total()


def _chrf(own: str, reference: str) -> float:
    from sacrebleu.metrics import CHRF

    return float(CHRF().sentence_score(own, [reference]).score)


def by_lint(suite: Suite) -> dict[str, str]:
    """The items of a suite that lint finds something wrong with, and which check finds it."""
    return {
        item: finding.id
        for finding in lint(suite)
        if finding.level in _LINT and finding.id not in _OF_THE_SUITE
        for item in finding.items
    }
