"""CoCoA-MT's line files, named by one of them or by what they begin with: ``formality-control.test.en-de``.

IWSLT has ``.formal.de``, ``.informal.de`` and the same with ``.annotated``; CoCoA-MT has no language behind them and
a set for each domain (``formality-control.test.telephony.en-de``). The formal translation is the correct variant,
with ``?formality=informal`` the other one. The words that people marked, ``[F]…[/F]``, are tags.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.suites.formats.format import Peek
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


# CoCoA-MT's matched accuracy: of the outputs that have marked words of one formality only, how many have the one
# asked for.
#
# A marked phrase is found if all its words are words of the output, divided at blanks; in languages without blanks
# (Japanese), if the output contains it.


WITHOUT_BLANKS = ("ja", "zh", "th", "lo", "km", "my")


def outcomes(suite: Suite, translations: Sequence[str]) -> list[Literal["right", "wrong", "both", "neither"]]:
    """One answer per item; only right and wrong are counted."""
    whole = suite.target_language in WITHOUT_BLANKS
    answers: list[Literal["right", "wrong", "both", "neither"]] = []
    for item, text in zip(suite.items, translations, strict=True):
        asked = item.tags["formality"]
        has = {side: _matched(item.tags[f"{side}_phrases"], text.strip(), whole) for side in SIDES}
        if has["formal"] == has["informal"]:
            answers.append("both" if has["formal"] else "neither")
        else:
            answers.append("right" if has[asked] else "wrong")
    return answers


def _matched(phrases: Sequence[str], text: str, whole: bool) -> bool:
    """
    >>> _matched(["halten Sie"], "Was Sie davon halten", False), _matched(["Sie"], "Sie, bitte", False)
    (True, False)
    """
    if whole:
        return any(phrase in text for phrase in phrases)
    words = set(text.split(" "))
    return any(set(phrase.split(" ")) <= words for phrase in phrases)


def printed(suite: Suite, answers: Sequence[str]) -> Iterator[str]:
    """What its script prints."""
    right, wrong = answers.count("right"), answers.count("wrong")
    share = right / (right + wrong) if right + wrong else 0.0
    other = wrong / (right + wrong) if right + wrong else 0.0
    formal, informal = (share, other) if suite.extra.get("formality") == "formal" else (other, share)
    yield f"Formal Acc: {formal:.3f}, Informal Acc: {informal:.3f}"
