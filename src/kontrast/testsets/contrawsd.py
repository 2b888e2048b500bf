"""ContraWSD (Rios et al. 2017; DE-EN, DE-FR): LingEval97's shape, with an ambiguous word and its sense.

An item is right only if the reference beats all its errors. The share of a sense in the training data
(``"12/345"``) comes under a key for each language pair; here ``frequency_ratio`` and ``frequency_ratio_fr``.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from kontrast.io import files
from kontrast.suites.model import Item, Scores, Suite
from kontrast.testsets.originals import Options, Tally, beats_all, sense_example, titled, twelve_digits


def languages(path: Path, items: Sequence[Item]) -> tuple[str | None, str | None]:
    """By the name, or the training data in which senses were counted, which differ between the two sets."""
    tags = items[0].tags if items else {}
    if named := re.search(r"\bde-?(en|fr)\b", files.suite_name(path).lower()):
        return "de", named[1]
    for tag, target in (("frequency_ratio", "en"), ("frequency_ratio_fr", "fr")):
        if tag in tags:
            return "de", target
    return None, None


_TOPS = {"0-20": 20, ">20": 50, ">50": 100, ">100": 200, ">200": 500, ">500": 1000}
_TOPS |= {">1k": 2000, ">2k": 5000, ">5k": 10_000}
_RARER_LAST = (">10k", *reversed(_TOPS))


def lines(suite: Suite, scores: Scores, options: Options) -> Iterator[str]:
    """As ContraPro, by the ambiguous word's sense and how often it was seen in training; Python 2's digits."""
    senses, bins = Tally(twelve_digits), Tally(twelve_digits)
    seen: dict[str, tuple[int, int]] = {}
    for item, right in zip(suite.items, beats_all(suite, scores), strict=True):
        sense = f"{item.tags.get('ambig_word')}:{item.tags.get('sense')}"
        senses.add(sense, right)
        if (ratio := _ratio(item)) is not None:
            seen[sense] = ratio
            bins.add(next((name for name, top in _TOPS.items() if 0 <= ratio[0] <= top), ">10k"), right)
        if options["v"] and not right:
            yield from sense_example(item, right)

    yield senses.total()
    yield from titled("statistics by error category", map(senses.line, sorted(senses)))
    rows = (bins.line(name) + " " for name in _RARER_LAST if name in bins)
    yield from titled("statistics by frequency in training data", rows)
    yield from titled("csv:", ["category,absfrequency,relfrequency,accuracy"])
    for sense in sorted(seen):
        (count, total), (right_count, all_count) = seen[sense], senses.counts(sense)
        share = twelve_digits(count / total) if total else 0
        yield f"{sense},{count},{share},{twelve_digits(right_count / all_count)}"


def _ratio(item: Item) -> tuple[int, int] | None:
    """How often the sense and the word were seen in training; each language pair has a tag of its own."""
    for name in ("frequency_ratio", "frequency_ratio_fr"):
        if found := re.fullmatch(r"\s*([+-]?\d{1,18})\s*/\s*([+-]?\d{1,18})\s*", str(item.tags.get(name)), re.ASCII):
            return int(found[1]), int(found[2])
    return None
