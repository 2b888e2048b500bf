"""ContraWSD: as ContraPro, by the ambiguous word's sense and how often it was seen in training; Python 2's digits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.suites.model import Item, Scores, Suite
from kontrast.testsets.originals import Options, Tally, beats_all, fraction, twelve_digits

_TOPS = {"0-20": 20, ">20": 50, ">50": 100, ">100": 200, ">200": 500, ">500": 1000}
_TOPS |= {">1k": 2000, ">2k": 5000, ">5k": 10_000}
_RARER_LAST = (">10k", *reversed(_TOPS))


def lines(suite: Suite, scores: Scores, options: Options) -> Iterator[str]:
    senses, bins = Tally(twelve_digits), Tally(twelve_digits)
    seen: dict[str, tuple[int, int]] = {}
    for item, right in zip(suite.items, beats_all(suite, scores), strict=True):
        sense = f"{item.tags.get('ambig_word')}:{item.tags.get('sense')}"
        senses.add(sense, right)
        if (ratio := _ratio(item)) is not None:
            seen[sense] = ratio
            bins.add(next((name for name, top in _TOPS.items() if 0 <= ratio[0] <= top), ">10k"), right)
        if options["v"] and not right:
            yield from example(item, right)

    yield f"total : {fraction(*senses.counts(*senses), twelve_digits)}"
    yield ""
    yield "statistics by error category"
    yield from (senses.line(sense) for sense in sorted(senses))
    yield ""
    yield "statistics by frequency in training data"
    yield from (bins.line(name) + " " for name in _RARER_LAST if name in bins)
    yield ""
    yield "csv:"
    yield "category,absfrequency,relfrequency,accuracy"
    for sense in sorted(seen):
        (count, total), (right_count, all_count) = seen[sense], senses.counts(sense)
        share = twelve_digits(count / total) if total else 0
        yield f"{sense},{count},{share},{twelve_digits(right_count / all_count)}"


def example(item: Item, right: bool) -> Iterator[str]:
    """What ``-v`` prints of an item."""
    yield ""
    yield "correct:" if right else "wrong:"
    yield f"ambig. word: {item.tags.get('ambig_word')}"
    yield f"original translation: {item.tags.get('original_translation')}"
    yield f"source: {item.source}"
    yield f"reference: {item.best.text}"


def _ratio(item: Item) -> tuple[int, int] | None:
    """How often the sense and the word were seen in training; each language pair has a tag of its own."""
    for name in ("frequency_ratio", "frequency_ratio_fr"):
        if found := re.fullmatch(r"\s*([+-]?\d{1,18})\s*/\s*([+-]?\d{1,18})\s*", str(item.tags.get(name)), re.ASCII):
            return int(found[1]), int(found[2])
    return None
