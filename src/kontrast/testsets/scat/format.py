"""SCAT's line files: ``highlighted.train.{en,fr}``, and ``highlighted.train.context.{en,fr}`` with what is before.

An item has the reference alone, the form that `check` looks for (``expected``: the marked pronoun), and the marked
words as spans in its tags. ``foils=OpenSubs`` takes the wrong variants from the text files of the large EN-FR set,
for the items that are there. The sentences of a context are joined in the file and cannot be told apart again.
"""

from __future__ import annotations

import re
from pathlib import Path

from kontrast.errors import InputError
from kontrast.io import files
from kontrast.suites.formats.format import Format, Peek
from kontrast.suites.model import Item, Suite, Tags, Variant
from kontrast.testsets.scat.marks import MarkedLine, unmarked

_ENDING = re.compile(r"(?P<prefix>highlighted\.\w+)(?:\.context)?(?:\.(?:en|fr))?")


def detect(peek: Peek) -> bool:
    return _prefix(peek.path) is not None


def _prefix(path: Path) -> Path | None:
    """The beginning of the four files' names, given it, one of them, or the folder with one such set."""
    if path.is_dir():
        found = sorted({p for file in path.glob("highlighted.*.en") if (p := _prefix(file))})
        return found[0] if len(found) == 1 else None
    named = _ENDING.fullmatch(path.name)
    prefix = path.with_name(named["prefix"]) if named else None
    return prefix if prefix and prefix.with_name(f"{prefix.name}.en").is_file() else None


def read(path: Path, foils: str | None = None) -> Suite:
    prefix = _prefix(path)
    if prefix is None:
        raise InputError(path, "expected highlighted.train.en, .fr, .context.en and .context.fr")
    names = [f"{prefix.name}{part}.{language}" for part in ("", ".context") for language in ("en", "fr")]
    rows = list(files.read_aligned(*(prefix.with_name(name) for name in names)))
    wrong = _foils(foils) if foils is not None else {}
    items = tuple(_item(number, [unmarked(line) for line in row], wrong) for number, row in enumerate(rows, start=1))
    extra: Tags = {"without_foil": sum(len(item.variants) < 2 for item in items)} if foils is not None else {}
    return Suite(files.suite_name(prefix), items, "en", "fr", style="scat", extra=extra)


def _item(number: int, lines: list[MarkedLine], wrong: dict[tuple[str, str], str]) -> Item:
    source, target, before, ahead = lines
    sides = {"src": source, "ref": target, "src_context": before, "ref_context": ahead}
    tags: Tags = {"phenomenon": "pronoun"}
    for side, pronouns in (("src", source.pronouns), ("ref", target.pronouns)):
        if pronouns:
            start, end = pronouns[0]
            tags[f"{side}_pronoun"] = sides[side].text[start:end]
            tags[f"{side}_pronoun_spans"] = pronouns
    if "ref_pronoun" in tags:
        tags["expected"] = tags["ref_pronoun"]
    tags |= {f"{side}_needed": marked.needed for side, marked in sides.items() if marked.needed}
    if inside := source.inside_words + target.inside_words:
        tags["marks_inside_words"] = inside
    if broken := [side for side, marked in sides.items() if marked.broken]:
        tags["broken_marks"] = broken
    foil = wrong.get((_folded(source.text), _folded(target.text)))
    return Item(
        str(number),
        source.text,
        (Variant(target.text), *((Variant(foil, error="pronoun"),) if foil is not None else ())),
        source_context=(before.text,) if before.text else (),
        target_context=(ahead.text,) if ahead.text else (),
        tags=tags,
    )


def _foils(path: str) -> dict[tuple[str, str], str]:
    """The wrong variant of each source and reference of the large EN-FR set."""
    from kontrast.suites.formats import load

    return {
        (_folded(item.source), _folded(item.best.text)): item.variants[1 - item.correct].text
        for item in load(path).items
        if len(item.variants) == 2
    }


def _folded(text: str) -> str:
    return " ".join(text.split())


FORMAT = Format(
    name="scat",
    summary="SCAT's marked text: pronouns and the words that translators needed, as spans",
    detect=detect,
    read=read,
    prefix=True,
    folder=True,
    options={"foils": "the text files of the large EN-FR set, from which wrong variants are taken (OpenSubs)"},
    languages=("en", "fr"),
    examples=("highlighted.train",),
)
