"""MuCoW: as ContraWSD, by the corpus of the sentence and by the ambiguous word's sense; Python 2's twelve digits."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.suites.model import Scores, Suite
from kontrast.testsets.contrawsd.original import example
from kontrast.testsets.originals import Options, Tally, beats_all, fraction, twelve_digits


def lines(suite: Suite, scores: Scores, options: Options) -> Iterator[str]:
    origins, senses = Tally(twelve_digits), Tally(twelve_digits)
    for item, right in zip(suite.items, beats_all(suite, scores), strict=True):
        origins.add(str(item.tags.get("origin")), right)
        senses.add(f"{item.tags.get('ambig_word')}:{item.tags.get('sense')}", right)
        if options["v"]:
            yield from example(item, right)
    yield f"total : {fraction(*senses.counts(*senses), twelve_digits)}"
    yield ""
    yield "statistics by error origin"
    yield from (origins.line(origin) for origin in sorted(origins))
    yield ""
    yield "statistics by error category, ambiguous word:sense"
    yield from (senses.line(sense) for sense in sorted(senses))
    yield ""
