"""SCAT's line files: ``highlighted.train.{en,fr}``, and ``highlighted.train.context.{en,fr}`` with what is before.

An item has the reference alone, the form that `check` looks for (``expected``: the marked pronoun), and the marked
words as spans in its tags. ``foils=OpenSubs`` takes the wrong variants from the text files of the large EN-FR set,
for the items that are there. The sentences of a context are joined in the file and cannot be told apart again.
"""

import re
from pathlib import Path
from typing import NamedTuple

from kontrast.errors import InputError
from kontrast.io import files
from kontrast.suites.formats.format import Peek
from kontrast.suites.model import Item, Suite, Tags, Variant

_ENDING = re.compile(r"(?P<prefix>highlighted\.\w+)(?:\.context)?(?:\.(?:en|fr))?")


class MarkedLine(NamedTuple):
    """A line without its marks, and where they were: ``[start, end]`` in characters."""

    text: str
    pronouns: list[list[int]]
    needed: list[list[int]]
    inside_words: int
    broken: bool


def _prefix(path: Path) -> Path | None:
    """The beginning of the four files' names, given it, one of them, or the folder with one such set."""
    if path.is_dir():
        found = sorted({p for file in path.glob("highlighted.*.en") if (p := _prefix(file))})
        return found[0] if len(found) == 1 else None
    named = _ENDING.fullmatch(path.name)
    prefix = path.with_name(named["prefix"]) if named else None
    return prefix if prefix and prefix.with_name(f"{prefix.name}.en").is_file() else None


def detect(peek: Peek) -> bool:
    return _prefix(peek.path) is not None


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


# SCAT's marks in a line of text: ``<p>`` around pronouns, ``<hon>…<hoff>`` around the words that people needed.
#
# Marks were set by searching for a string: pronouns are also marked inside words (``b<p>elles</p>``), where they are
# left out here and counted, and marks were set inside marks (``<ho <hon>n>``), after which no place can be trusted:
# such a line keeps its text and no spans.


# a mark of needed words has brought a blank on each side; the one behind is told from the text's own by what follows
_MARK = re.compile(r" ?(?P<on><hon>)|(?P<off><hoff>)(?: (?=[ ,.;:!?…')\"-]|$))?|(?P<start><p>)|(?P<end></p>)")


def unmarked(line: str) -> MarkedLine:
    """Take the marks out of a line."""
    text, spans, broken = _taken(line)
    while _MARK.search(text):
        text, broken = _taken(text)[0], True
    if broken:
        text = re.sub(" {2,}", " ", text)
    # neither begins nor ends inside a word
    whole = [s for s in spans["p"] if not re.search(r"\w$", text[: s[0]]) and not re.match(r"\w", text[s[1] :])]
    pronouns = [] if broken else whole
    inside = len(spans["p"]) - len(pronouns) if not broken else 0
    return MarkedLine(text, pronouns, spans["hon"] if not broken else [], inside, broken)


def _taken(line: str) -> tuple[str, dict[str, list[list[int]]], bool]:
    """The text without the marks that are whole, their spans, and whether one stands inside another of its kind."""
    text, place, broken = "", 0, False
    spans: dict[str, list[list[int]]] = {"p": [], "hon": []}
    begun: dict[str, int | None] = {"p": None, "hon": None}
    for mark in _MARK.finditer(line):
        text += line[place : mark.start()]
        place = mark.end()
        kind = "hon" if mark["on"] or mark["off"] else "p"
        begins, start = bool(mark["on"] or mark["start"]), begun[kind]
        broken |= begins == (start is not None)
        if not begins and start is not None:
            spans[kind].append([start, len(text)])
        begun[kind] = len(text) if begins else None
    return text + line[place:], spans, broken or any(start is not None for start in begun.values())
