"""Annotation that its own text does not bear: the sign of a suite whose parts slipped against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kontrast.io.words import position
from kontrast.suites.lint.finding import Level, LintCheck, Looking, found, words_of
from kontrast.suites.model import Item, Suite

TOLERATED = 0.05
"""The share of items that annotators may get wrong before the suite as a whole is not to be trusted."""


def _bearers(item: Item) -> Iterator[tuple[str, str, str]]:
    """Each annotation that names a word, the word, and the text that should have it."""
    for tag, text in (
        ("src_pronoun", item.source),
        ("ref_pronoun", item.best.text),
        ("src_word", item.source),
    ):
        if isinstance(word := item.tags.get(tag), str) and word.strip():
            yield tag, word, text
    for foil in item.foils:
        if isinstance(word := foil.tags.get("replacement"), str) and word.strip():
            yield "replacement", word, foil.text


_SIDE = {"replacement": "the contrastive", "ref_pronoun": "the reference"}


def _annotation(suite: Suite) -> Looking:
    annotated: Counter[str] = Counter()
    lacking: dict[str, list[int]] = {}
    while some := (yield None):
        for i, item in some:
            tags = set()
            for tag, word, text in _bearers(item):
                tags.add(tag)
                language = suite.source_language if tag.startswith("src") else suite.target_language
                if position(words_of(word, language), words_of(text, language)) is None:
                    lacking.setdefault(tag, []).append(i)
            annotated.update(tags)
    for tag, places in lacking.items():
        level: Level = "error" if len(set(places)) > TOLERATED * annotated[tag] else "warning"
        message = f"in {{n}} {_SIDE.get(tag, 'the source')} does not contain the annotated {tag.replace('_', ' ')}"
        yield from found("annotation-not-in-text", level, suite, places, message)


CHECKS = (
    LintCheck(
        "annotation-not-in-text",
        "error",
        f"an annotated pronoun or word is not in its text (a warning up to {TOLERATED:.0%} of items)",
        _annotation,
    ),
)
