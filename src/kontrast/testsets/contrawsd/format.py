"""ContraWSD (Rios et al. 2017; DE-EN, DE-FR): LingEval97's shape, with an ambiguous word and its sense.

An item is right only if the reference beats all its errors. The share of a sense in the training data
(``"12/345"``) comes under a key for each language pair; here ``frequency_ratio`` and ``frequency_ratio_fr``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from kontrast.errors import KontrastError
from kontrast.io import files
from kontrast.suites.formats.format import Format, Lost, Peek
from kontrast.suites.formats.loss import lost_languages
from kontrast.suites.formats.references import Layout, read_references, write_references
from kontrast.suites.model import Item, Suite

LAYOUT = Layout(
    expected="ContraWSD's list of objects with source, reference, ambig word and errors",
    item_tags={
        "ambig word": "ambig_word",
        "original translation": "original_translation",
        "frequency of sense/ambig word in wmt16": "frequency_ratio",
        "frequency of sense/ambig word in europarl-v7 and nc11": "frequency_ratio_fr",
    },
)


def detect(peek: Peek) -> bool:
    return peek.has_keys("source", "reference", "ambig word", "errors")


def read(path: Path) -> Suite:
    items, extra = read_references(path, files.read_bytes(path), LAYOUT)
    target = _target(path, items)
    return Suite(files.suite_name(path), items, "de" if target else None, target, style="contrawsd", extra=extra)


def _target(path: Path, items: Sequence[Item]) -> str | None:
    """By the name, or the training data in which senses were counted, which differ between the two sets."""
    if named := re.search(r"\bde-?(en|fr)\b", files.suite_name(path).lower()):
        return named[1]
    tags = items[0].tags if items else {}
    if "frequency_ratio" in tags:
        return "en"
    return "fr" if "frequency_ratio_fr" in tags else None


def write(suite: Suite, path: Path) -> list[Lost]:
    """Without them the file would be read again as LingEval97's, whose decisions are pairs."""
    if any("ambig_word" not in item.tags for item in suite.items):
        raise KontrastError("the contrawsd format holds items with the tag ambig_word (the word with several senses)")
    target = _target(path, suite.items)
    return write_references(suite, path, LAYOUT) + lost_languages(suite, "de" if target else None, target)


FORMAT = Format(
    name="contrawsd",
    summary="ContraWSD's JSON: word senses, all errors must lose",
    detect=detect,
    read=read,
    write=write,
    extra=frozenset({"errors_form"}),
    examples=("ContraWSD.de-en.json",),
)
