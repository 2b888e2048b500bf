"""What people typed: annotation that its own text does not bear, two spellings of one phenomenon, items without any.

The first is the sign of a suite whose parts slipped against each other; the others split a group in silence.
"""

import re
from array import array
from collections import Counter
from collections.abc import Iterator

from kontrast.io.words import position
from kontrast.suites.lint import Level, Looking, found, lint_check, words_of
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


@lint_check("annotation-not-in-text", tolerated=TOLERATED)
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


_WORD = re.compile(r"[^\W\d_]{5,}")
"""Shorter words differ by a letter and mean different things (case, cause)."""


def _labels(item: Item) -> set[str]:
    return {label for label in (item.phenomenon, *(foil.error for foil in item.foils)) if label and label.strip()}


def _spellings(label: str) -> Iterator[str]:
    """The label without capitals and signs, and each time without one letter, never the first of a word.

    Labels that share one of these differ by one letter, or by two that changed places.
    """
    plain = " ".join(re.findall(r"[^\W_]+", label.casefold())) or label
    yield plain
    for word in _WORD.finditer(plain):
        yield from (plain[:at] + plain[at + 1 :] for at in range(word.start() + 1, word.end()))


@lint_check("near-equal-labels")
def _near_equal(suite: Suite) -> Looking:
    places: dict[str, array[int]] = {}
    while some := (yield None):
        for i, item in some:
            for label in _labels(item):
                places.setdefault(label, array("q")).append(i)
    known: dict[str, str] = {}
    for label in sorted(places, key=lambda name: (-len(places[name]), name)):
        spellings = list(_spellings(label))
        common = next((known[spelling] for spelling in spellings if spelling in known), None)
        if common is not None:
            message = (
                f"{{n}} have the label {label!r}, {len(places[common]):,} have {common!r}: these may be one group"
            )
            yield from found("near-equal-labels", "warning", suite, places[label], message)
        for spelling in spellings:
            known.setdefault(spelling, label)


@lint_check("phenomenon-missing")
def _unlabelled(suite: Suite) -> Looking:
    bare: list[int] = []
    while some := (yield None):
        bare += [i for i, item in some if not _labels(item)]
    if len(bare) < len(suite.items):
        message = "{n} have no phenomenon: they count in the total but in no group"
        yield from found("phenomenon-missing", "warning", suite, bare, message)


CHECKS = (_annotation, _near_equal, _unlabelled)
