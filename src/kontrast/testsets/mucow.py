"""MuCoW's scoring sets: ContraWSD's JSON with the corpus of each sentence, without frequencies.

The languages are those in the file's name (``ro-en.mucow.scoring.json``); without them they are left open.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from kontrast.errors import KontrastError
from kontrast.io import files
from kontrast.suites.formats.format import Format, Lost, Peek
from kontrast.suites.formats.references import Layout, read_references, write_references
from kontrast.suites.model import Scores, Suite
from kontrast.suites.testset import Option, Original, TestSet
from kontrast.testsets.originals import Options, Tally, beats_all, fraction, sense_example, twelve_digits

LAYOUT = Layout(
    expected="MuCoW's list of objects with source, reference, ambig word, origin and errors",
    item_tags={"ambig word": "ambig_word", "original translation": "original_translation"},
)


def detect(peek: Peek) -> bool:
    return (
        peek.has_keys("source", "reference", "ambig word", "origin", "errors") and '"frequency of ' not in peek.head
    )


def read(path: Path) -> Suite:
    items, extra = read_references(path, files.read_bytes(path), LAYOUT)
    pair = re.match(r"([a-z]{2,3})-([a-z]{2,3})\b", path.name)
    source, target = pair.groups() if pair else (None, None)
    return Suite(files.suite_name(path), items, source, target, style="mucow", extra=extra)


def write(suite: Suite, path: Path) -> list[Lost]:
    """Without them the file would be read again as LingEval97's, whose decisions are pairs."""
    if any(not {"ambig_word", "origin"} <= item.tags.keys() for item in suite.items):
        raise KontrastError(
            "the mucow format holds items with the tags ambig_word (it has several senses) and origin (its corpus)"
        )
    return write_references(suite, path, LAYOUT)


def lines(suite: Suite, scores: Scores, options: Options) -> Iterator[str]:
    """As ContraWSD, by the corpus of the sentence and by the ambiguous word's sense; Python 2's digits."""
    origins, senses = Tally(twelve_digits), Tally(twelve_digits)
    for item, right in zip(suite.items, beats_all(suite, scores), strict=True):
        origins.add(str(item.tags.get("origin")), right)
        senses.add(f"{item.tags.get('ambig_word')}:{item.tags.get('sense')}", right)
        if options["v"]:
            yield from sense_example(item, right)
    yield f"total : {fraction(*senses.counts(*senses), twelve_digits)}"
    yield ""
    yield "statistics by error origin"
    yield from (origins.line(origin) for origin in sorted(origins))
    yield ""
    yield "statistics by error category, ambiguous word:sense"
    yield from (senses.line(sense) for sense in sorted(senses))
    yield ""


FORMAT = Format(
    name="mucow",
    summary="MuCoW's JSON: word senses, all errors must lose",
    detect=detect,
    read=read,
    write=write,
    languages=(None, None),
    extra=frozenset({"errors_form"}),
    examples=("ro-en.mucow.scoring.json",),
)


TESTSET = TestSet("mucow", layout="lingeval97", original=Original(options=(Option("-v", "Print examples too."),)))
