"""MuCoW's scoring sets: ContraWSD's JSON with the corpus of each sentence, without frequencies.

The languages are those in the file's name (``ro-en.mucow.scoring.json``); without them they are left open.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from kontrast.suites.model import Item, Scores, Suite
from kontrast.testsets.originals import Options, Tally, beats_all, sense_example, titled, twelve_digits


def languages(path: Path, items: Sequence[Item]) -> tuple[str | None, str | None]:
    pair = re.match(r"([a-z]{2,3})-([a-z]{2,3})\b", path.name)
    return (pair[1], pair[2]) if pair else (None, None)


def lines(suite: Suite, scores: Scores, options: Options) -> Iterator[str]:
    """As ContraWSD, by the corpus of the sentence and by the ambiguous word's sense; Python 2's digits."""
    origins, senses = Tally(twelve_digits), Tally(twelve_digits)
    for item, right in zip(suite.items, beats_all(suite, scores), strict=True):
        origins.add(str(item.tags.get("origin")), right)
        senses.add(f"{item.tags.get('ambig_word')}:{item.tags.get('sense')}", right)
        if options["v"]:
            yield from sense_example(item, right)
    yield senses.total()
    yield from titled("statistics by error origin", map(origins.line, sorted(origins)))
    yield from titled("statistics by error category, ambiguous word:sense", map(senses.line, sorted(senses)))
    yield ""
