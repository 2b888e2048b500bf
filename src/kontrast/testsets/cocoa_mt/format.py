"""CoCoA-MT's line files, named by one of them or by what they begin with: ``formality-control.test.en-de``.

IWSLT has ``.formal.de``, ``.informal.de`` and the same with ``.annotated``; CoCoA-MT has no language behind them and
a set for each domain (``formality-control.test.telephony.en-de``). The formal translation is the correct variant,
with ``?formality=informal`` the other one. The words that people marked, ``[F]…[/F]``, are tags.
"""

from __future__ import annotations

import re
from pathlib import Path

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.suites.formats.format import Format, Peek
from kontrast.suites.model import Item, Suite, Tags, Variant

SIDES = ("formal", "informal")
MARKED = re.compile(r"\[F\](.*?)\[/F\]")

_NAME = re.compile(
    r"(?P<prefix>formality-control\.(?P<split>\w+)(?:\.(?P<domain>\w+))?\.(?P<source>[a-z]{2,3})-(?P<target>[a-z]{2,3}))"
    r"(?:\.(?:formal|informal)(?:\.annotated)?)?(?:\.[a-z]{2,3})?"
)


def detect(peek: Peek) -> bool:
    named = _NAME.fullmatch(peek.path.name)
    return named is not None and _beside(peek.path, named, "formal") is not None


def _beside(path: Path, named: re.Match[str], kind: str) -> Path | None:
    """The file of a kind, with or without the language behind its name."""
    name, language = named["prefix"], named["target" if kind else "source"]
    plain = f"{name}.{kind}" if kind else name
    return next((p for p in (path.with_name(f"{plain}.{language}"), path.with_name(plain)) if p.is_file()), None)


def read(path: Path, formality: str = "formal") -> Suite:
    if formality not in SIDES:
        raise KontrastError(f"formality={formality}: expected formal or informal")
    named = _NAME.fullmatch(path.name)
    kinds = ("", *SIDES, *(f"{side}.annotated" for side in SIDES))
    paths = [_beside(path, named, kind) if named else None for kind in kinds]
    there = [each for each in paths if each is not None]
    if named is None or len(there) < len(kinds):
        wanted = "the source, .formal, .informal, .formal.annotated and .informal.annotated"
        raise InputError(path, f"expected the files of formality-control.test.en-de: {wanted}; one is missing")
    rows = files.read_aligned(*there)
    items = tuple(_item(number, row, SIDES.index(formality)) for number, row in enumerate(rows, start=1))
    extra: Tags = {"formality": formality, "split": named["split"]}
    if equal := sum(len(item.variants) < 2 for item in items):
        extra["both_equal"] = equal
    return Suite(named["prefix"], items, named["source"], named["target"], style="cocoa-mt", extra=extra)


def _item(number: int, row: tuple[str, ...], asked: int) -> Item:
    source, *texts = (text.strip() for text in row[:3])
    phrases = {f"{side}_phrases": MARKED.findall(line) for side, line in zip(SIDES, row[3:], strict=True)}
    variants = [Variant(texts[asked]), Variant(texts[1 - asked], error="formality")]
    if texts[0] == texts[1]:
        variants = variants[:1]
    tags: Tags = {"phenomenon": "formality", "formality": SIDES[asked], **phrases}
    return Item(str(number), source, tuple(variants), tags=tags)


FORMAT = Format(
    name="cocoa-mt",
    summary="CoCoA-MT's and IWSLT's formality sets: line files, formal and informal, with marked words",
    detect=detect,
    read=read,
    prefix=True,
    options={"formality": "which one is asked for: formal (default) or informal"},
    examples=("formality-control.test.en-de", "formality-control.test.telephony.en-de"),
)
