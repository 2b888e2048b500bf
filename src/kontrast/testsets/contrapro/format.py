"""ContraPro (Müller et al. 2018, EN-DE) and the large EN-FR set (Lopes et al. 2020): a JSON list of pronouns.

An item is right only if the reference beats all its errors. ``document id`` and ``segment id`` are kept as they are
(segments count from 1 in ContraPro, from 0 in the French set); every other key becomes a tag in snake case, and
``ante distance`` the tag ``distance``. ``errors`` may be one object instead of a list, as in one form of the French
set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from kontrast.io import files
from kontrast.suites.formats.format import Format, Lost, Peek
from kontrast.suites.formats.loss import lost_languages
from kontrast.suites.formats.references import Layout, read_references, write_references
from kontrast.suites.model import Item, Suite

_KEYS = (
    "src pronoun",
    "ref pronoun",
    "pronoun gender",
    *(f"{side} ante phrase" for side in ("src", "ref")),
    *(f"{side} ante head" for side in ("src", "ref")),
    *(f"{side} ante head {part}" for side in ("src", "ref") for part in ("id", "lemma", "pos", "morpho", "gender")),
)

LAYOUT = Layout(
    expected="ContraPro's list of objects with src segment, ref segment and errors",
    source="src segment",
    reference="ref segment",
    document="document id",
    segment="segment id",
    item_tags={
        "ante distance": "distance",
        "document id": "document_id",
        "segment id": "segment_id",
        **{key: key.replace(" ", "_") for key in _KEYS},
    },
    error_tags={"replacement gender": "replacement_gender"},
)


def detect(peek: Peek) -> bool:
    return peek.has_keys("src segment", "ref segment", "errors")


def read(path: Path) -> Suite:
    items, extra = read_references(path, files.read_bytes(path), LAYOUT)
    target = _target(items)
    source = "en" if target else None
    return Suite(files.suite_name(path), items, source, target, style="contrapro", extra=extra)


def _target(items: Iterable[Item]) -> str | None:
    """The language at the end of a document's id (``….de``), else of the corpus' name (``…-enfr``)."""
    for item in items:
        found = re.search(r"\.([a-z]{2})$", item.document or "")
        found = found or re.search(r"\ben-?([a-z]{2})$", str(item.tags.get("corpus", "")))
        if found:
            return found[1]
    return None


def write(suite: Suite, path: Path) -> list[Lost]:
    lost = write_references(suite, path, LAYOUT)
    guessed = _target(suite.items)
    return lost + lost_languages(suite, "en" if guessed else None, guessed)


FORMAT = Format(
    name="contrapro",
    summary="ContraPro's JSON and the large EN-FR set's: pronouns, all errors must lose",
    detect=detect,
    read=read,
    write=write,
    extra=frozenset({"errors_form"}),
    examples=("contrapro.json", "testset-en-fr.json"),
)
